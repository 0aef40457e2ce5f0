/// What may be done with stored responses for one request: its policy, and what its own fields say.
struct CacheRules: Sendable, Hashable {
    /// What is done with what is stored.
    enum Use: Sendable, Hashable {
        /// It is the response.
        case load
        /// The server is asked whether it still holds.
        case validate
        /// The server is asked as if nothing were stored.
        case ask
        /// Nothing may be used, and the server not be asked.
        case refuse
    }

    var policy: CachePolicy
    /// How long after it came a response is loaded without asking, with the option `timeout`.
    var timeout: Duration
    /// What the request's `Cache-Control` says.
    var control: CacheControl
    /// Whether the caller makes the request conditional: the answer to that is the caller's.
    var isConditional: Bool

    /// The rules of a request; nil if the cache has nothing to do with it.
    init?(_ request: RESTRequest, sent hop: TransportRequest) {
        let control = CacheControl(hop.headers)
        // A part, or what the server does only on a condition, is no response for others.
        let isPartial = ["Range", "If-Range", "If-Match", "If-Unmodified-Since"].contains { hop.headers[$0] != nil }
        guard hop.method == .get, request.cachePolicy != .never, !control.has("no-store"), !isPartial else {
            return nil
        }
        policy = request.cachePolicy
        timeout = request.cacheTimeout
        self.control = control
        isConditional = hop.headers["If-None-Match"] != nil || hop.headers["If-Modified-Since"] != nil
    }

    /// What is done with what was found.
    func use(of stored: CachedResponse?, at now: Date) -> Use {
        let isOnlyCached = control.has("only-if-cached")
        guard let stored, !isConditional else { return isOnlyCached ? .refuse : .ask }
        if mayLoad(stored, at: now) { return .load }
        if isOnlyCached { return .refuse }
        return stored.hasValidator && !policy.isDisjoint(with: [.etag, .standard]) ? .validate : .ask
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

    /// Whether what is stored is loaded instead of a failure.
    func standsIn(_ stored: CachedResponse, for failure: RequestError.Kind, at now: Date) -> Bool {
        guard failure.concernsNetwork, !control.has("no-cache"), !isConditional else {
            return false
        }
        return policy.contains(.loadOnError) || failure == .offline && policy.contains(.loadIfOffline)
            || standsInForError(stored, at: now)
    }

    /// Whether what is stored is loaded instead of a response of a status.
    func standsIn(_ stored: CachedResponse, forStatus status: Int, at now: Date) -> Bool {
        [500, 502, 503, 504].contains(status) && !control.has("no-cache") && !isConditional
            && standsInForError(stored, at: now)
    }

    private func standsInForError(_ stored: CachedResponse, at now: Date) -> Bool {
        let allowed = stored.staleIfError
        return policy.contains(.standard) && allowed > 0 && stored.storedFor(at: now) >= 0
            && stored.age(at: now) < stored.lifetime + allowed
    }
}

extension RequestError.Kind {
    /// Whether it has to do with the way to the server, not with the request or with what its caller allows; nor with
    /// who the server is, which nothing that is stored may cover up.
    fileprivate var concernsNetwork: Bool {
        switch self {
        case .offline, .hostNotFound, .connectionRefused, .connectionFailed, .secureConnectionFailed, .connectionLost,
            .connectTimedOut, .idleTimedOut, .timedOut, .truncatedResponse, .malformedResponse, .undecodableResponse:
            true
        default: false
        }
    }
}
