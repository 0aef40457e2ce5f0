extension Exchange {
    /// Looks up a stored response, on the cache's queue.
    func lookUp() -> Effects {
        let hop = state.withLock { state in
            // The lookup of an earlier hop does not apply to this one.
            state.lookUp = nil
            return state.machine.isEnded ? nil : state.hop
        }
        guard let hop, let cache = request.cache else { return Effects() }
        var rules: CacheRules?
        let authentication = authentication(for: hop)
        let user = authentication?.cacheIdentity
        // Before the first token, the user of the stored responses is unknown.
        let isUserKnown = authentication == nil || user != nil
        if case .memory = delivery, isUserKnown {
            rules = CacheRules(request.cachePolicy, timeout: request.cacheTimeout, sent: hop)
        }
        guard let rules else {
            return effects(.lookedUp(CacheControl(hop.headers).has("only-if-cached") ? .fail : .fetch))
        }
        var message = hop
        message.headers = withCookies(hop)
        cache.enqueue { [self, message] in
            let lookUp = CacheLookup(cache, rules, message, user: user, isDecoded: request.isDecoded)
            apply { state in
                state.lookUp = lookUp
                if lookUp.use == .load,
                    let response = lookUp.load(
                        from: hop.url, redirects: state.machine.course.redirects,
                        attempts: state.machine.course.attempts)
                {
                    state.outcome = .success(response)
                }
                return .lookedUp(lookUp.use)
            }
        }
        return Effects()
    }

    /// Makes a request conditional if a stored response is validated.
    ///
    /// If its cookies or token have changed since the lookup, the result of the lookup is discarded.
    func addConditions(to headers: inout HTTPHeaders, of hop: TransportRequest) {
        let user = authentication(for: hop)?.cacheIdentity
        let cookie = headers["Cookie"]
        let lookUp = state.withLock { state in
            if let lookUp = state.lookUp, lookUp.user != user || lookUp.message["Cookie"] != cookie {
                state.lookUp = nil
            }
            return state.lookUp
        }
        if let lookUp, lookUp.isConditional { lookUp.stored?.addConditions(to: &headers) }
    }

    /// Has the cache process a complete response, if there was a lookup.
    func conclude() -> Effects {
        let (lookUp, outcome) = state.withLock { ($0.lookUp, $0.outcome) }
        guard let lookUp, case .success(let response) = outcome else { return effects(.concluded(isFinal: true)) }
        @Sendable func conclude() -> Effects {
            let concluded = lookUp.conclude(response)
            return effects { state in
                guard !state.machine.isEnded else { return nil }
                if let concluded { state.outcome = .success(concluded) } else { state.lookUp?.isConditional = false }
                return .concluded(isFinal: concluded != nil)
            }
        }
        guard lookUp.usesStored(for: response) else { return conclude() }
        lookUp.cache.enqueue { self.run(conclude()) }
        return Effects()
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
        let (hop, machine) = state.withLock { ($0.hop, $0.machine) }
        guard let hop, !hop.method.isSafe, !machine.phase.isUnconnected || machine.course.attempts > 1 else { return }
        cache.invalidate(hop.url)
    }

    package func storedResponse(insteadOf failure: TransportFailure) -> (@Sendable () -> RESTResponse?)? {
        let (lookUp, hop, course) = state.withLock { ($0.lookUp, $0.hop, $0.machine.course) }
        guard let lookUp, let hop, lookUp.replaces(failure.kind) else { return nil }
        return { lookUp.load(from: hop.url, redirects: course.redirects, attempts: course.attempts) }
    }
}
