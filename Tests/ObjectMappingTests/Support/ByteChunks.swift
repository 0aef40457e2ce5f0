import ObjectMapping

/// A source that returns a text in pieces of a maximum size, and counts the bytes.
final class ByteChunks: ByteSource {
    struct Failure: Error {}

    private let bytes: [UInt8]
    private let size: Int
    private let failsAt: Int?
    private(set) var taken = 0

    /// - Parameter failsAt: The number of bytes after which the source fails.
    init(_ bytes: some Sequence<UInt8>, by size: Int = .max, failsAt: Int? = nil) {
        self.bytes = Array(bytes)
        self.size = size
        self.failsAt = failsAt
    }

    func read(into buffer: MutableByteView) throws -> Int {
        if let failsAt, taken >= failsAt { throw Failure() }
        let count = bytes.withView { buffer.copy($0.dropFirst(taken).prefix(size)) }
        taken += count
        return count
    }
}

/// An endless text: a head, then a repeated part.
final class EndlessChunks: ByteSource {
    private let head: [UInt8]
    private let part: [UInt8]
    private(set) var taken = 0

    init(_ head: String, then part: String) {
        self.head = Array(head.utf8)
        self.part = Array(part.utf8)
    }

    func read(into buffer: MutableByteView) -> Int {
        for index in 0..<buffer.count {
            let place = taken + index
            buffer[index] = place < head.count ? head[place] : part[(place - head.count) % part.count]
        }
        taken += buffer.count
        return buffer.count
    }
}
