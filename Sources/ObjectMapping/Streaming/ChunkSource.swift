/// Chunks of a text, whatever sequence they come from, and the one of them that is being taken in.
class ChunkSource {
    private var chunk: any ContiguousBytes = [UInt8]()
    private var taken = 0
    private var count = 0

    /// Waits for the next chunk; nil at the end.
    func next(isolation actor: isolated (any Actor)?) async throws -> (any ContiguousBytes)? { nil }

    /// Waits for a chunk, unless some of the one at hand is left; false at the end.
    final func wait(isolation actor: isolated (any Actor)?) async throws -> Bool {
        while taken == count {
            let next = try await next(isolation: actor)
            // Many a sequence ends when its task is cancelled: that is not the end of the text.
            try Task.checkCancellation()
            guard let next else { return false }
            (chunk, taken, count) = (next, 0, next.withUnsafeBytes { $0.count })
        }
        return true
    }

    /// Has a closure take in some of the chunk; it answers how many bytes.
    final func take(_ body: (UnsafeRawBufferPointer) throws -> Int) rethrows {
        taken += try chunk.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[taken...])) }
    }
}
