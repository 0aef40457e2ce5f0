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
