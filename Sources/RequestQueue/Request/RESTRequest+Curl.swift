extension RESTRequest {
    /// The request as a command for `curl`, to repeat it in a shell.
    ///
    /// The values of secret fields such as `Authorization`, and of secret items of the query, are shown as `REDACTED`. The
    /// body is shown only as the name of a placeholder file.
    ///
    /// ```swift
    /// print(client.request(.get, "/films", query: ["page": 2]).curlDescription)
    /// // curl 'https://api.example.com/v1/films?page=2' --header 'Accept: application/json'
    /// ```
    public var curlDescription: String {
        var words = ["curl"]
        if method == .head {
            words.append("--head")
        } else if method != .get {
            words += ["--request", method.rawValue]
        }
        words.append(quoted(url?.redacted ?? "(no URL)"))
        for field in headers { words += ["--header", quoted(field.description)] }
        if body != nil { words += ["--data-binary", "@body"] }
        if case .url(let proxy) = self.proxy { words += ["--proxy", quoted(proxy.shown)] }
        return words.joined(separator: " ")
    }

    /// Quotes a word for a POSIX shell.
    private func quoted(_ text: String) -> String { "'" + replacing(["'": "'\\''"], in: text) + "'" }
}

extension URL {
    /// The URL without user and password, and with redacted secret items of the query.
    fileprivate var redacted: String {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return shown }
        (components.user, components.password) = (nil, nil)
        components.percentEncodedQueryItems = components.percentEncodedQueryItems?.map { item in
            isSecretName(item.name) && item.value != nil ? URLQueryItem(name: item.name, value: redactionMark) : item
        }
        return components.string ?? shown
    }
}
