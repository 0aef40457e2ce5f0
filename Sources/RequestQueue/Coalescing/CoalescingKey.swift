/// All by which two GETs are identical: what is sent, and every setting that shapes what becomes of it.
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
    /// Who is logged in, now: the same object may soon speak for another one.
    private let identity: String?
    /// Who takes part: authentication, cookies, cache, redirect policy, reachability.
    private let participants: [ObjectIdentifier?]

    /// - Parameters:
    ///   - hop: The first that is sent, its header fields complete.
    ///   - headers: All that is sent, with the cookies of the store.
    /// - Returns: nil if it is no GET, has a body, or does not know its token yet: it is sent for itself.
    init?(_ hop: TransportRequest, sent headers: HTTPHeaders, of request: RESTRequest) {
        // Adapters may make different requests of the same one.
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
        participants = [
            request.authentication.map(ObjectIdentifier.init), request.cookies.map(ObjectIdentifier.init),
            request.cache.map(ObjectIdentifier.init), request.redirectPolicy.map { ObjectIdentifier($0.identity) },
            request.reachabilityObserver.map(ObjectIdentifier.init),
        ]
    }
}
