extension String.StringInterpolation {
    /// Appends a value as one component of a URL's path: everything but letters, digits and `-._~` is percent-escaped.
    ///
    /// ```swift
    /// try await client.get("/tags/\(component: "a/b?")")      // /tags/a%2Fb%3F
    /// ```
    ///
    /// A component that is empty, `.` or `..` leads to another resource: a request with such a path throws an error of kind
    /// `invalidURL` when it is sent.
    public mutating func appendInterpolation(component value: some FormText) {
        let text = value.formText
        // An escaped dot as the whole component is what a request rejects.
        if ["", ".", ".."].contains(text) { return appendLiteral("%2E" + text.dropFirst()) }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) { bytes.append(byte) } else { appendEscaped(byte, to: &bytes) }
        }
        appendLiteral(String(decoding: bytes, as: UTF8.self))
    }
}
