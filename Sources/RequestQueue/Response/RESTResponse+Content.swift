extension RESTResponse {
    /// The field `Content-Type`, with its parameters.
    public var contentType: String? { headers["Content-Type"] }

    /// The media type without parameters, in lower case, as `application/json`.
    public var mimeType: String? {
        guard let contentType else { return nil }
        let type = contentType.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
        let trimmed = trimmingBlanks(type)
        return trimmed.isEmpty ? nil : trimmed.lowercased()
    }

    /// The parameter `charset` of the content type, in lower case.
    public var charset: String? {
        guard let contentType else { return nil }
        for parameter in contentType.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .dropFirst()
        {
            let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2, trimmingBlanks(parts[0]).lowercased() == "charset" else { continue }
            return trimmingBlanks(parts[1]).lowercased().filter { $0 != "\"" && $0 != "'" }
        }
        return nil
    }

    /// The field `Content-Length`: bytes of the body as it was sent, before it was decompressed; nil without one.
    public var contentLength: Int64? {
        headers.values(for: "Content-Length").first.flatMap { Int64(trimmingBlanks($0.utf8[...])) }
    }

    /// The field `Location` as an absolute URL.
    public var location: URL? {
        headers.values(for: "Location").first.flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
    }

    /// The cookies that the response sets, by name; of two of one name the later.
    public var cookies: [String: String] {
        var cookies: [String: String] = [:]
        for field in headers.values(for: "Set-Cookie") {
            guard let cookie = Cookie(field, from: url, at: Date(timeIntervalSince1970: 0)) else { continue }
            cookies[cookie.name] = cookie.value
        }
        return cookies
    }

    /// Whether the body is JSON by its content type, `application/json` or a type as `application/problem+json`.
    public var isJSON: Bool { isType("application/json", suffix: "+json") }
    /// Whether the body is XML by its content type, `application/xml`, `text/xml` or a type as `image/svg+xml`.
    public var isXML: Bool { isType("application/xml", suffix: "+xml") || isType("text/xml") }
    /// Whether the body is HTML by its content type, `text/html` or `application/xhtml+xml`.
    public var isHTML: Bool { isType("text/html") || isXHTML }
    /// Whether the body is XHTML by its content type, `application/xhtml+xml`.
    public var isXHTML: Bool { isType("application/xhtml+xml") }

    private func isType(_ prefix: String, suffix: String? = nil) -> Bool {
        guard let mimeType else { return false }
        return mimeType.hasPrefix(prefix) || suffix.map { mimeType.hasSuffix($0) } ?? false
    }
}

/// Bytes without blanks and tabs at both ends, as text.
func trimmingBlanks(_ text: Substring.UTF8View) -> String {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var rest = text.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(Substring(rest))
}
