/// How a message marks the end of its body (RFC 9112 §6).
public enum BodyFraming: Sendable, Hashable, CustomStringConvertible {
    /// No body.
    case none
    /// `Content-Length`, in bytes.
    case contentLength(Int)
    /// `Transfer-Encoding: chunked`.
    case chunked

    /// The kind of framing, such as "chunked".
    public var description: String {
        switch self {
        case .none: "none"
        case .contentLength: "content-length"
        case .chunked: "chunked"
        }
    }
}
