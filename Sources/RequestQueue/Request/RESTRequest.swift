/// A request with all its settings, including the header fields and the transport of its client.
///
/// Create it with a client (``RESTClient/request(_:query:headers:)``), then send it, or add it to a queue.
public struct RESTRequest: Sendable {
    /// The method, for example `.get`.
    public var method: HTTPMethod
    /// The URL; `nil` if no URL could be created, which is an error when the request is sent.
    public var url: URL?
    /// The header fields, except for those that the transport sets, such as `Host` and `Content-Length`.
    public var headers: HTTPHeaders = [:]
    /// The timeouts.
    public var timeouts = Timeouts()
    /// The limits of the response.
    public var limits = ResponseLimits()
    /// The cache of responses; `nil` for none.
    public var cache: RequestCache?
    /// The use of cached responses.
    ///
    /// Defaults to ``CachePolicy/standard``.
    public var cachePolicy: CachePolicy = .standard
    /// The age up to which a cached response is returned without a request, with ``CachePolicy/timeout``.
    ///
    /// Defaults to zero.
    public var cacheTimeout: Duration = .zero
    /// The maximum number of redirects.
    ///
    /// Defaults to 20. With 0, a redirect is returned as the response.
    public var redirectLimit = 20
    /// Decides which redirects are followed, and what is sent to another origin.
    ///
    /// Defaults to `nil`, for ``RedirectPolicy/Decision/standard``.
    public var redirectPolicy: RedirectPolicy?
    /// The trusted certificate authorities and the client certificate.
    public var tls = TLSOptions()
    /// Decides whether the request is sent again after a failure.
    ///
    /// Defaults to ``RetryPolicy/none``.
    public var retryPolicy = RetryPolicy.none
    /// Whether identical concurrent GET requests of a client share one response.
    ///
    /// Defaults to `false`. Requests are identical if they have the same URL, header fields and settings, and their bodies
    /// are received in memory. Requests with adapters or a custom proxy, and requests without a client, are always sent.
    /// See <doc:Retries>.
    public var coalescesIdenticalRequests = false
    /// The treatment of the request if the process leaves the foreground while it is loading.
    ///
    /// Defaults to ``BackgroundPolicy/none``.
    public var backgroundPolicy = BackgroundPolicy.none
    /// Reports whether the process is in the foreground, for a request without a queue.
    ///
    /// Defaults to ``ApplicationLifecycle/shared``.
    public var lifecycle = ApplicationLifecycle.shared
    /// Reports whether the host can be reached.
    ///
    /// Defaults to `nil`. While the host cannot be reached, the request fails with an error of kind
    /// ``RequestError/Kind/offline`` without using the network. While that is unknown, the request is sent.
    public var reachabilityObserver: ReachabilityObserver?
    /// The credentials, which are sent to the origin of the URL only; `nil` for none.
    public var authentication: Authentication?
    /// Change the request before it is sent, in their order.
    ///
    /// Defaults to none.
    public var adapters: [any RequestAdapter] = []
    /// The proxy of the request.
    ///
    /// Defaults to ``RequestProxy/system``.
    public var proxy = RequestProxy.system
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
    /// The executor of the completion, the progress handler and the delegate, which are called in order.
    ///
    /// Defaults to ``CallbackExecutor/separateThreads``.
    public var callbackExecutor = CallbackExecutor.separateThreads

    /// Receives the progress; see ``onProgress(_:)``.
    package var progressHandler: (@Sendable (RequestProgress) -> Void)?
    package var body: RequestBody?
    package var transport: any Transport
    package var cookies: CookieStore?
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
