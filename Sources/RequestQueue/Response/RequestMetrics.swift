/// The durations of a request and its parts.
///
/// The parts are those of the last attempt, after redirects: the time from the start of the attempt to the end of the
/// part, as in `CURLINFO_APPCONNECT_TIME`. They are zero for a reused connection.
public struct RequestMetrics: Sendable, Hashable {
    /// The time from the start of the request to its response, including earlier attempts and redirects.
    public var total: Duration
    /// The time until the end of the DNS lookup; `nil` if the transport does not measure it.
    public var nameLookup: Duration?
    /// The time until the connection is established; `nil` if the transport does not measure it.
    public var connect: Duration?
    /// The time until the end of the TLS handshake; `nil` without TLS or if the transport does not measure it.
    public var secureConnect: Duration?
    /// The time until the first byte of the response; `nil` if the transport does not measure it.
    public var firstByte: Duration?
    /// Whether the connection was reused; `nil` if the transport does not measure it.
    public var isConnectionReused: Bool?
    /// The number of bytes of the request body.
    public var bytesSent: Int64
    /// The number of bytes of the response body, before decompression.
    public var bytesReceived: Int64

    /// Creates the metrics of a request, with unknown parts.
    public init(total: Duration = .zero, bytesSent: Int64 = 0, bytesReceived: Int64 = 0) {
        self.total = total
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
    }
}
