/// A record of a request that the server received.
public struct RequestRecord: Sendable {
    /// Its number, from 1 in the order of arrival.
    public let number: Int
    /// The number of its connection, from 1.
    public let connection: Int
    /// The method, such as "GET".
    public let method: String
    /// The target as sent, such as "/bytes?n=5".
    public let target: String
    /// The target's path, percent-decoded.
    public let path: String
    /// The header fields in their order.
    public let headers: [Header]
    /// How the end of the body is marked.
    public let framing: BodyFraming
    /// The number of bytes of the body that were read.
    public internal(set) var bodyLength = 0
    /// The SHA-256 of the body in lower-case hexadecimal; nil without a body, if it is incomplete, or with hash=0 in
    /// the target.
    public internal(set) var bodySHA256: String?
    /// Whether all announced bytes of the body have arrived.
    public internal(set) var isBodyWhole: Bool
    /// The fields after the last chunk.
    public internal(set) var trailers: [Header] = []
    /// The status of the response; nil before the response, and if the endpoint sends none.
    public internal(set) var status: Int?
}
