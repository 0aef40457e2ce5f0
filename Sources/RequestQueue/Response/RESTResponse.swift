/// What a server answered: any status is a response.
public struct RESTResponse: Sendable {
    public let status: Int
    public let headers: HTTPHeaders
    /// The body, decompressed; empty if it went into a file or a stream.
    public let body: Data
    /// Where the response came from, after redirects.
    public let url: URL
    /// How many redirects were followed.
    public let redirects: Int

    package init(status: Int, headers: HTTPHeaders, body: Data, url: URL, redirects: Int = 0) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
        self.redirects = redirects
    }
}
