import Synchronization

extension Exchange {
    /// Asks the cache before the server; what follows begins on the cache's own thread.
    ///
    /// - Returns: Whether the cache is asked.
    func asksCache(_ cache: RequestCache, before hop: TransportRequest, at now: Duration) -> Bool {
        var rules: CacheRules?
        let authentication = authentication(for: hop)
        let asker = authentication?.cacheIdentity
        // Before its first token nobody knows whose responses these would be.
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
            // What was found for an earlier hop is no answer to this one.
            state.lookUp = nil
            // Only the whole time counts meanwhile.
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

    /// Makes a request conditional, if the server is to be asked whether what is stored still holds.
    ///
    /// If it has other cookies or another token than when the cache was asked, the cache has no part in it any more.
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

    /// Hands a whole response over, by way of the cache if that was asked.
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

    /// Forgets what a request has changed at its server (RFC 9111 §4.4).
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

    /// Forgets what a request may have changed of which no answer came.
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
                .notCached, "the request says 'Cache-Control: only-if-cached', so the server is not asked"))
    }

    private func load(_ stored: CachedResponse, _ lookUp: CacheLookUp, from url: URL) {
        let now = lookUp.cache.clock.now
        lookUp.cache.count { $0.hits += 1 }
        end { .success(stored.response(from: url, redirects: $0.redirects, attempts: $0.attempts, at: now)) }
    }
}

extension ExchangeState {
    /// A stored response that is the outcome instead of a failure.
    func standIn(for failure: TransportFailure) -> RESTResponse? {
        guard let lookUp, let hop else { return nil }
        return lookUp.response(insteadOf: failure.kind, from: hop.url, redirects: redirects, attempts: attempts)
    }
}
