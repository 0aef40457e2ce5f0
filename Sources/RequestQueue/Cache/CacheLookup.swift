/// The cache lookup for one hop of a request, and its result.
struct CacheLookup: Sendable {
    let cache: RequestCache
    let rules: CacheRules
    let key: CacheKey
    /// The header fields that are sent, without those that the cache adds.
    let message: HTTPHeaders
    /// The identity of the request's credentials; `nil` if they are a header field of the request.
    let user: String?
    private let requestTime: Date
    private let place: RequestCache.Place?
    /// The cache's invalidation count at the time of the lookup.
    private let instant: Int
    /// The stored response that matches the request; without its body, unless it is loaded.
    let stored: CachedResponse?
    let use: CacheRules.Use
    /// Whether the request is conditional, to validate the stored response.
    var isConditional: Bool

    /// Performs the lookup; runs on the cache's queue.
    ///
    /// - Parameters:
    ///   - hop: The request, with the cookies that are sent.
    ///   - user: The identity of its credentials, if they are not a header field of the request.
    ///   - isDecoded: Whether the response is decompressed.
    init(_ cache: RequestCache, _ rules: CacheRules, _ hop: TransportRequest, user: String?, isDecoded: Bool) {
        self.user = user
        self.cache = cache
        self.rules = rules
        message = hop.headers
        instant = cache.invalidations
        key = CacheKey(hop, user: user, isDecoded: isDecoded, salt: cache.salt)
        requestTime = cache.clock.now
        var found = cache.find(key, for: hop.headers)
        var use = rules.use(of: found?.response, at: requestTime)
        if use == .load, let (response, place) = found {
            found = cache.complete(response, at: place).map { ($0, place) }
            // A damaged body leaves the request without a stored response.
            if found == nil { use = rules.use(of: nil, at: requestTime) }
        }
        (stored, place) = (found?.response, found?.place)
        self.use = use
        isConditional = use == .validate
        if stored == nil { cache.count { $0.misses += 1 } }
    }

    /// Whether processing a response reads the body of the stored one.
    func usesStored(for response: RESTResponse) -> Bool {
        response.status == 304 && isConditional || replaces(status: response.status)
    }

    private func replaces(status: Int) -> Bool {
        stored.map { rules.allows($0, insteadOfStatus: status, at: cache.clock.now) } == true
    }

    /// Whether the stored response replaces a failure.
    func replaces(_ failure: RequestError.Kind) -> Bool {
        stored.map { rules.allows($0, insteadOf: failure, at: cache.clock.now) } == true
    }

    /// The stored response with its body; `nil` if it is damaged or was replaced.
    private var complete: CachedResponse? {
        guard let stored, let place else { return nil }
        return cache.complete(stored, at: place)
    }

    /// Processes a complete response, and schedules storing it; runs on the cache's queue if it uses the stored one.
    ///
    /// - Returns: The response to return to the caller; `nil` if it does not confirm the stored response. The request
    ///   must then be sent again without a condition.
    func conclude(_ response: RESTResponse) -> RESTResponse? {
        let now = cache.clock.now
        if response.status == 304, isConditional {
            guard var confirmed = complete, confirmed.isConfirmed(by: response.headers) else { return nil }
            confirmed.update(by: response.headers, requestTime: requestTime, responseTime: now)
            cache.count { $0.revalidations += 1 }
            // After the update, the response may not be storable, or may depend on other fields.
            let updated = RESTResponse(
                status: confirmed.status, headers: confirmed.headers, body: confirmed.body, url: response.url)
            store(updated, at: now)
            return confirmed.response(
                from: response.url, redirects: response.redirects, attempts: response.attempts, at: now,
                isRevalidated: true)
        }
        if replaces(status: response.status), let stored = complete {
            cache.count { $0.hits += 1 }
            return stored.response(
                from: response.url, redirects: response.redirects, attempts: response.attempts, at: now)
        }
        if response.isSuccessful { store(response, at: now) }
        return response
    }

    /// Returns the stored response, and counts it; runs on the cache's queue.
    func load(from url: URL, redirects: Int, attempts: Int) -> RESTResponse? {
        guard let stored = use == .load ? stored : complete else { return nil }
        cache.count { $0.hits += 1 }
        return stored.response(from: url, redirects: redirects, attempts: attempts, at: cache.clock.now)
    }

    /// Stores a response; if it cannot be stored, removes the older one.
    private func store(_ response: RESTResponse, at now: Date) {
        let storable = CachedResponse(
            response, to: message, policy: rules.policy, requestTime: requestTime, responseTime: now, salt: cache.salt)
        if let storable, Int64(storable.body.count) <= cache.entryLimit {
            cache.storeLater(storable, key, replacing: place, since: instant)
        } else {
            cache.dropLater(place)
        }
    }
}
