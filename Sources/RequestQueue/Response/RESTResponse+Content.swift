extension RESTResponse {
    /// The field `Content-Type`, with its parameters.
    public var contentType: String? { headers["Content-Type"] }

    /// The media type without parameters, in lowercase, such as `application/json`.
    public var mimeType: String? {
        let name = contentType.map { MediaType($0).name }
        return name?.isEmpty == false ? name : nil
    }

    /// The parameter `charset` of the content type, in lowercase.
    public var charset: String? {
        // Some servers use single quotes.
        contentType.flatMap { MediaType($0).parameters["charset"] }.map { $0.lowercased().filter { $0 != "'" } }
    }

    /// The field `Content-Length`: the size of the body before decompression; `nil` if it is missing.
    public var contentLength: Int64? {
        headers.values(for: "Content-Length").first.flatMap { Int64(trimmingBlanks($0.utf8)) }
    }

    /// The field `Location` as an absolute URL.
    public var location: URL? {
        headers.values(for: "Location").first.flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
    }

    /// The cookies that the response sets, by name; the last one of each name.
    public var cookies: [String: String] {
        var cookies: [String: String] = [:]
        for field in headers.values(for: "Set-Cookie") {
            guard let cookie = Cookie(field, from: url, at: Date(timeIntervalSince1970: 0)) else { continue }
            cookies[cookie.name] = cookie.value
        }
        return cookies
    }

    /// Whether the content type is JSON: `application/json`, or a type such as `application/problem+json`.
    public var isJSON: Bool { mimeType.map(MediaType.isJSON) ?? false }
    /// Whether the content type is XML: `application/xml`, `text/xml`, or a type such as `image/svg+xml`.
    public var isXML: Bool { isType("application/xml", suffix: "+xml") || isType("text/xml") }
    /// Whether the content type is HTML: `text/html` or `application/xhtml+xml`.
    public var isHTML: Bool { isType("text/html") || isXHTML }
    /// Whether the content type is XHTML: `application/xhtml+xml`.
    public var isXHTML: Bool { isType("application/xhtml+xml") }

    private func isType(_ type: String, suffix: String? = nil) -> Bool {
        guard let mimeType else { return false }
        return mimeType == type || suffix.map { mimeType.hasSuffix($0) } ?? false
    }
}
