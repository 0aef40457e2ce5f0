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
    /// Who takes part: authentication, cookies, cache, reachability.
    private let participants: [ObjectIdentifier?]

    /// - Parameter hop: The first that is sent, its header fields complete.
    /// - Returns: nil if it is no GET, or has a body: it is sent for itself.
    init?(_ hop: TransportRequest, of request: RESTRequest) {
        guard hop.method == .get, hop.body == nil else { return nil }
        url = hop.url
        headers = hop.headers
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
            request.cache.map(ObjectIdentifier.init),
            request.reachabilityObserver.map(ObjectIdentifier.init),
        ]
    }
}
