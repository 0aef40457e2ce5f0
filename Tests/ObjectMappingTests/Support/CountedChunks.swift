/// Chunks that are created on request and counted.
final class CountedChunks: AsyncSequence {
    typealias Element = [UInt8]
    typealias Failure = any Error

    private let make: (Int) throws -> [UInt8]?
    private(set) var asked = 0
    private(set) var isOpen = false

    /// - Parameter make: Returns the chunk of a number; nil at the end.
    init(_ make: @escaping (Int) throws -> [UInt8]?) { self.make = make }

    /// A text in pieces of a maximum size.
    convenience init(_ text: some Sequence<UInt8>, by size: Int) {
        let bytes = Array(text)
        self.init { number in
            let start = number * size
            return start < bytes.count ? Array(bytes[start..<Swift.min(start + size, bytes.count)]) : nil
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

    final class Iterator: AsyncIteratorProtocol {
        private let chunks: CountedChunks

        init(chunks: CountedChunks) {
            self.chunks = chunks
            chunks.isOpen = true
        }

        deinit { chunks.isOpen = false }

        func next() async throws -> [UInt8]? { try await next(isolation: nil) }

        func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> [UInt8]? {
            defer { chunks.asked += 1 }
            return try chunks.make(chunks.asked)
        }
    }
}
