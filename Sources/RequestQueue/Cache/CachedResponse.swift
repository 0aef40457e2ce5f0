/// A response as it is stored.
package struct CachedResponse: Sendable, Hashable {
    var status: Int
    /// The header fields without those of a connection or a single delivery.
    var headers: HTTPHeaders
    /// The decompressed body.
    var body: Data
    /// When the request for it, or for its last validation, was sent.
    var requestTime: Date
    /// When it, or its last validation, was received.
    var responseTime: Date
    /// The request fields that it depends on.
    var variation: Variation
}

extension CachedResponse {
    /// Creates a stored response; `nil` if HTTP does not allow storing it, or it could never be used.
    ///
    /// - Parameters:
    ///   - message: The header fields that were sent.
    ///   - policy: The policy of the request.
    ///   - salt: The salt of the cache.
    init?(
        _ response: RESTResponse, to message: HTTPHeaders, policy: CachePolicy, requestTime: Date, responseTime: Date,
        salt: String
    ) {
        // A 206 response is partial (RFC 9111 §3.3).
        guard response.isSuccessful, response.status != 206, response.headers.allowStoring,
            let variation = Variation(of: response.headers, for: message, salt: salt)
        else { return nil }
        status = response.status
        headers = response.headers.storable
        body = response.body
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.variation = variation
        let isUsedStale = !policy.isDisjoint(with: [.enabled, .timeout, .loadIfOffline, .loadOnError])
        guard isUsedStale || hasValidator || lifetime > 0 || staleIfError > 0 else { return nil }
    }

    /// Returns the response for the caller, with its age (RFC 9111 §5.1).
    func response(
        from url: URL, redirects: Int, attempts: Int, at now: Date, isRevalidated: Bool = false
    ) -> RESTResponse {
        var headers = headers
        headers["Age"] = "\(Int64(min(age(at: now), Double(1 << 31))))"
        return RESTResponse(
            status: status, headers: headers, body: body, url: url, redirects: redirects, attempts: attempts,
            isFromCache: true, isRevalidated: isRevalidated)
    }

    /// Whether the response can be validated.
    var hasValidator: Bool { headers["ETag"] != nil || headers["Last-Modified"] != nil }

    /// Adds the fields that make a request conditional (RFC 9110 §13.1.2, §13.1.3).
    func addConditions(to headers: inout HTTPHeaders) {
        headers["If-None-Match"] = self.headers["ETag"]
        headers["If-Modified-Since"] = self.headers["Last-Modified"]
    }

    /// Whether a 304 response refers to this response and not to another one (RFC 9111 §4.3.4).
    func isConfirmed(by headers: HTTPHeaders) -> Bool { headers.confirm(self.headers["ETag"]) }

    /// Updates the header fields from a 304 response (RFC 9111 §3.2).
    mutating func update(by headers: HTTPHeaders, requestTime: Date, responseTime: Date) {
        // The stored `Date` and `Age` do not apply to the validation.
        for name in ["Date", "Age"] { self.headers[name] = nil }
        let updates = headers.storable.filter { !describesBody($0.name) }
        for field in updates { self.headers[field.name] = nil }
        for field in updates { self.headers.add(field.value, for: field.name) }
        self.requestTime = requestTime
        self.responseTime = responseTime
    }
}

/// Whether a field describes the body of the response that contains it.
private func describesBody(_ name: String) -> Bool {
    ["content-length", "content-encoding", "content-type", "content-range"].contains(name.lowercased())
}

extension String {
    /// The entity tag without its weakness indicator (RFC 9110 §8.8.3.2).
    fileprivate var opaqueTag: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}

extension HTTPHeaders {
    /// Whether a response with these fields can be kept for later requests: no `no-store` and no `Vary: *`.
    package var allowStoring: Bool {
        !CacheControl(self).has("no-store") && !elements(of: "Vary").contains("*")
    }

    /// Whether a 304 response with these fields refers to the response with an entity tag and not to another one (RFC 9111
    /// §4.3.4).
    package func confirm(_ own: String?) -> Bool {
        guard let tag = self["ETag"], let own else { return true }
        return tag.opaqueTag == own.opaqueTag
    }

    /// The fields without those of a connection (RFC 9111 §3.1) or a single delivery, such as cookies.
    fileprivate var storable: HTTPHeaders {
        let dropped: Set = [
            "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
            "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "set-cookie", "set-cookie2",
            "authentication-info", "www-authenticate",
        ]
        let names = dropped.union(elements(of: "Connection"))
        return HTTPHeaders(fields: fields.filter { !names.contains($0.name.lowercased()) })
    }
}

/// The age and freshness of a stored response in seconds (RFC 9111 §4.2).
extension CachedResponse {
    /// The freshness lifetime that the server declared; 0 if it is missing or invalid.
    var lifetime: Double {
        if let seconds = CacheControl(headers).seconds("max-age") { return seconds }
        guard let expires = headers["Expires"], let end = Date(httpDate: expires) else { return 0 }
        return max(0, end.timeIntervalSince(date))
    }

    /// Returns the age, calculated from the server's dates and from local times; the greater one is used.
    func age(at now: Date) -> Double {
        let apparent = max(0, responseTime.timeIntervalSince(date))
        let corrected = receivedAge + max(0, responseTime.timeIntervalSince(requestTime))
        return max(apparent, corrected) + max(0, storedFor(at: now))
    }

    /// Returns the time since it was received or validated; negative if the clock was set back.
    func storedFor(at now: Date) -> Double { now.timeIntervalSince(responseTime) }

    /// Whether HTTP allows using the response without validation.
    ///
    /// - Parameter staleness: The number of seconds after its lifetime for which the request accepts the response.
    func isFresh(at now: Date, staleness: Double = 0) -> Bool {
        let control = CacheControl(headers)
        // The age is unknown if the response was received in the future.
        guard !control.has("no-cache"), storedFor(at: now) >= 0 else { return false }
        return age(at: now) < lifetime + (control.has("must-revalidate") ? 0 : staleness)
    }

    /// The number of seconds after its lifetime for which it may replace an error (RFC 5861 §4).
    var staleIfError: Double {
        let control = CacheControl(headers)
        let isForbidden = control.has("no-cache") || control.has("must-revalidate")
        return isForbidden ? 0 : control.seconds("stale-if-error") ?? 0
    }

    /// The `Age` when it was received, as intermediate caches report it; the first value is used (RFC 9111 §5.1).
    private var receivedAge: Double {
        headers.elements(of: "Age").first.flatMap(CacheControl.seconds) ?? 0
    }

    /// The date at which the server created it; defaults to when it was received (RFC 9110 §6.6.1).
    private var date: Date { headers["Date"].flatMap { Date(httpDate: $0) } ?? responseTime }
}
