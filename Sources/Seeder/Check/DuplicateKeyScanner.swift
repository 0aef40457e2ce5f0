import ObjectMapping

/// Finds the duplicate keys in a dump that is read in pieces: a single text, or one text per line.
struct DuplicateKeyScanner {
    private var finder: DuplicateKeyFinder
    private let isLines: Bool
    private var lineStart = TextPosition()
    /// The offset of the next piece.
    private var offset = 0

    /// - Parameters:
    ///   - isLines: Whether every line is a separate text.
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
        var rest = bytes
        while isLines, let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
            finder.search(rest.prefix(newline + 1))
            rest = rest.dropFirst(newline + 1)
            offset += newline + 1
            lineStart = TextPosition(line: lineStart.line + 1, offset: offset)
            finder.beginText(at: lineStart)
        }
        finder.search(rest)
        offset += rest.count
    }
}

/// Searches for duplicate keys in a dump while it is read.
final class DuplicateKeyObserver {
    private(set) var keys: DuplicateKeyScanner

    /// - Parameters:
    ///   - isLines: Whether every line is a separate text.
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
