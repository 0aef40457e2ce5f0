/// A path with parameters, such as `/tasks/:id`: matches the paths of URLs, and is filled with values.
///
/// - `:name` is one or more characters of a segment. A name consists of letters, digits and underscores; several parameters
///   of a segment are separated by literal text and match as little as possible. A repeated name has one value.
/// - A last segment `*` is one or more segments.
/// - A backslash escapes the next character, such as a colon.
/// - A template with a leading slash is a complete path, and one with a scheme and host, such as `https://example.com/tasks`,
///   belongs to that server. Any other template matches the end of a path.
///
/// Segments are compared after percent-decoding: an encoded slash is not a separator. A trailing slash is significant.
/// Queries are ignored; that of a template is only filled.
package struct PathTemplate: Sendable, CustomStringConvertible {
    private enum Piece: Sendable {
        case literal(written: String, decoded: [UInt8])
        case parameter(String)
    }

    package let description: String
    /// The scheme, host and port in lowercase; `nil` for any server.
    private let origin: String?
    private let isAbsolute: Bool
    /// The pieces of the segments between slashes, without a last `*`.
    private let segments: [[Piece]]
    private let hasWildcard: Bool
    /// The pieces of the query with its question mark; empty without a query.
    private let query: [Piece]

    package init(_ text: String) {
        description = text
        var path = text[...]
        if let scheme = text.firstRange(of: "://") {
            path = text[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
            origin = text[..<path.startIndex].lowercased()
        } else {
            origin = nil
        }
        let end = Self.endOfPath(in: path)
        query = Self.pieces(of: path[end...])
        path = path[..<end]
        isAbsolute = origin != nil || path.hasPrefix("/")
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if origin != nil, path.isEmpty { parts.append("") }
        hasWildcard = parts.last == "*"
        segments = (hasWildcard ? parts.dropLast() : parts[...]).map(Self.pieces)
    }

    /// The names of the parameters, in order and without duplicates.
    package var parameters: [String] {
        var names: [String] = []
        for case .parameter(let name) in segments.joined() + query where !names.contains(name) { names.append(name) }
        return names
    }

    /// The position of the question mark before the query, which no backslash escapes.
    private static func endOfPath(in text: Substring) -> Substring.Index {
        var isEscaped = false
        return text.firstIndex { character in
            defer { isEscaped = character == "\\" && !isEscaped }
            return character == "?" && !isEscaped
        } ?? text.endIndex
    }

    private static func pieces(of segment: Substring) -> [Piece] {
        var pieces: [Piece] = []
        var literal = ""
        func endLiteral() {
            if !literal.isEmpty { pieces.append(.literal(written: literal, decoded: unescaped(literal[...].utf8))) }
            literal = ""
        }
        var rest = segment
        while let character = rest.popFirst() {
            let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            if character == ":", !name.isEmpty {
                endLiteral()
                pieces.append(.parameter(String(name)))
                rest = rest[name.endIndex...]
            } else {
                literal.append(character == "\\" ? rest.popFirst() ?? character : character)
            }
        }
        endLiteral()
        return pieces
    }
}

// MARK: Indexing

extension PathTemplate {
    /// The percent-decoded segments, `nil` for those with parameters, and whether the template ends with `*`.
    ///
    /// `nil` unless the template is a complete path.
    var indexedSegments: (segments: [String?], hasWildcard: Bool)? {
        guard isAbsolute, origin == nil else { return nil }
        let texts = segments.map { pieces -> String? in
            var bytes: [UInt8] = []
            for piece in pieces {
                guard case .literal(_, let decoded) = piece else { return nil }
                bytes += decoded
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        return (texts, hasWildcard)
    }

    /// The percent-decoded text of a segment.
    static func segmentText(_ segment: Substring) -> String {
        segment.utf8.contains(UInt8(ascii: "%"))
            ? String(decoding: unescaped(segment.utf8), as: UTF8.self) : String(segment)
    }
}

// MARK: Matching

extension PathTemplate {
    /// Whether another template that matches the same path is less specific.
    ///
    /// From the first segment on, a literal is more specific than one with a parameter and other text, this more than a
    /// parameter, and this more than a wildcard. A complete path is more specific than the end of one.
    package func isMoreSpecific(than other: PathTemplate) -> Bool {
        if isAbsolute != other.isAbsolute { return isAbsolute }
        return other.ranks.lexicographicallyPrecedes(ranks)
    }

    private var ranks: [Int] {
        let ranks = segments.map { pieces in
            let hasParameter = pieces.contains { if case .parameter = $0 { true } else { false } }
            return !hasParameter ? 3 : pieces.count > 1 ? 2 : 1
        }
        return ranks + (hasWildcard ? [0] : [])
    }

    /// Returns the percent-decoded values of the parameters by name; `nil` if the URL does not match.
    ///
    /// A value that is not UTF-8 keeps its percent-escapes.
    package func match(_ url: URL) -> [String: String]? {
        guard origin == nil || origin == url.origin else { return nil }
        return match(encodedPath: url.path(percentEncoded: true))
    }

    /// Returns the values of the parameters in a percent-encoded path; `nil` if it does not match.
    package func match(encodedPath path: String) -> [String: String]? {
        var parts = (path.isEmpty ? "/" : path).split(separator: "/", omittingEmptySubsequences: false)[...]
        // A relative template begins after a slash. With a wildcard, the first position that matches is used.
        if isAbsolute { return match(parts) }
        while parts.popFirst() != nil, parts.count >= segments.count {
            if let values = match(parts) { return values }
        }
        return nil
    }

    private func match(_ parts: ArraySlice<Substring>) -> [String: String]? {
        guard hasWildcard ? parts.count > segments.count : parts.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (pieces, part) in zip(segments, parts) {
            guard let found = Self.match(pieces[...], unescaped(part.utf8)[...], values) else { return nil }
            values = found
        }
        return values
    }

    /// Matches the pieces of a segment; the recursion is as deep as the segment has pieces.
    private static func match(
        _ pieces: ArraySlice<Piece>, _ text: ArraySlice<UInt8>, _ values: [String: String]
    ) -> [String: String]? {
        guard let piece = pieces.first else { return text.isEmpty ? values : nil }
        let others = pieces.dropFirst()
        switch piece {
        case .literal(_, let bytes):
            return text.starts(with: bytes) ? match(others, text.dropFirst(bytes.count), values) : nil
        case .parameter(let name):
            guard !text.isEmpty else { return nil }
            for end in others.isEmpty ? text.endIndex..<text.endIndex + 1 : text.startIndex + 1..<text.endIndex {
                let value = Self.text(text[..<end])
                guard values[name] ?? value == value else { continue }
                if let found = match(others, text[end...], values.merging([name: value]) { $1 }) { return found }
            }
            return nil
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var escaped: [UInt8] = []
        for byte in bytes { if isUnreserved(byte) { escaped.append(byte) } else { appendEscaped(byte, to: &escaped) } }
        return String(decoding: escaped, as: UTF8.self)
    }
}

extension URL {
    /// The scheme, host and port in lowercase, such as `https://example.com:8443`.
    fileprivate var origin: String {
        "\(scheme ?? "")://\(host(percentEncoded: true) ?? "")\(port.map { ":\($0)" } ?? "")".lowercased()
    }
}

// MARK: Filling

extension PathTemplate {
    package enum FillError: Error, Equatable {
        /// The parameter has no value or an empty one.
        case missing(String)
        /// The value contains a segment `.` or `..`, which would change the path.
        case dots(String, value: String)
        /// The template ends with `*`.
        case wildcard
    }

    /// Returns the path with percent-escaped values.
    ///
    /// - Parameters:
    ///   - keepsSlashes: Whether values can be several segments. By default, slashes are escaped.
    ///   - value: Returns the value of a parameter; `nil` if it is missing.
    package func path(
        keepsSlashes: Bool = false, filling value: (String) -> String?
    ) throws(FillError) -> String {
        guard !hasWildcard else { throw .wildcard }
        func text(of pieces: [Piece]) throws(FillError) -> String {
            var text = ""
            for piece in pieces {
                switch piece {
                case .literal(let written, _): text += written
                case .parameter(let name):
                    guard let value = value(name), !value.isEmpty else { throw .missing(name) }
                    guard !value.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) else {
                        throw .dots(name, value: value)
                    }
                    text += escaped(value, allowed: keepsSlashes ? isAllowedInPath : isUnreserved)
                }
            }
            return text
        }
        let texts = try segments.map { pieces throws(FillError) in try text(of: pieces) }
        return (origin ?? "") + texts.joined(separator: "/") + (try text(of: query))
    }
}
