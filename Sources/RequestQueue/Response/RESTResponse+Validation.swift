extension RESTResponse {
    /// Returns the response if its status and content type are accepted.
    ///
    /// ```swift
    /// let response = try await client.get("/accounts").validated(contentTypes: ["application/json"])
    /// ```
    ///
    /// - Parameters:
    ///   - statuses: The accepted statuses. Defaults to 200 to 299.
    ///   - contentTypes: The accepted media types without parameters, or patterns such as `text/*`. Defaults to any
    ///     type. A response without content, to HEAD or with status 202, 204 or 304, can omit the type.
    /// - Throws: An error of kind `unacceptableResponse` with the expected and the actual value.
    public func validated(
        statuses: some Collection<Int> = 200..<300, contentTypes: [String] = []
    ) throws(RequestError) -> RESTResponse {
        guard statuses.contains(status) else { throw unacceptable("a status of \(listed(statuses))", "\(status)") }
        let mayLackType = method == .head || [202, 204, 304].contains(status)
        guard !contentTypes.isEmpty, !(mimeType == nil && mayLackType) else { return self }
        guard let mimeType, contentTypes.contains(where: { matches(mimeType, $0.lowercased()) }) else {
            throw unacceptable(
                "the content type \(contentTypes.joined(separator: " or "))", mimeType ?? "no content type")
        }
        return self
    }

    func unacceptable(_ expected: String, _ found: String, underlying: (any Error)? = nil) -> RequestError {
        var error = RequestError(
            .unacceptableResponse, "expected \(expected), got \(found)", method: method, url: url, phase: .receiving,
            bytesReceived: Int64(body.count), underlying: underlying)
        error.response = self
        return error
    }

    /// Whether the status is not valid in HTTP: below 100 or above 600.
    public var isInvalid: Bool { status < 100 || status > 600 }
    /// Whether the status is 1xx.
    public var isInformational: Bool { (100..<200).contains(status) }
    /// Whether the status is 2xx.
    public var isSuccessful: Bool { (200..<300).contains(status) }
    /// Whether the status is 3xx.
    public var isRedirection: Bool { (300..<400).contains(status) }
    /// Whether the status is 4xx.
    public var isClientError: Bool { (400..<500).contains(status) }
    /// Whether the status is 5xx.
    public var isServerError: Bool { (500..<600).contains(status) }
    /// Whether the status is 4xx or 5xx.
    public var isError: Bool { isClientError || isServerError }

    /// Whether the status is 200.
    public var isOK: Bool { status == 200 }
    /// Whether the status is 201.
    public var isCreated: Bool { status == 201 }
    /// Whether the status is 304.
    public var isNotModified: Bool { status == 304 }
    /// Whether the status is 401.
    public var isUnauthorized: Bool { status == 401 }
    /// Whether the status is 403.
    public var isForbidden: Bool { status == 403 }
    /// Whether the status is 404.
    public var isNotFound: Bool { status == 404 }
    /// Whether the status is 409.
    public var isConflict: Bool { status == 409 }
    /// Whether the status is 410.
    public var isGone: Bool { status == 410 }
    /// Whether the status is 422.
    public var isUnprocessableEntity: Bool { status == 422 }
    /// Whether the status is 503.
    public var isServiceUnavailable: Bool { status == 503 }
    /// Whether the response redirects to another URL: 301, 302, 303, 307 or 308.
    public var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
    /// Whether a response with this status has no content: 204, 205 or 304.
    public var isEmpty: Bool { [204, 205, 304].contains(status) }
}

/// Whether a media type matches a pattern such as `text/*`.
private func matches(_ type: String, _ pattern: String) -> Bool {
    pattern == "*/*" || pattern == type || pattern.hasSuffix("/*") && type.hasPrefix(pattern.dropLast())
}

private func listed(_ statuses: some Collection<Int>) -> String {
    if let first = statuses.min(), let last = statuses.max(), last - first > 1, statuses.count == last - first + 1 {
        return "\(first) to \(last)"
    }
    return statuses.map(String.init).joined(separator: ", ")
}
