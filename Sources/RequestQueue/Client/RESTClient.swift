import Synchronization

/// A server at a base URL, and what every request to it carries.
///
/// ```swift
/// let client = RESTClient(baseURL: url)
/// client.headers["Accept"] = "application/json"
/// let response = try await client.get("/accounts/1", query: ["expand": "owner"])
/// ```
///
/// A request takes the settings as they are when it is made. A response of any status is a response; what is thrown is
/// why there is none.
public final class RESTClient: Sendable {
    /// What paths are joined to, with the scheme `http` or `https`; another fails each request.
    public let baseURL: URL
    let base: BaseURL
    /// What each request begins as.
    private let template: Mutex<RESTRequest>

    private static let sharedClient = Mutex<RESTClient?>(nil)

    /// The client of code that is handed none; nil until one is set.
    public static var shared: RESTClient? {
        get { sharedClient.withLock { $0 } }
        // What was set before is let go of outside the lock: its end may run code of others.
        set {
            var client = newValue
            sharedClient.withLock { swap(&$0, &client) }
        }
    }

    /// A client of a base URL, whose requests a transport carries: libcurl on Linux, URLSession on Apple platforms unless
    /// told.
    public init(baseURL: URL, transport: (any Transport)? = nil) {
        self.baseURL = baseURL
        base = BaseURL(baseURL)
        var template = RESTRequest(url: nil, transport: transport)
        template.cookies = CookieStore()
        template.coalescer = Coalescer()
        self.template = Mutex(template)
    }

    /// Header fields of every request.
    ///
    /// To set one while other tasks do too, use ``setHeader(_:for:)``.
    public var headers: HTTPHeaders {
        get { template.withLock { $0.headers } }
        set { set(\.headers, to: newValue) }
    }

    /// Sets a header field of every request, or removes it with nil.
    public func setHeader(_ value: String?, for name: String) {
        template.withLock { $0.headers[name] = value }
    }

    /// How long requests wait.
    public var timeouts: Timeouts {
        get { template.withLock { $0.timeouts } }
        set { set(\.timeouts, to: newValue) }
    }

    /// How much of a response is taken.
    public var limits: ResponseLimits {
        get { template.withLock { $0.limits } }
        set { set(\.limits, to: newValue) }
    }

    /// How many redirects of a request are followed; 20 unless told, none with 0.
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

    /// When a request is sent again instead of being over; never unless told.
    public var retryPolicy: RetryPolicy {
        get { template.withLock { $0.retryPolicy } }
        set { set(\.retryPolicy, to: newValue) }
    }

    /// Whether a GET waits for an identical one that is under way, instead of being sent; not unless told.
    public var coalescesIdenticalRequests: Bool {
        get { template.withLock { $0.coalescesIdenticalRequests } }
        set { set(\.coalescesIdenticalRequests, to: newValue) }
    }

    /// What becomes of requests that are loading when the process leaves the foreground; nothing unless told.
    public var backgroundPolicy: BackgroundPolicy {
        get { template.withLock { $0.backgroundPolicy } }
        set { set(\.backgroundPolicy, to: newValue) }
    }

    /// What tells requests that are sent without a queue whether the process is in the foreground: the process's own
    /// unless told.
    public var lifecycle: ApplicationLifecycle {
        get { template.withLock { $0.lifecycle } }
        set { set(\.lifecycle, to: newValue) }
    }

    /// Who knows whether the server can be reached; nil unless told.
    ///
    /// While it cannot be, requests end with an error of kind ``RequestError/Kind/offline`` without touching the network.
    /// For requests that wait instead, see ``RequestQueue/RequestQueue/observeReachability(_:whenOffline:undeterminedLimit:)``.
    public var reachabilityObserver: ReachabilityObserver? {
        get { template.withLock { $0.reachabilityObserver } }
        set { set(\.reachabilityObserver, to: newValue) }
    }

    /// Where cookies are kept: an own store unless told; nil keeps and sends none.
    public var cookies: CookieStore? {
        get { template.withLock { $0.cookies } }
        set { set(\.cookies, to: newValue) }
    }

    /// Where responses are kept and looked for; nil, as it is unless told, keeps none.
    public var cache: RequestCache? {
        get { template.withLock { $0.cache } }
        set { set(\.cache, to: newValue) }
    }

    /// What stored responses are used for; ``CachePolicy/standard`` unless told.
    public var cachePolicy: CachePolicy {
        get { template.withLock { $0.cachePolicy } }
        set { set(\.cachePolicy, to: newValue) }
    }

    /// How long after it came a stored response is loaded without asking, with ``CachePolicy/timeout``; zero unless told.
    public var cacheTimeout: Duration {
        get { template.withLock { $0.cacheTimeout } }
        set { set(\.cacheTimeout, to: newValue) }
    }

    /// Whose certificates are trusted, and which one is shown; the system's authorities and none unless told.
    public var tls: TLSOptions {
        get { template.withLock { $0.tls } }
        set { set(\.tls, to: newValue) }
    }

    /// How requests say who sends them; nil, unless told, for not at all.
    public var authentication: Authentication? {
        get { template.withLock { $0.authentication } }
        set { set(\.authentication, to: newValue) }
    }

    /// Where completions, progress closures and delegates of requests are called.
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

    /// Sets a setting; what it was is let go of outside the lock, since its end may run code of others.
    private func set<Value: Sendable>(_ setting: any WritableKeyPath<RESTRequest, Value> & Sendable, to value: Value) {
        var value = value
        template.withLock { swap(&$0[keyPath: setting], &value) }
    }

    /// A request to a URL with the settings as they are now.
    func request(_ method: HTTPMethod, _ url: URL?, mistake: RequestError?) -> RESTRequest {
        var request = template.withLock { $0 }
        request.method = method
        request.url = url
        request.mistake = mistake
        return request
    }
}
