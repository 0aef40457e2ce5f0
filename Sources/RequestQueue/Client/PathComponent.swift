extension String.StringInterpolation {
    /// Appends a value as one component of a URL's path; characters other than letters, digits and `-._~` are
    /// percent-escaped.
    ///
    /// ```swift
    /// try await client.get("/tags/\(component: "a/b?")")      // /tags/a%2Fb%3F
    /// ```
    ///
    /// A component that is empty, `.` or `..` would address another resource: sending such a request throws a
    /// ``RequestError`` of kind `invalidURL`.
    public mutating func appendInterpolation(component value: some FormText) {
        let text = value.formText
        // Requests reject a component that consists of an escaped dot.
        if ["", ".", ".."].contains(text) { return appendLiteral("%2E" + text.dropFirst()) }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) { bytes.append(byte) } else { appendEscaped(byte, to: &bytes) }
        }
        appendLiteral(String(decoding: bytes, as: UTF8.self))
    }
}
