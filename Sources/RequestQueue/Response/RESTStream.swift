/// A response whose body is still to come.
public struct RESTStream: Sendable {
    public let status: Int
    public let headers: HTTPHeaders
    /// Where the response comes from, after redirects.
    public let url: URL
    /// How many redirects were followed.
    public let redirects: Int
    /// The body, to be gone over once.
    public let body: ResponseBody
}
