/// Identifies identical GET requests: everything that is sent, and all settings that affect the response.
struct CoalescingKey: Hashable, Sendable {
    private let url: URL
    private let headers: HTTPHeaders
    private let isDecoded: Bool
    private let timeouts: Timeouts
    private let limits: ResponseLimits
    private let redirectLimit: Int
    private let retryPolicy: RetryPolicy
    private let tls: TLSOptions
    private let cachePolicy: CachePolicy
    private let cacheTimeout: Duration
    /// The current user: the same authentication object may change its user.
    private let identity: String?
    /// The objects involved: transport, authentication, cookies, cache, redirect policy, reachability observer.
    private let participants: [ObjectIdentifier?]

    /// - Parameters:
    ///   - hop: The first hop, with complete header fields.
    ///   - headers: The header fields that are sent, including stored cookies.
    /// - Returns: `nil` if the request cannot be shared: it is not a GET, has a body, or its token is not known yet.
    init?(_ hop: TransportRequest, sent headers: HTTPHeaders, of request: RESTRequest) {
        // Adapters may change identical requests in different ways.
        guard hop.method == .get, hop.body == nil, request.adapters.isEmpty, request.proxy == .system else {
            return nil
        }
        identity = request.authentication?.cacheIdentity
        guard identity != nil || request.authentication == nil else { return nil }
        url = hop.url
        self.headers = headers
        isDecoded = request.isDecoded
        timeouts = Timeouts(connect: request.timeouts.connect, idle: request.timeouts.idle)
        limits = request.limits
        redirectLimit = request.redirectLimit
        retryPolicy = request.retryPolicy
        tls = request.tls
        cachePolicy = request.cachePolicy
        cacheTimeout = request.cacheTimeout
        let transport = request.transport
        participants = [
            // Transports that are values have no identity.
            type(of: transport) is AnyClass
                ? ObjectIdentifier(transport as AnyObject) : ObjectIdentifier(type(of: transport)),
            request.authentication.map(ObjectIdentifier.init), request.cookies.map(ObjectIdentifier.init),
            request.cache.map(ObjectIdentifier.init), request.redirectPolicy.map { ObjectIdentifier($0.identity) },
            request.reachabilityObserver.map(ObjectIdentifier.init),
        ]
    }
}
