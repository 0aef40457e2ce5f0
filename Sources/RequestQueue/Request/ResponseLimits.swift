/// How much of a response is taken before it is refused as too large.
public struct ResponseLimits: Sendable, Hashable {
    /// Bytes of a body that is kept in memory, decompressed; 256 MiB unless told.
    ///
    /// Downloads and streams have no limit.
    public var bodyInMemory: Int64
    /// Times that a compressed body may grow, once it has more than 1 MiB; 1,000 unless told.
    public var compressionRatio: Int64
    /// Bytes of all header fields; 256 KiB unless told.
    public var headers: Int

    /// Limits, or those that hold unless told.
    public init(bodyInMemory: Int64 = 256 << 20, compressionRatio: Int64 = 1000, headers: Int = 256 << 10) {
        self.bodyInMemory = bodyInMemory
        self.compressionRatio = compressionRatio
        self.headers = headers
    }
}
