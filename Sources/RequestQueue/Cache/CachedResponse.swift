/// A response as it is kept.
package struct CachedResponse: Sendable, Hashable {
    var status: Int
    /// Without the fields that belong to one connection or one delivery.
    var headers: HTTPHeaders
    /// Decompressed, as it was delivered.
    var body: Data
    /// When the request for it, or for its last confirmation, went.
    var requestTime: Date
    /// When it, or its last confirmation, had come.
    var responseTime: Date
    /// Which requests it answers among those for its URL.
    var variation: Variation

    /// A response to be stored; nil if HTTP does not let it be stored, or nothing could ever be done with it.
    ///
    /// - Parameters:
    ///   - message: The header fields that were sent.
    ///   - policy: What stored responses are used for.
    ///   - salt: The cache's own.
    init?(
        _ response: RESTResponse, to message: HTTPHeaders, policy: CachePolicy, requestTime: Date, responseTime: Date,
        salt: String
    ) {
        // 206 is a part (RFC 9111 §3.3).
        guard response.isSuccessful, response.status != 206, !CacheControl(response.headers).has("no-store"),
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

    init(
        status: Int, headers: HTTPHeaders, body: Data, requestTime: Date, responseTime: Date, variation: Variation
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.variation = variation
    }

    /// The response to hand over, with its age (RFC 9111 §5.1).
    func response(from url: URL, redirects: Int, attempts: Int, at now: Date) -> RESTResponse {
        var headers = headers
        headers["Age"] = "\(Int64(min(age(at: now), Double(1 << 31))))"
        return RESTResponse(
            status: status, headers: headers, body: body, url: url, redirects: redirects, attempts: attempts,
            isFromCache: true)
    }
}

extension CachedResponse {
    /// Whether the server can be asked if it still holds.
    var hasValidator: Bool { headers["ETag"] != nil || headers["Last-Modified"] != nil }

    /// The fields that make a request conditional (RFC 9110 §13.1.2, §13.1.3).
    func addConditions(to headers: inout HTTPHeaders) {
        headers["If-None-Match"] = self.headers["ETag"]
        headers["If-Modified-Since"] = self.headers["Last-Modified"]
    }

    /// Whether a 304 speaks of this response, and not of another that the server takes it for (RFC 9111 §4.3.4).
    func isConfirmed(by headers: HTTPHeaders) -> Bool {
        guard let tag = headers["ETag"], let own = self.headers["ETag"] else { return true }
        return tag.opaqueTag == own.opaqueTag
    }

    /// Takes over what a 304 says (RFC 9111 §3.2).
    mutating func update(by headers: HTTPHeaders, requestTime: Date, responseTime: Date) {
        // They tell how long the confirmation lasts: those of the response itself are of another time.
        for name in ["Date", "Age"] { self.headers[name] = nil }
        let news = headers.storable.filter { !describesBody($0.name) }
        for field in news { self.headers[field.name] = nil }
        for field in news { self.headers.add(field.value, for: field.name) }
        self.requestTime = requestTime
        self.responseTime = responseTime
    }
}

/// Whether a field tells of the bytes that are stored, not of those of a 304.
private func describesBody(_ name: String) -> Bool {
    ["content-length", "content-encoding", "content-type", "content-range"].contains(name.lowercased())
}

extension String {
    /// An entity tag without its mark of weakness (RFC 9110 §8.8.3.2).
    fileprivate var opaqueTag: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}

extension HTTPHeaders {
    /// Without the fields that speak of a connection (RFC 9111 §3.1) or are for one delivery, as cookies.
    fileprivate var storable: HTTPHeaders {
        var dropped: Set = [
            "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
            "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "set-cookie", "set-cookie2",
            "authentication-info", "www-authenticate",
        ]
        for name in self["Connection"]?.utf8.split(separator: UInt8(ascii: ",")) ?? [] {
            dropped.insert(trimmingBlanks(name).lowercased())
        }
        return HTTPHeaders(fields: fields.filter { !dropped.contains($0.name.lowercased()) })
    }
}
