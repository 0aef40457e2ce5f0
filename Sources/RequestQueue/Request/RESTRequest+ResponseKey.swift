extension RESTRequest {
    /// Returns digests of the request and of its user, for a response that is kept outside of a cache.
    ///
    /// - Parameter salt: A text that differs for each place where digests are kept.
    /// - Returns: `nil` if the user is unknown before the request is sent, or for another request than a plain GET.
    package func responseKey(salt: String) -> (request: String, user: String)? {
        guard method == .get, body == nil, self.adapters.isEmpty, destination == nil, let url,
            !headers.contains(where: { $0.name.lowercased().hasPrefix("if-") || $0.name.lowercased() == "range" }),
            !CacheControl(headers).has("no-store")
        else { return nil }
        let user = self.authentication?.cacheIdentity
        guard self.authentication == nil || user != nil else { return nil }
        let fields = headers.map { "\($0.name.lowercased())\0\($0.value)" }.sorted()
        let identifying = headers.filter { !CacheKey.isHarmless($0.name) }
            .map { "\($0.name.lowercased())\0\($0.value)" }.sorted()
        return (
            CacheKey.digest([CacheKey.digest(of: url)] + fields.filter { !identifying.contains($0) }),
            CacheKey.digest([salt, user, self.cookies?.header(for: url), self.tls.cacheIdentity] + identifying)
        )
    }

    /// Whether responses are validated by a cache.
    package var usesCache: Bool { self.cache != nil && self.cachePolicy != .never }
}
