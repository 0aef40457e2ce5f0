/// A base URL, split into the parts to which resource paths are joined.
///
/// The parts are bytes, because combining characters can hide a delimiter in a `String`.
struct BaseURL: Sendable {
    /// Scheme and authority, such as `https://api.example.com:8080`.
    private let origin: ArraySlice<UInt8>
    /// The path with a leading slash; can be empty.
    private let path: ArraySlice<UInt8>
    /// The query without the question mark; empty without a query.
    private let query: ArraySlice<UInt8>

    init(_ url: URL) { self.init(ArraySlice(url.absoluteString.utf8)) }

    private init(_ text: ArraySlice<UInt8>) {
        let start = endOfScheme(text) ?? text.startIndex
        let end = text[start...].firstIndex { "/?#\\".utf8.contains($0) } ?? text.endIndex
        origin = text[..<end]
        (path, query) = pathAndQuery(text[end...])
    }

    /// Joins a resource path to the base URL, or uses an absolute URL verbatim, and appends to the query.
    ///
    /// - Throws: A `RequestError` of kind `invalidURL`.
    func url(for resource: String, query: String) throws(RequestError) -> URL {
        let given = ArraySlice(resource.utf8)
        let (base, rest) = endOfScheme(given) == nil ? (self, given) : (BaseURL(given), [])
        if base.isAuthority(rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }) {
            throw RequestError(
                .invalidURL,
                "the path '\(printable(resource))' begins with the host of the base URL; pass only the path, or a URL with "
                    + "https://")
        }
        let (path, pathQuery) = pathAndQuery(rest)
        let query = escapedKeepingEscapes(ArraySlice(query.utf8), allowed: isAllowedInQuery)
        var text: [UInt8] = []
        text.reserveCapacity(
            base.origin.count + base.path.count + path.count + base.query.count + pathQuery.count + query.count + 4)
        text += base.origin
        try base.appendPath(path, to: &text)
        var delimiter = UInt8(ascii: "?")
        func append(_ query: ArraySlice<UInt8>) {
            guard !query.isEmpty else { return }
            text.append(delimiter)
            text += query
            delimiter = UInt8(ascii: "&")
        }
        append(base.query)
        append(pathQuery)
        append(query)
        // Foundation percent-escapes an international host instead of converting it to ASCII; such a name cannot be
        // resolved. User and password before the host may have escapes.
        let hostStart = base.origin.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? base.origin.startIndex
        let host = base.origin[hostStart...]
        let hasEscapedHost = host.contains(UInt8(ascii: "%")) && !host.contains(UInt8(ascii: "["))
        guard !hasEscapedHost,
            let url = URL(string: String(decoding: text, as: UTF8.self), encodingInvalidCharacters: false)
        else {
            // Without the password, which must not be logged.
            let origin = printable(String(decoding: host, as: UTF8.self))
            throw RequestError(.invalidURL, "'\(origin)' is not the URL of a server; \(BaseURL.advice)")
        }
        return url
    }

    /// Whether the first component of a path is the host of the base URL, and not a name that a path can begin with.
    private func isAuthority(_ component: ArraySlice<UInt8>) -> Bool {
        guard component.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }) else { return false }
        let user = origin.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 }
        return origin[(user ?? endOfScheme(origin) ?? origin.startIndex)...].elementsEqual(component)
    }

    /// Whether a text is a URL with a scheme and a host, and not a path.
    static func isAbsolute(_ text: String) -> Bool { endOfScheme(text.utf8) != nil }

    private static let advice = "expected a URL such as https://host/path, with an ASCII host name (xn--…)"

    /// Appends the base path and a resource path with one slash in between; for an empty path, the base path unchanged.
    private func appendPath(_ resource: ArraySlice<UInt8>, to text: inout [UInt8]) throws(RequestError) {
        let segments = try withoutDots(resource.drop { $0 == UInt8(ascii: "/") })
        if segments.isEmpty, !path.isEmpty { return text += path }
        let end = path.lastIndex { $0 != UInt8(ascii: "/") }.map { $0 + 1 } ?? path.startIndex
        text += path[..<end]
        text.append(UInt8(ascii: "/"))
        text += segments
    }

    /// Removes dot segments (RFC 3986 §5.2.4), without leaving the base path.
    ///
    /// Percent-escaped dot segments, which servers remove as well, are values in the path, and are rejected.
    private func withoutDots(_ path: ArraySlice<UInt8>) throws(RequestError) -> ArraySlice<UInt8> {
        guard path.contains(UInt8(ascii: ".")) || path.contains(UInt8(ascii: "%")) else { return path }
        var segments: [ArraySlice<UInt8>] = []
        let all = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, segment) in all.enumerated() {
            let dots = dots(in: segment)
            guard dots == 1 || dots == 2 else {
                segments.append(segment)
                continue
            }
            if segment.contains(UInt8(ascii: "%")) {
                throw RequestError(
                    .invalidURL,
                    "the path '\(printable(String(decoding: path, as: UTF8.self)))' has a component that is empty or "
                        + "consists of dots, which servers remove; use a value that names a resource")
            }
            if dots == 2, segments.popLast() == nil {
                throw RequestError(
                    .invalidURL,
                    "'\(printable(String(decoding: path, as: UTF8.self)))' is outside the base URL; "
                        + "use \\(component:) for values, or pass an absolute URL")
            }
            if index == all.count - 1, !segments.isEmpty { segments.append([]) }
        }
        return ArraySlice(segments.joined(separator: [UInt8(ascii: "/")]))
    }
}

/// Returns the start of the authority in a text with a scheme and `://`; otherwise `nil`.
func endOfScheme<Bytes: Collection<UInt8>>(_ text: Bytes) -> Bytes.Index? {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text[colon...].starts(with: "://".utf8),
        colon > text.startIndex, text[..<colon].allSatisfy({ isAllowedInScheme($0) })
    else { return nil }
    return text.index(colon, offsetBy: 3)
}

/// Percent-escapes invalid characters in path and query, and removes the fragment.
private func pathAndQuery(_ text: ArraySlice<UInt8>) -> (path: ArraySlice<UInt8>, query: ArraySlice<UInt8>) {
    let text = text.prefix { $0 != UInt8(ascii: "#") }
    let path = text.prefix { $0 != UInt8(ascii: "?") }
    return (
        escapedKeepingEscapes(path, allowed: isAllowedInPath),
        escapedKeepingEscapes(text[path.endIndex...].dropFirst(), allowed: isAllowedInQuery)
    )
}

/// Returns the number of dots in a segment that consists of dots; otherwise 0.
private func dots(in segment: ArraySlice<UInt8>) -> Int {
    var rest = segment
    var count = 0
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), escapedByte(rest.prefix(2)) == UInt8(ascii: ".") {
            rest.removeFirst(2)
        } else if byte != UInt8(ascii: ".") {
            return 0
        }
        count += 1
    }
    return count
}

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
        appendLiteral(escaped(text))
    }
}
