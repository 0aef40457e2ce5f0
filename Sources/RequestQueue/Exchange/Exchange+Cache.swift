import Synchronization

extension Exchange {
    /// Starts a cache lookup before the request is sent; it continues on the cache's queue.
    ///
    /// - Returns: Whether a lookup was started.
    func asksCache(_ cache: RequestCache, before hop: TransportRequest, at now: Duration) -> Bool {
        var rules: CacheRules?
        let authentication = authentication(for: hop)
        let asker = authentication?.cacheIdentity
        // Before the first token, the user of the stored responses is unknown.
        let isAskerKnown = authentication == nil || asker != nil
        if case .memory = delivery, isAskerKnown { rules = CacheRules(request, sent: hop) }
        guard let rules else {
            state.withLock { $0.lookUp = nil }
            guard CacheControl(hop.headers).has("only-if-cached") else { return false }
            failUncached()
            return true
        }
        state.withLock { state in
            state.hop = hop
            // The lookup of an earlier hop does not apply to this one.
            state.lookUp = nil
            // Only the total timeout applies during the lookup.
            state.deadlines.endHop(at: now)
        }
        var message = hop
        message.headers = withCookies(hop)
        cache.enqueue { [self, message] in
            let lookUp = CacheLookUp(cache, rules, message, asker: asker, isDecoded: request.isDecoded)
            state.withLock { $0.lookUp = lookUp }
            switch lookUp.use {
            case .load: if let stored = lookUp.stored { load(stored, lookUp, from: hop.url) }
            case .validate, .ask: sendToServer(hop, at: Watchdog.shared.now)
            case .refuse: failUncached()
            }
        }
        return true
    }

    /// Makes a request conditional if a stored response is validated.
    ///
    /// If its cookies or token have changed since the lookup, the result of the lookup is discarded.
    func addConditions(to headers: inout HTTPHeaders, of hop: TransportRequest) {
        let asker = authentication(for: hop)?.cacheIdentity
        let cookie = headers["Cookie"]
        let lookUp = state.withLock { state in
            if let lookUp = state.lookUp, lookUp.asker != asker || lookUp.message["Cookie"] != cookie {
                state.lookUp = nil
            }
            return state.lookUp
        }
        if let lookUp, lookUp.isConditional { lookUp.stored?.addConditions(to: &headers) }
    }

    /// Ends the request with a complete response, processed by the cache if there was a lookup.
    func conclude(_ response: RESTResponse, to hop: TransportRequest) {
        guard request.cache != nil, let lookUp = state.withLock({ $0.lookUp }) else {
            return end { _ in .success(response) }
        }
        if let response = lookUp.conclude(response) { return end { _ in .success(response) } }
        let now = Watchdog.shared.now
        _ = state.withLock { state in
            state.lookUp?.isConditional = false
            return state.endHop(at: now)
        }
        sendToServer(hop, at: now)
    }

    /// Invalidates the stored responses that a request has changed (RFC 9111 §4.4).
    func invalidateCache(by head: ResponseHead, to hop: TransportRequest) {
        guard let cache = request.cache, !hop.method.isSafe, (200..<400).contains(head.status) else { return }
        cache.invalidate(hop.url)
        for name in ["Location", "Content-Location"] {
            guard let text = head.headers.values(for: name).first,
                let url = URL(string: text, relativeTo: hop.url)?.absoluteURL, url.isSameOrigin(as: hop.url)
            else { continue }
            cache.invalidate(url)
        }
    }

    /// Invalidates the stored responses that a request without a response may have changed.
    func invalidateCacheIfSent() {
        guard let cache = request.cache else { return }
        let url = state.withLock { state -> URL? in
            guard state.outcome == nil, let hop = state.hop, !hop.method.isSafe else { return nil }
            return state.phase.isUnconnected && state.attempts == 1 ? nil : hop.url
        }
        if let url { cache.invalidate(url) }
    }

    private func failUncached() {
        fail(
            TransportFailure(
                .notCached, "the request has 'Cache-Control: only-if-cached' and was not sent to the server"))
    }

    private func load(_ stored: CachedResponse, _ lookUp: CacheLookUp, from url: URL) {
        let now = lookUp.cache.clock.now
        lookUp.cache.count { $0.hits += 1 }
        end { .success(stored.response(from: url, redirects: $0.redirects, attempts: $0.attempts, at: now)) }
    }
}

extension ExchangeState {
    /// Returns the stored response that replaces a failure.
    func standIn(for failure: TransportFailure) -> RESTResponse? {
        guard let lookUp, let hop else { return nil }
        return lookUp.response(insteadOf: failure.kind, from: hop.url, redirects: redirects, attempts: attempts)
    }
}
