/// The rules for using stored responses for one request: its policy and its `Cache-Control`.
struct CacheRules: Sendable, Hashable {
    /// How a stored response is used.
    enum Use: Sendable, Hashable {
        /// It is returned as the response.
        case load
        /// It is validated by a conditional request.
        case validate
        /// The request is sent without a condition.
        case fetch
        /// The request fails: no usable response in the cache, and it must not be sent.
        case fail
    }

    var policy: CachePolicy
    /// The time for which a response is loaded without a request, with the option `timeout`.
    var timeout: Duration
    /// The directives in the request's `Cache-Control`.
    var control: CacheControl
    /// Whether the caller made the request conditional; the caller then handles status 304.
    var isConditional: Bool

    /// Creates the rules of a request; `nil` if it does not use the cache.
    init?(_ policy: CachePolicy, timeout: Duration, sent hop: TransportRequest) {
        let control = CacheControl(hop.headers)
        // Partial responses and responses to preconditions cannot be used for other requests.
        let isPartial = ["Range", "If-Range", "If-Match", "If-Unmodified-Since"].contains { hop.headers[$0] != nil }
        guard hop.method == .get, policy != .never, !control.has("no-store"), !isPartial else {
            return nil
        }
        self.policy = policy
        self.timeout = timeout
        self.control = control
        isConditional = hop.headers["If-None-Match"] != nil || hop.headers["If-Modified-Since"] != nil
    }

    /// Returns how the stored response is used.
    func use(of stored: CachedResponse?, at now: Date) -> Use {
        let isOnlyCached = control.has("only-if-cached")
        guard let stored, !isConditional else { return isOnlyCached ? .fail : .fetch }
        if mayLoad(stored, at: now) { return .load }
        if isOnlyCached { return .fail }
        return stored.hasValidator && !policy.isDisjoint(with: [.etag, .standard]) ? .validate : .fetch
    }

    private func mayLoad(_ stored: CachedResponse, at now: Date) -> Bool {
        guard !control.has("no-cache") else { return false }
        let age = stored.age(at: now)
        let staleness = control.staleness ?? 0
        if let limit = control.seconds("max-age"), age > limit + staleness { return false }
        if let rest = control.seconds("min-fresh"), stored.lifetime - age < rest { return false }
        if policy.contains(.enabled) { return true }
        let storedFor = stored.storedFor(at: now)
        if policy.contains(.timeout), storedFor >= 0, storedFor < timeout / .seconds(1) { return true }
        return policy.contains(.standard) && stored.isFresh(at: now, staleness: staleness)
    }

    /// Whether the stored response replaces a failure.
    func allows(_ stored: CachedResponse, insteadOf failure: RequestError.Kind, at now: Date) -> Bool {
        guard failure.concernsNetwork, !control.has("no-cache"), !isConditional else {
            return false
        }
        return policy.contains(.loadOnError) || failure == .offline && policy.contains(.loadIfOffline)
            || isUsableAfterError(stored, at: now)
    }

    /// Whether the stored response replaces a response with an error status.
    func allows(_ stored: CachedResponse, insteadOfStatus status: Int, at now: Date) -> Bool {
        [500, 502, 503, 504].contains(status) && !control.has("no-cache") && !isConditional
            && isUsableAfterError(stored, at: now)
    }

    private func isUsableAfterError(_ stored: CachedResponse, at now: Date) -> Bool {
        let allowed = stored.staleIfError
        return policy.contains(.standard) && allowed > 0 && stored.storedFor(at: now) >= 0
            && stored.age(at: now) < stored.lifetime + allowed
    }
}

extension RequestError.Kind {
    /// Whether the network caused the failure, rather than the request or a limit set by the caller.
    ///
    /// Failed authentication of the server is excluded, so that a stored response does not hide it.
    fileprivate var concernsNetwork: Bool {
        switch self {
        case .offline, .hostNotFound, .connectionRefused, .connectionFailed, .secureConnectionFailed, .connectionLost,
            .connectTimedOut, .idleTimedOut, .timedOut, .truncatedResponse, .malformedResponse, .undecodableResponse:
            true
        default: false
        }
    }
}

/// The rules by which stored responses are used; options can be combined.
///
/// ```swift
/// client.cache = RequestCache(directory: folder)
/// client.cachePolicy = [.etag, .loadIfOffline]
/// ```
///
/// With any option, responses to GET are stored as HTTP allows it: complete responses with a status of 2xx, unless the
/// server sends `no-store`. ``standard`` follows the rules of HTTP for private caches (RFC 9111). The other options
/// override them: they also use responses that the server requires to be validated first (`no-cache`,
/// `must-revalidate`), as offline apps need.
///
/// The field `Cache-Control` of a request restricts its policy: `no-cache` sends the request to the server, `no-store`
/// bypasses the cache, `max-age`, `min-fresh` and `max-stale` limit the age, and `only-if-cached` never sends the
/// request.
public struct CachePolicy: OptionSet, Sendable, Hashable {
    /// The raw bits of the options.
    public let rawValue: Int

    /// Creates options from raw bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Does not store or load responses.
    public static let never: CachePolicy = []
    /// Loads a stored response if ``RequestSettings/reachabilityObserver`` reports that the server cannot be reached.
    public static let loadIfOffline = CachePolicy(rawValue: 1 << 0)
    /// Loads a stored response instead of a network error, such as a lost connection or a timeout.
    ///
    /// A response with an error status is not a network error.
    public static let loadOnError = CachePolicy(rawValue: 1 << 1)
    /// Validates a stored response with its `ETag` or `Last-Modified`, and returns it if the server responds with 304.
    public static let etag = CachePolicy(rawValue: 1 << 2)
    /// Loads a stored response of any age without a request to the server.
    public static let enabled = CachePolicy(rawValue: 1 << 3)
    /// Loads a stored response without a request for ``RequestSettings/cacheTimeout`` after it was received or validated.
    public static let timeout = CachePolicy(rawValue: 1 << 4)
    /// Loads a stored response while it is fresh, and then validates it as ``etag`` does.
    ///
    /// Freshness is determined by `Cache-Control`, `Expires` and `Age`. A response without them is never fresh:
    /// `Last-Modified` is not used to estimate a lifetime. After an error, `stale-if-error` is applied (RFC 5861).
    public static let standard = CachePolicy(rawValue: 1 << 5)
}
