/// What a cache was asked for one hop of a request, and what it found.
struct CacheLookUp: Sendable {
    let cache: RequestCache
    let rules: CacheRules
    let key: CacheKey
    /// The header fields that are sent, without those that the cache adds.
    let message: HTTPHeaders
    /// For whom the request's credentials speak, unless they are a field of its own.
    let asker: String?
    private let requestTime: Date
    private let place: RequestCache.Place?
    /// When it was asked, among the cache's invalidations.
    private let instant: Int
    /// What answers the request, if something does.
    let stored: CachedResponse?
    let use: CacheRules.Use
    /// Whether the server is asked if what is stored still holds.
    var isConditional: Bool

    /// Looks it up, on the cache's own thread.
    ///
    /// - Parameters:
    ///   - hop: With the cookies that are sent.
    ///   - asker: For whom its credentials speak, unless they are a field of its own.
    ///   - isDecoded: Whether its response is decompressed.
    init(_ cache: RequestCache, _ rules: CacheRules, _ hop: TransportRequest, asker: String?, isDecoded: Bool) {
        self.asker = asker
        self.cache = cache
        self.rules = rules
        message = hop.headers
        instant = cache.invalidations
        key = CacheKey(hop, asker: asker, isDecoded: isDecoded, salt: cache.salt)
        let found = cache.find(key, for: hop.headers)
        (stored, place) = (found?.response, found?.place)
        requestTime = cache.clock.now
        use = rules.use(of: stored, at: requestTime)
        isConditional = use == .validate
        if stored == nil { cache.count { $0.misses += 1 } }
    }

    /// What becomes of a whole response; what is to be stored is, later, by the cache's own thread.
    ///
    /// - Returns: The response to hand over; nil if it says nothing about what is stored: the server is to be asked again,
    ///   without a condition.
    func conclude(_ response: RESTResponse) -> RESTResponse? {
        let now = cache.clock.now
        if response.status == 304, isConditional, var confirmed = stored {
            guard confirmed.isConfirmed(by: response.headers) else { return nil }
            confirmed.update(by: response.headers, requestTime: requestTime, responseTime: now)
            cache.count { $0.revalidations += 1 }
            // It may be one now that must not be stored any more, or depends on more.
            let whole = RESTResponse(
                status: confirmed.status, headers: confirmed.headers, body: confirmed.body, url: response.url)
            keep(whole, at: now)
            return confirmed.response(
                from: response.url, redirects: response.redirects, attempts: response.attempts, at: now)
        }
        if let stored, rules.standsIn(stored, forStatus: response.status, at: now) {
            cache.count { $0.hits += 1 }
            return stored.response(
                from: response.url, redirects: response.redirects, attempts: response.attempts, at: now)
        }
        if response.isSuccessful { keep(response, at: now) }
        return response
    }

    /// What is stored, as a response; nil if it may not stand in for a failure.
    func response(insteadOf failure: RequestError.Kind, from url: URL, redirects: Int, attempts: Int) -> RESTResponse? {
        let now = cache.clock.now
        guard let stored, rules.standsIn(stored, for: failure, at: now) else { return nil }
        cache.count { $0.hits += 1 }
        return stored.response(from: url, redirects: redirects, attempts: attempts, at: now)
    }

    /// Has a response stored; if it may not be, what is older than it is forgotten all the same.
    private func keep(_ response: RESTResponse, at now: Date) {
        let kept = CachedResponse(
            response, to: message, policy: rules.policy, requestTime: requestTime, responseTime: now, salt: cache.salt)
        if let kept, Int64(kept.body.count) <= cache.entryLimit {
            cache.storeLater(kept, key, replacing: place, since: instant)
        } else {
            cache.dropLater(place)
        }
    }
}
