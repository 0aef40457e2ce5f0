/// A client for the server at a base URL, with the settings of its requests.
///
/// ```swift
/// let client = RESTClient(baseURL: url)
/// client.headers["Accept"] = "application/json"
/// let response = try await client.get("/accounts/1", query: ["expand": "owner"])
/// ```
///
/// A request copies the settings when it is created. Responses of any status are returned; an error is thrown only if no
/// response was received.
public final class RESTClient: Sendable {
    /// The URL to which paths are appended, with the scheme `http` or `https`; with another scheme, each request fails.
    public let baseURL: URL
    let base: BaseURL
    /// The settings of new requests.
    private let template: Mutex<RESTRequest>

    private static let sharedClient = Mutex<RESTClient?>(nil)

    /// A client that is shared by the whole process; `nil` until it is set.
    public static var shared: RESTClient? {
        get { sharedClient.withLock { $0 } }
        // The previous client is released outside the lock: deinitializers may run code of the user.
        set {
            var client = newValue
            sharedClient.withLock { swap(&$0, &client) }
        }
    }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: The URL to which paths are appended.
    ///   - transport: The transport. Defaults to libcurl on Linux, and to URLSession on Apple platforms.
    public init(baseURL: URL, transport: (any Transport)? = nil) {
        self.baseURL = baseURL
        base = BaseURL(baseURL)
        var template = RESTRequest(url: nil, transport: transport)
        template.cookies = CookieStore()
        template.coalescer = Coalescer()
        template.activeRequests = ActiveRequests()
        self.template = Mutex(template)
    }

    /// The header fields of each request.
    ///
    /// If several tasks set fields concurrently, use ``setHeader(_:for:)``.
    public var headers: HTTPHeaders {
        get { template.withLock { $0.headers } }
        set { set(\.headers, to: newValue) }
    }

    /// Sets a header field of each request; `nil` removes it.
    public func setHeader(_ value: String?, for name: String) {
        template.withLock { $0.headers[name] = value }
    }

    /// The timeouts of each request.
    public var timeouts: Timeouts {
        get { template.withLock { $0.timeouts } }
        set { set(\.timeouts, to: newValue) }
    }

    /// The limits of each response.
    public var limits: ResponseLimits {
        get { template.withLock { $0.limits } }
        set { set(\.limits, to: newValue) }
    }

    /// The maximum number of redirects of a request.
    ///
    /// Defaults to 20. With 0, a redirect is returned as the response.
    public var redirectLimit: Int {
        get { template.withLock { $0.redirectLimit } }
        set { set(\.redirectLimit, to: newValue) }
    }

    /// Decides which redirects are followed, and what is sent to another origin.
    ///
    /// Defaults to `nil`, for ``RedirectPolicy/Decision/standard``.
    public var redirectPolicy: RedirectPolicy? {
        get { template.withLock { $0.redirectPolicy } }
        set { set(\.redirectPolicy, to: newValue) }
    }

    /// Decides which requests are sent again after a failure.
    ///
    /// Defaults to ``RetryPolicy/none``.
    public var retryPolicy: RetryPolicy {
        get { template.withLock { $0.retryPolicy } }
        set { set(\.retryPolicy, to: newValue) }
    }

    /// Whether identical concurrent GET requests share one response.
    ///
    /// Defaults to `false`.
    public var coalescesIdenticalRequests: Bool {
        get { template.withLock { $0.coalescesIdenticalRequests } }
        set { set(\.coalescesIdenticalRequests, to: newValue) }
    }

    /// The treatment of requests that are loading when the process leaves the foreground.
    ///
    /// Defaults to ``BackgroundPolicy/none``.
    public var backgroundPolicy: BackgroundPolicy {
        get { template.withLock { $0.backgroundPolicy } }
        set { set(\.backgroundPolicy, to: newValue) }
    }

    /// Reports to requests without a queue whether the process is in the foreground.
    ///
    /// Defaults to ``ApplicationLifecycle/shared``.
    public var lifecycle: ApplicationLifecycle {
        get { template.withLock { $0.lifecycle } }
        set { set(\.lifecycle, to: newValue) }
    }

    /// Reports whether the server can be reached.
    ///
    /// Defaults to `nil`. While the server cannot be reached, requests fail with an error of kind
    /// ``RequestError/Kind/offline`` without using the network. For requests that wait instead, see ``RequestQueue/RequestQueue/observeReachability(_:whenOffline:undeterminedLimit:)``.
    public var reachabilityObserver: ReachabilityObserver? {
        get { template.withLock { $0.reachabilityObserver } }
        set { set(\.reachabilityObserver, to: newValue) }
    }

    /// The store of cookies.
    ///
    /// Defaults to a store of the client; with `nil`, cookies are neither stored nor sent.
    public var cookies: CookieStore? {
        get { template.withLock { $0.cookies } }
        set { set(\.cookies, to: newValue) }
    }

    /// The cache of responses.
    ///
    /// Defaults to `nil`: responses are not cached.
    public var cache: RequestCache? {
        get { template.withLock { $0.cache } }
        set { set(\.cache, to: newValue) }
    }

    /// The use of cached responses.
    ///
    /// Defaults to ``CachePolicy/standard``.
    public var cachePolicy: CachePolicy {
        get { template.withLock { $0.cachePolicy } }
        set { set(\.cachePolicy, to: newValue) }
    }

    /// The age up to which a cached response is returned without a request, with ``CachePolicy/timeout``.
    ///
    /// Defaults to zero.
    public var cacheTimeout: Duration {
        get { template.withLock { $0.cacheTimeout } }
        set { set(\.cacheTimeout, to: newValue) }
    }

    /// The trusted certificate authorities and the client certificate.
    ///
    /// Defaults to the authorities of the system, and no client certificate.
    public var tls: TLSOptions {
        get { template.withLock { $0.tls } }
        set { set(\.tls, to: newValue) }
    }

    /// The credentials of the requests.
    ///
    /// Defaults to `nil`.
    public var authentication: Authentication? {
        get { template.withLock { $0.authentication } }
        set { set(\.authentication, to: newValue) }
    }

    /// The executor of completions, progress handlers and delegates of requests.
    ///
    /// Defaults to ``CallbackExecutor/separateThreads``.
    public var callbackExecutor: CallbackExecutor {
        get { template.withLock { $0.callbackExecutor } }
        set { set(\.callbackExecutor, to: newValue) }
    }

    /// Change each request before it is sent, in their order.
    ///
    /// Defaults to none.
    public var adapters: [any RequestAdapter] {
        get { template.withLock { $0.adapters } }
        set { set(\.adapters, to: newValue) }
    }

    /// The proxy of the requests.
    ///
    /// Defaults to ``RequestProxy/system``.
    public var proxy: RequestProxy {
        get { template.withLock { $0.proxy } }
        set { set(\.proxy, to: newValue) }
    }

    /// Returns settings that are read together.
    func settings<Value: Sendable>(_ read: (RESTRequest) -> Value) -> Value { template.withLock { read($0) } }

    /// Sets a setting; the previous value is released outside the lock, since deinitializers may run code of the user.
    private func set<Value: Sendable>(_ setting: any WritableKeyPath<RESTRequest, Value> & Sendable, to value: Value) {
        var value = value
        template.withLock { swap(&$0[keyPath: setting], &value) }
    }

    /// A request to a URL with the current settings.
    func request(_ method: HTTPMethod, _ url: URL?, buildError: RequestError?) -> RESTRequest {
        var request = template.withLock { $0 }
        request.method = method
        request.url = url
        request.buildError = buildError
        return request
    }
}
