/// A path with parameters, such as `/tasks/:id`: matches the paths of URLs, and is filled with values.
///
/// - `:name` is one or more characters of a segment. A name consists of letters, digits and underscores; several parameters
///   of a segment have different names, are separated by literal text and match as little as possible. A name that is
///   repeated in other segments has one value.
/// - A last segment `*` is one or more segments.
/// - A backslash escapes the next character, such as a colon.
/// - A template with a leading slash is a complete path, and one with a scheme and host, such as `https://example.com/tasks`,
///   belongs to that server. Any other template matches the end of a path.
///
/// A template with a ``defect`` matches no path.
///
/// Segments are compared after percent-decoding: an encoded slash is not a separator. A trailing slash is significant.
/// Queries are ignored; that of a template is only filled.
package struct PathTemplate: Sendable, CustomStringConvertible {
    private enum Piece: Sendable {
        case literal(written: String, decoded: [UInt8])
        case parameter(String)

        /// The decoded text; `nil` for a parameter without a value.
        func bytes(_ values: [String: ArraySlice<UInt8>]) -> ArraySlice<UInt8>? {
            switch self {
            case .literal(_, let decoded): decoded[...]
            case .parameter(let name): values[name]
            }
        }
    }

    package let description: String
    /// The reason why the template is invalid.
    package let defect: String?
    /// The scheme, host and port as they are written; `nil` for any server.
    private let server: Substring?
    /// The origin of the server.
    private let origin: String?
    private let isAbsolute: Bool
    /// The pieces of the segments between slashes, without a last `*`.
    private let segments: [[Piece]]
    private let hasWildcard: Bool
    /// Whether the template is a complete path whose segments are a text or a parameter each, with different names.
    private let isSimple: Bool
    /// The pieces of the query with its question mark; empty without a query.
    private let query: [Piece]

    package init(_ text: String) {
        description = text
        var path = text[...]
        if let scheme = text.firstRange(of: "://"), text[..<scheme.lowerBound].isScheme {
            let rest = text.utf8[scheme.upperBound...]
            path = text[(rest.firstIndex { $0 == slash || $0 == questionMark } ?? text.endIndex)...]
            server = text[..<path.startIndex]
        } else {
            server = nil
        }
        let end = Self.endOfPath(in: path)
        query = Self.pieces(of: path[end...])
        path = path[..<end]
        let url = server.flatMap { URL(string: String($0)) }
        origin = url?.originKey
        isAbsolute = server != nil || path.utf8.first == slash
        var parts = Self.segments(of: path)
        if server != nil, path.isEmpty { parts = ["", ""] }
        hasWildcard = parts.last == "*"
        segments = (hasWildcard ? parts.dropLast() : parts[...]).map(Self.pieces)
        let names = segments.compactMap { pieces in if case .parameter(let name)? = pieces.first { name } else { nil } }
        isSimple = isAbsolute && segments.allSatisfy { $0.count <= 1 } && Set(names).count == names.count
        if let server, (url?.host(percentEncoded: true) ?? "").isEmpty {
            defect = "expected a scheme and a host, found '\(server)'"
        } else {
            defect = segments.lazy.compactMap(Self.defect).first
        }
    }

    /// Whether the template belongs to a server.
    package var hasServer: Bool { server != nil }

    /// Returns the texts between slashes, of which a combining character may follow any.
    static func segments(of path: Substring) -> [Substring] {
        path.utf8.split(separator: slash, omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// Returns the reason why a segment is invalid.
    private static func defect(of pieces: [Piece]) -> String? {
        var names: [String] = []
        var isAfterParameter = false
        for piece in pieces {
            guard case .parameter(let name) = piece else {
                isAfterParameter = false
                continue
            }
            // The parameters before it could have any length.
            if isAfterParameter { return "expected text between the parameters '\(names.last ?? "")' and '\(name)'" }
            if names.contains(name) { return "expected each parameter once in a segment, found '\(name)' again" }
            names.append(name)
            isAfterParameter = true
        }
        if pieces.count == 1, case .literal(let written, let decoded) = pieces[0],
            decoded.elementsEqual(".".utf8) || decoded.elementsEqual("..".utf8)
        {
            return "expected segments without '.' and '..', found '\(written)'"
        }
        return nil
    }

    /// The names of the parameters, in order and without duplicates.
    package var parameters: [String] {
        var names: [String] = []
        for case .parameter(let name) in segments.joined() + query where !names.contains(name) { names.append(name) }
        return names
    }

    /// The position of the question mark before the query, which no backslash escapes.
    package static func endOfPath(in text: Substring) -> Substring.Index {
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
        guard isAbsolute, server == nil else { return nil }
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
        guard server == nil || origin == url.originKey else { return nil }
        return match(encodedPath: url.path(percentEncoded: true))
    }

    /// Returns the values of the parameters in a percent-encoded path; `nil` if it does not match.
    package func match(encodedPath path: String) -> [String: String]? {
        guard defect == nil else { return nil }
        if isSimple, !path.utf8.contains(UInt8(ascii: "%")) { return matchSimply(path.isEmpty ? "/" : path[...]) }
        var parts = Self.segments(of: path.isEmpty ? "/" : path[...])[...]
        // A relative template begins after a slash. With a wildcard, the first position that matches is used.
        if isAbsolute { return match(parts) }
        while parts.popFirst() != nil, parts.count >= segments.count {
            if let values = match(parts) { return values }
        }
        return nil
    }

    /// Matches a path without percent-escapes, whose segments are compared as they are.
    private func matchSimply(_ path: Substring) -> [String: String]? {
        var values: [String: String] = [:]
        var rest: Substring? = path
        for pieces in segments {
            guard let path = rest else { return nil }
            let end = path.utf8.firstIndex(of: slash)
            let part = path[..<(end ?? path.endIndex)]
            rest = end.map { path[path.utf8.index(after: $0)...] }
            switch pieces.first {
            case .literal(_, let bytes): guard part.utf8.elementsEqual(bytes) else { return nil }
            case .parameter(let name):
                guard !part.isEmpty else { return nil }
                values[name] = String(part)
            case nil: guard part.isEmpty else { return nil }
            }
        }
        return hasWildcard == (rest != nil) ? values : nil
    }

    private func match(_ parts: ArraySlice<Substring>) -> [String: String]? {
        guard hasWildcard ? parts.count > segments.count : parts.count == segments.count else { return nil }
        var values: [String: ArraySlice<UInt8>] = [:]
        for (pieces, part) in zip(segments, parts) {
            guard Self.match(pieces, unescaped(part.utf8)[...], &values) else { return nil }
        }
        return values.mapValues(Self.text)
    }

    /// Matches the pieces of a segment.
    ///
    /// The first position at which the text after a parameter occurs is its end: if a later one leads to a match, this one
    /// does, too.
    private static func match(
        _ pieces: [Piece], _ text: ArraySlice<UInt8>, _ values: inout [String: ArraySlice<UInt8>]
    ) -> Bool {
        var rest = text
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(_, let bytes):
                guard rest.starts(with: bytes) else { return false }
                rest = rest.dropFirst(bytes.count)
            case .parameter(let name):
                var end = rest.startIndex
                if let value = values[name] {
                    guard rest.starts(with: value) else { return false }
                    end += value.count
                } else {
                    guard let found = endOfValue(rest, before: pieces[(index + 1)...], values) else { return false }
                    end = found
                    values[name] = rest[..<end]
                }
                rest = rest[end...]
            }
        }
        return rest.isEmpty
    }

    /// Returns the end of a value, which is not empty, before the next pieces of its segment.
    private static func endOfValue(
        _ text: ArraySlice<UInt8>, before pieces: ArraySlice<Piece>, _ values: [String: ArraySlice<UInt8>]
    ) -> Int? {
        // The text up to the next parameter without a value.
        var bytes: [UInt8] = []
        var rest = pieces
        while let known = rest.first?.bytes(values) {
            bytes += known
            rest.removeFirst()
        }
        let last = text.endIndex - bytes.count
        guard last > text.startIndex else { return nil }
        // The text at the end of a segment occurs at its end.
        let first = rest.isEmpty ? last : text.startIndex + 1
        return (first...last).first { text[$0...].starts(with: bytes) }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var escaped: [UInt8] = []
        for byte in bytes { if isUnreserved(byte) { escaped.append(byte) } else { appendEscaped(byte, to: &escaped) } }
        return String(decoding: escaped, as: UTF8.self)
    }
}

