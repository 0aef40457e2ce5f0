/// What the server knows of a request it got.
public struct RequestRecord: Sendable {
    /// Its number, from 1 in the order of arrival.
    public let number: Int
    /// The number of its connection, from 1.
    public let connection: Int
    /// The method, such as "GET".
    public let method: String
    /// As it was sent, as "/bytes?n=5".
    public let target: String
    /// The target's path, percent-decoded.
    public let path: String
    /// The header fields in their order.
    public let headers: [Header]
    /// How the end of the body is marked.
    public let framing: BodyFraming
    /// How many bytes of the body were read.
    public internal(set) var bodyLength = 0
    /// The SHA-256 of the body in lower-case hexadecimal; nil if there is none, it did not come whole, or the target
    /// says hash=0.
    public internal(set) var bodySHA256: String?
    /// Whether every byte of the body came that was announced.
    public internal(set) var isBodyWhole: Bool
    /// The fields behind the last chunk.
    public internal(set) var trailers: [Header] = []
    /// The status answered with; nil before the answer and where the endpoint gives none.
    public internal(set) var status: Int?
}
