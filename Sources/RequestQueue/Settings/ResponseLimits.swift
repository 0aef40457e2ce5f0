/// The maximum sizes of a response.
///
/// A response that exceeds one fails with ``RequestError/Kind/responseTooLarge``.
public struct ResponseLimits: Sendable, Hashable {
    /// The maximum size of a body in memory, in decompressed bytes.
    ///
    /// Defaults to 256 MiB.
    ///
    /// Downloads and streams are not limited.
    public var bodyInMemory: Int64
    /// The maximum ratio of decompressed to compressed bytes, beyond the first MiB.
    ///
    /// Defaults to 1,000.
    public var compressionRatio: Int64
    /// The maximum size of all header fields, in bytes.
    ///
    /// Defaults to 256 KiB.
    ///
    /// On Linux, limits of libcurl apply, too, which cannot be raised: 100 KiB for each line and, since libcurl 8.3 and in
    /// older versions with security updates of distributions, 300 KiB for all lines.
    public var headers: Int

    /// Creates limits.
    public init(bodyInMemory: Int64 = 256 << 20, compressionRatio: Int64 = 1000, headers: Int = 256 << 10) {
        self.bodyInMemory = bodyInMemory
        self.compressionRatio = compressionRatio
        self.headers = headers
    }
}
