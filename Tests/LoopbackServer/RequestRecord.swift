/// What the server knows of a request it got.
package struct RequestRecord: Sendable {
    /// Its number, from 1 in the order of arrival.
    package let number: Int
    /// The number of its connection, from 1.
    package let connection: Int
    package let method: String
    /// As it was sent, as "/bytes?n=5".
    package let target: String
    /// The target's path, percent-decoded.
    package let path: String
    package let headers: [Header]
    package let framing: BodyFraming
    /// How many bytes of the body were read.
    package internal(set) var bodyLength = 0
    /// The SHA-256 of the body in lower-case hexadecimal; nil if there is none, it did not come whole, or the target
    /// says hash=0.
    package internal(set) var bodySHA256: String?
    /// Whether every byte of the body came that was announced.
    package internal(set) var isBodyWhole: Bool
    /// The fields behind the last chunk.
    package internal(set) var trailers: [Header] = []
    /// The status answered with; nil before the answer and where the endpoint gives none.
    package internal(set) var status: Int?
}
