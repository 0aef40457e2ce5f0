/// Status and header fields of a response.
public struct ResponseHead: Sendable, Hashable {
    /// The status code, as 404.
    public var status: Int
    /// The header fields, in the order in which they came.
    public var headers: HTTPHeaders
    /// Whether the transport undid the content coding itself, so that `Content-Encoding` and `Content-Length` do not
    /// speak of the bytes it hands over.
    public var isDecoded: Bool

    /// A head of a status and fields.
    public init(status: Int, headers: HTTPHeaders = [:], isDecoded: Bool = false) {
        self.status = status
        self.headers = headers
        self.isDecoded = isDecoded
    }
}
