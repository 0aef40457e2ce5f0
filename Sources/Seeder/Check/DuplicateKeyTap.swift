import ObjectMapping

/// Looks for keys that stand twice in a text while somebody else reads it.
final class DuplicateKeyTap {
    private(set) var keys: DuplicateKeyScanner

    /// - Parameters:
    ///   - isLines: Whether every line is a text of its own.
    ///   - limit: How many issues are kept.
    init(isLines: Bool, limit: Int) { keys = DuplicateKeyScanner(isLines: isLines, limit: limit) }

    /// A source that gives the same bytes, looked at.
    func watching(_ source: any ByteSource) -> some ByteSource { Watched(source: source, scanner: self) }

    private struct Watched: ByteSource {
        var source: any ByteSource
        let scanner: DuplicateKeyTap

        mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            let count = try source.read(into: buffer)
            scanner.keys.scan(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return count
        }
    }
}
