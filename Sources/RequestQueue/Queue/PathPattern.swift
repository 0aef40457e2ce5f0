/// A pattern for the path of a URL, such as `/tasks/:id`.
///
/// `:name` matches one or more bytes of a segment; a backslash escapes the next character. A pattern with a leading slash
/// matches the complete path, any other pattern the last segments. Segments are compared after percent-decoding: an
/// encoded slash is not a separator. A trailing slash is significant.
struct PathPattern: Sendable {
    private enum Piece {
        case byte(UInt8)
        case parameter
    }

    private let segments: [[Piece]]
    private let isAbsolute: Bool

    init(_ pattern: String) {
        isAbsolute = pattern.hasPrefix("/")
        segments = Self.segments(of: pattern).map(Self.pieces)
    }

    func matches(_ url: URL) -> Bool {
        let path = url.path(percentEncoded: true)
        let parts = Self.segments(of: path.isEmpty ? "/" : path)
        guard isAbsolute ? parts.count == segments.count : parts.count > segments.count else { return false }
        return zip(segments, parts.suffix(segments.count)).allSatisfy { Self.matches($0[...], $1[...]) }
    }

    /// Returns the percent-decoded segments between the slashes.
    private static func segments(of path: String) -> [[UInt8]] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { unescaped($0) }
    }

    private static func pieces(of segment: [UInt8]) -> [Piece] {
        var rest = segment[...]
        var pieces: [Piece] = []
        while let byte = rest.popFirst() {
            let name = rest.prefix { $0 == UInt8(ascii: "_") || isAlphanumeric($0) }
            if byte == UInt8(ascii: ":"), !name.isEmpty {
                rest = rest[name.endIndex...]
                pieces.append(.parameter)
            } else if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                pieces.append(.byte(escaped))
            } else {
                pieces.append(.byte(byte))
            }
        }
        return pieces
    }

    private static func matches(_ pieces: ArraySlice<Piece>, _ text: ArraySlice<UInt8>) -> Bool {
        guard let piece = pieces.first else { return text.isEmpty }
        let rest = pieces.dropFirst()
        switch piece {
        case .byte(let byte): return text.first == byte && matches(rest, text.dropFirst())
        case .parameter:
            if rest.isEmpty { return !text.isEmpty }
            return text.indices.dropFirst().contains { matches(rest, text[$0...]) }
        }
    }
}
