/// A request with all its settings, including the header fields and the transport of its client.
///
/// Create it with a client (``RESTClient/request(_:query:headers:)``), then send it, or add it to a queue.
@dynamicMemberLookup
public struct RESTRequest: Sendable {
    /// The method, for example `.get`.
    public var method: HTTPMethod
    /// The URL; `nil` if no URL could be created, which is an error when the request is sent.
    public var url: URL?
    /// The header fields, except for those that the transport sets, such as `Host` and `Content-Length`.
    public var headers: HTTPHeaders = [:]
    /// The settings, which are properties of the request, too, such as `timeouts`.
    public var settings = RequestSettings()
    /// A name with which a queue can cancel the request.
    public var tag: String?
    /// A value of the caller, for delegates and receivers of events; it is not sent.
    public var userData: (any Sendable)?
    /// Receives the events of the request; held weakly.
    public weak var delegate: (any RequestDelegate)?
    /// The file that receives the body of a success (2xx), decompressed and of any size; `nil` for a body in memory.
    ///
    /// The body is written to a temporary file in the same folder, which replaces the file at this URL when the body is
    /// complete and on disk. After a failure or a response without content (204), the existing file is unchanged. If the status is not 2xx, the body is
    /// received in memory and no file is written.
    public var destination: URL?

    /// Receives the progress; see ``onProgress(_:)``.
    package var progressHandler: (@Sendable (RequestProgress) -> Void)?
    package var body: RequestBody?
    package var transport: any Transport
    /// Whether a request without `Accept` is sent without it; `URLSession` adds it nevertheless.
    package var omitsAccept = false
    /// Finds identical requests of the client.
    package var coalescer: Coalescer?
    /// The running requests of the client.
    var activeRequests: ActiveRequests?
    /// The error with which sending the request fails.
    package var buildError: RequestError?

    /// Creates a request without a client: it has no default header fields and no cookies.
    ///
    /// - Parameters:
    ///   - method: The method. Defaults to `.get`.
    ///   - url: The URL.
    ///   - transport: The transport. Defaults to that of the platform.
    public init(_ method: HTTPMethod = .get, url: URL?, transport: (any Transport)? = nil) {
        self.method = method
        self.url = url
        self.transport = transport ?? defaultTransport
    }

    /// One of the settings.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<RequestSettings, Value>) -> Value {
        // Inlined, a key path that the compiler can see costs nothing.
        @inline(__always) get { settings[keyPath: setting] }
        @inline(__always) set { settings[keyPath: setting] = newValue }
    }

    /// Makes sending the request fail with an error.
    package mutating func refuse(_ error: RequestError) {
        if buildError == nil { buildError = error }
    }

    /// Sets the body, which is copied, and its content type.
    ///
    /// GET and HEAD requests have no body (RFC 9110 §9.3.1): sending one with a body throws an error of kind `invalidBody`.
    public mutating func setBody(_ body: some RequestSerializable) {
        do throws(RequestError) {
            let body = try RequestBody(body)
            headers["Content-Type"] = body.contentType
            self.body = body
        } catch { refuse(error) }
    }
}
