/// Chunks of a text, whatever sequence they come from, and the one of them that is being taken in.
class ChunkSource {
    private var chunk: any ContiguousBytes = [UInt8]()
    private var taken = 0
    private var count = 0

    /// Waits for the next chunk; nil at the end.
    func next(isolation actor: isolated (any Actor)?) async throws -> (any ContiguousBytes)? { nil }

    /// Whether the chunk at hand was taken in whole.
    final var isEmpty: Bool { taken == count }

    /// Waits for a chunk that is not empty; false at the end.
    final func advance(isolation actor: isolated (any Actor)?) async throws -> Bool {
        while isEmpty {
            guard let next = try await next(isolation: actor) else { return false }
            (chunk, taken, count) = (next, 0, next.withUnsafeBytes { $0.count })
        }
        return true
    }

    /// Has a closure take in some of the chunk; it answers how many bytes.
    final func take(_ body: (UnsafeRawBufferPointer) throws -> Int) rethrows {
        taken += try chunk.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[taken...])) }
    }
}

/// The chunks of a sequence of chunks.
final class SequenceOfChunks<Base: AsyncSequence>: ChunkSource where Base.Element: ContiguousBytes {
    private var iterator: Base.AsyncIterator

    init(_ base: Base) { iterator = base.makeAsyncIterator() }

    override func next(isolation actor: isolated (any Actor)?) async throws -> (any ContiguousBytes)? {
        try await iterator.next(isolation: actor)
    }
}

/// The bytes of a sequence of single bytes, gathered up to where a value may end.
final class SequenceOfBytes<Base: AsyncSequence>: ChunkSource where Base.Element == UInt8 {
    private static var mostBytes: Int { 4096 }

    private var iterator: Base.AsyncIterator

    init(_ base: Base) { iterator = base.makeAsyncIterator() }

    override func next(isolation actor: isolated (any Actor)?) async throws -> (any ContiguousBytes)? {
        var bytes: [UInt8] = []
        while bytes.count < Self.mostBytes, let byte = try await iterator.next(isolation: actor) {
            bytes.append(byte)
            // An element that is whole must not wait for what comes after it.
            if byte == .closeBrace || byte == .closeBracket || byte == .comma || byte == 0x0A { break }
        }
        return bytes.isEmpty ? nil : bytes
    }
}
