/// The duration of a request and of its parts.
///
/// The parts are those of the last attempt, after redirects: instants since the attempt began, as in
/// `CURLINFO_APPCONNECT_TIME`. They are zero if a kept connection was reused.
public struct RequestMetrics: Sendable, Hashable {
    /// The time from the start of the request to its response, including earlier attempts and redirects.
    public var total: Duration
    /// The end of the look-up of the name; `nil` if the transport does not measure it.
    public var nameLookup: Duration?
    /// The end of connecting; `nil` if the transport does not measure it.
    public var connect: Duration?
    /// The end of the TLS handshake; `nil` without TLS, or if the transport does not measure it.
    public var secureConnect: Duration?
    /// The first byte of the response; `nil` if the transport does not measure it.
    public var firstByte: Duration?
    /// Whether the connection was used before; `nil` if the transport does not measure it.
    public var isConnectionReused: Bool?
    /// The bytes of the request's body.
    public var bytesSent: Int64
    /// The bytes of the response's body, before it was decompressed.
    public var bytesReceived: Int64

    /// Creates the metrics of a request; parts are unknown by default.
    public init(total: Duration = .zero, bytesSent: Int64 = 0, bytesReceived: Int64 = 0) {
        self.total = total
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
    }
}
