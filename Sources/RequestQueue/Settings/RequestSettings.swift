/// The settings of requests.
///
/// A client copies its settings into each new request. Both have all of them as properties:
///
/// ```swift
/// client.timeouts.idle = .seconds(10)         // all requests created from now on
/// var request = client.request(.get, "/report")
/// request.timeouts.idle = .seconds(120)       // this one
/// ```
public struct RequestSettings: Sendable {
    /// The timeouts.
    public var timeouts = Timeouts()
    /// The limits of the response.
    public var limits = ResponseLimits()
    /// The cache of responses.
    ///
    /// Defaults to `nil`: responses are not cached.
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
    ///
    /// Defaults to the authorities of the system, and no client certificate.
    public var tls = TLSOptions()
    /// Decides whether a request is sent again after a failure.
    ///
    /// Defaults to ``RetryPolicy/none``.
    public var retryPolicy = RetryPolicy.none
    /// Whether identical concurrent GET requests of a client share one response.
    ///
    /// Defaults to `false`. Requests are identical if they have the same URL, header fields and settings, and their bodies
    /// are received in memory. Requests with adapters or a custom proxy, and requests without a client, are always sent.
    /// See <doc:Retries>.
    public var coalescesIdenticalRequests = false
    /// The treatment of a request if the process leaves the foreground while it is loading.
    ///
    /// Defaults to ``BackgroundPolicy/none``.
    public var backgroundPolicy = BackgroundPolicy.none
    /// Reports whether the process is in the foreground, for requests without a queue.
    ///
    /// Defaults to ``ApplicationLifecycle/shared``.
    public var lifecycle = ApplicationLifecycle.shared
    /// Reports whether the host can be reached.
    ///
    /// Defaults to `nil`. While the host cannot be reached, requests fail with an error of kind
    /// ``RequestError/Kind/offline`` without using the network. While that is unknown, they are sent. For requests that
    /// wait instead, see ``RequestQueue/RequestQueue/observeReachability(_:whenOffline:undeterminedLimit:)``.
    public var reachabilityObserver: ReachabilityObserver?
    /// The credentials, which are sent to the origin of the URL only.
    ///
    /// Defaults to `nil`.
    public var authentication: Authentication?
    /// Change a request before it is sent, in their order.
    ///
    /// Defaults to none.
    public var adapters: [any RequestAdapter] = []
    /// The proxy.
    ///
    /// Defaults to ``RequestProxy/system``.
    public var proxy = RequestProxy.system
    /// The store of cookies; with `nil`, cookies are neither stored nor sent.
    ///
    /// Defaults to a store of the client, and to `nil` for requests without a client.
    public var cookies: CookieStore?
    /// The executor of the completion, the progress handler and the delegate, which are called in order.
    ///
    /// Defaults to ``CallbackExecutor/separateThreads``.
    public var callbackExecutor = CallbackExecutor.separateThreads
    /// The values of settings that other modules add.
    package var values = SettingValues()

    /// Creates the default settings.
    public init() {}
}
