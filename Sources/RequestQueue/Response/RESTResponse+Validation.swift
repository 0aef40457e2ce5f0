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
