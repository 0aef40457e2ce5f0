/// The chunks of a text from any sequence, and the chunk that is being taken in.
class ChunkSource {
    private var chunk: any ContiguousBytes = [UInt8]()
    private var takenCount = 0
    private var count = 0

    /// Waits for the next chunk; nil at the end.
    func next(isolation actor: isolated (any Actor)?) async throws -> (any ContiguousBytes)? { nil }

    /// Waits for a chunk, unless some of the current one is left; false at the end.
    final func wait(isolation actor: isolated (any Actor)?) async throws -> Bool {
        while takenCount == count {
            let next = try await next(isolation: actor)
            // Many sequences end when their task is cancelled: that is not the end of the text.
            try Task.checkCancellation()
            guard let next else { return false }
            (chunk, takenCount, count) = (next, 0, next.withView { $0.count })
        }
        return true
    }

    /// Calls a closure with the rest of the chunk; it returns how many bytes it takes.
    final func take(_ body: (ByteView) throws -> Int) rethrows {
        takenCount += try chunk.withView { try body($0.dropFirst(takenCount)) }
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

/// The bytes of a sequence of single bytes, collected up to where a value may end.
final class SequenceOfBytes<Base: AsyncSequence>: ChunkSource where Base.Element == UInt8 {
    private static var largestChunk: Int { 4096 }

    private var iterator: Base.AsyncIterator

    init(_ base: Base) { iterator = base.makeAsyncIterator() }

    override func next(isolation actor: isolated (any Actor)?) async throws -> (any ContiguousBytes)? {
        var bytes: [UInt8] = []
        while bytes.count < Self.largestChunk, let byte = try await iterator.next(isolation: actor) {
            bytes.append(byte)
            // An element that is complete must not wait for the bytes behind it.
            if byte == .closeBrace || byte == .closeBracket || byte == .comma || byte == 0x0A { break }
        }
        return bytes.isEmpty ? nil : bytes
    }
}
