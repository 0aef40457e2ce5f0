import ObjectMapping

/// Finds the duplicate keys in a dump that is read in pieces: a single value, or values one after the other.
struct DuplicateKeyScanner {
    private var finder: DuplicateKeyFinder
    private let isLines: Bool
    /// The position of the next byte.
    private var position = TextPosition()
    /// The offset of the current value.
    private var start = 0
    /// Whether the rest of the line is skipped, after an error in it.
    private var skipsLine = false

    /// - Parameters:
    ///   - isLines: Whether the text has several values.
    ///   - limit: The maximum number of stored issues.
    init(isLines: Bool, limit: Int) {
        self.isLines = isLines
        finder = DuplicateKeyFinder(limit: limit, keyLimit: 1 << 20)
    }

    /// The first duplicate keys, in the order of the text.
    var issues: [MappingIssue] { finder.issues }

    /// The number of duplicate keys.
    var count: Int { finder.count }

    /// Reads the next piece.
    mutating func scan(_ bytes: ByteView) {
        guard isLines else { return _ = finder.search(bytes) }
        var rest = bytes
        while !rest.isEmpty {
            if skipsLine {
                let newline = rest.firstIndex(of: UInt8(ascii: "\n"))
                skip(newline.map { $0 + 1 } ?? rest.count, of: &rest)
                skipsLine = newline == nil
                if !skipsLine { beginValue() }
                continue
            }
            let end = finder.search(rest)
            skip(end.map { max(0, $0 - position.offset) } ?? rest.count, of: &rest)
            guard let end else { continue }
            // An object at the start of a line follows one that was truncated.
            let isNext = position.column == 1 && rest.first == UInt8(ascii: "{") && end > start
            skipsLine = finder.hasFailed && !isNext
            if !skipsLine { beginValue() }
        }
    }

    private mutating func skip(_ count: Int, of bytes: inout ByteView) {
        position.advance(over: bytes, from: 0, to: count)
        bytes = bytes.dropFirst(count)
    }

    private mutating func beginValue() {
        start = position.offset
        finder.beginText(at: position)
    }
}

/// Searches for duplicate keys in a dump while it is read.
final class DuplicateKeyObserver {
    private(set) var keys: DuplicateKeyScanner

    /// - Parameters:
    ///   - isLines: Whether the text has several values.
    ///   - limit: The maximum number of stored issues.
    init(isLines: Bool, limit: Int) { keys = DuplicateKeyScanner(isLines: isLines, limit: limit) }

    /// Returns a source of the same bytes, which are scanned when they are read.
    func watching(_ source: any ByteSource) -> some ByteSource { Watched(source: source, observer: self) }

    private struct Watched: ByteSource {
        var source: any ByteSource
        let observer: DuplicateKeyObserver

        mutating func read(into buffer: MutableByteView) throws -> Int {
            let count = try source.read(into: buffer)
            observer.keys.scan(buffer.view.prefix(count))
            return count
        }
    }
}
