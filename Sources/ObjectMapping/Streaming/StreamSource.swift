/// Where the text of a stream comes from.
enum StreamSource {
    /// It is read when more of it is needed.
    case bytes(() throws -> any ByteSource)
    /// It is waited for.
    case chunks(() -> ChunkSource)
}
