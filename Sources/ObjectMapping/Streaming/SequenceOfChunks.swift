/// The chunks of a sequence of chunks.
final class SequenceOfChunks<Base: AsyncSequence>: ChunkSource where Base.Element: ContiguousBytes {
    private var iterator: Base.AsyncIterator

    init(_ base: Base) { iterator = base.makeAsyncIterator() }

    override func next(isolation actor: isolated (any Actor)?) async throws -> (any ContiguousBytes)? {
        try await iterator.next(isolation: actor)
    }
}
