/// How a message says where its body ends (RFC 9112 §6).
public enum BodyFraming: Sendable, Hashable, CustomStringConvertible {
    /// There is no body.
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