extension Substring {
    /// Whether the text is the scheme of a URL.
    fileprivate var isScheme: Bool {
        guard let first = utf8.first, isAlphanumeric(first), !isDigit(first) else { return false }
        return utf8.allSatisfy(isAllowedInScheme)
    }
}

private let slash = UInt8(ascii: "/")
private let questionMark = UInt8(ascii: "?")

// MARK: Filling

extension PathTemplate {
    package enum FillError: Error, Equatable {
        /// The parameter has no value or an empty one.
        case missing(String)
        /// The value contains a segment `.` or `..`, which would change the path.
        case dots(String, value: String)
        /// The value contains an empty segment.
        case emptySegment(String, value: String)
        /// The template is invalid, for a reason.
        case invalidTemplate(String)
        /// The template ends with `*`.
        case wildcard
    }

    /// Returns the path with percent-escaped values.
    ///
    /// - Parameters:
    ///   - keepsSlashes: Whether values of the path can be several segments. By default, slashes are escaped.
    ///   - value: Returns the value of a parameter; `nil` if it is missing.
    package func path(
        keepsSlashes: Bool = false, filling value: (String) -> String?
    ) throws(FillError) -> String {
        if let defect { throw .invalidTemplate(defect) }
        guard !hasWildcard else { throw .wildcard }
        func text(of pieces: [Piece], isQuery: Bool) throws(FillError) -> String {
            var text = ""
            for piece in pieces {
                switch piece {
                case .literal(let written, _): text += isQuery ? written : written.replacing("?", with: "%3F")
                case .parameter(let name):
                    guard let value = value(name), !value.isEmpty else { throw .missing(name) }
                    guard !isQuery else {
                        text += escaped(value, allowed: isUnreserved)
                        continue
                    }
                    let parts = value.utf8.split(separator: slash, omittingEmptySubsequences: false)
                    guard !parts.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) else {
                        throw .dots(name, value: value)
                    }
                    guard !keepsSlashes || !parts.contains(where: \.isEmpty) else {
                        throw .emptySegment(name, value: value)
                    }
                    text += escaped(value, allowed: keepsSlashes ? isAllowedInPath : isUnreserved)
                }
            }
            return text
        }
        let texts = try segments.map { pieces throws(FillError) in try text(of: pieces, isQuery: false) }
        return (server ?? "") + texts.joined(separator: "/") + (try text(of: query, isQuery: true))
    }
}
