/// Where the text of a stream comes from.
enum StreamSource {
    /// It is read when more of it is needed.
    case bytes(() throws -> any ByteSource)
    /// It is waited for.
    case chunks(() -> ChunkSource)

    static func file(_ url: URL) -> StreamSource { .bytes { try FileByteSource(url) } }
}

extension URL {
    /// How elements stand in a file of this name.
    var shape: ElementShape { ["ndjson", "jsonl"].contains(pathExtension.lowercased()) ? .line : .element }
}
