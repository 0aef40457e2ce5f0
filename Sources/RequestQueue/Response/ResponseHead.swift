/// Status and header fields of a response.
public struct ResponseHead: Sendable, Hashable {
    /// The status code, such as 404.
    public var status: Int
    /// The header fields, in the order in which they were received.
    public var headers: HTTPHeaders
    /// Whether the transport already decoded the content coding, so that `Content-Encoding` and `Content-Length` do not
    /// describe the bytes it delivers.
    public var isDecoded: Bool

    /// Creates a head.
    public init(status: Int, headers: HTTPHeaders = [:], isDecoded: Bool = false) {
        self.status = status
        self.headers = headers
        self.isDecoded = isDecoded
    }
}
