// Written by scripts/generate-resource-calls; do not edit.

extension ResourceQuery {
    /// Returns the first record, or a new one with the parameters of the query as attributes, which is not saved; blocks the thread.
    ///
    /// Parameters that the mapping does not read, such as `page`, are not attributes.
    ///
    /// - Parameter attributes: Further attributes of a new record.
    @available(*, noasync, message: "firstOrInitializeSync blocks the thread; use `await firstOrInitialize()`")
    public func firstOrInitializeSync(
        _ attributes: [String: any JSONConvertible] = [:]
    ) throws(ResourceError) -> Record {
        if let first = try firstSync { return first }
        return try initialized(attributes)
    }

    /// Returns the first record, or saves a new one with the parameters of the query as attributes; blocks the thread.
    ///
    /// - Parameter attributes: Further attributes of a new record.
    /// - Returns: A record; if it is new and invalid, see ``Resource/errors``.
    @available(*, noasync, message: "firstOrCreateSync blocks the thread; use `await firstOrCreate()`")
    public func firstOrCreateSync(
        _ attributes: [String: any JSONConvertible] = [:]
    ) throws(ResourceError) -> Record {
        if let first = try firstSync { return first }
        return try kind.createRecordSync(initialized(attributes))
    }

    /// Requests the page after another one, by its link; `nil` after a page without a `next` link, or with one to itself; blocks the thread.
    ///
    /// A link with `http`, as from a server behind a proxy that terminates TLS, is followed with `https` if the site has that.
    ///
    /// - Throws: `ResourceError` of kind `redirection` if the link leads to another origin, which receives no request, and of
    ///   kind `notFound` if the status of the next page is 404.
    @available(*, noasync, message: "pageSync blocks the thread; use `await page()`")
    public func pageSync(
        after page: ResourcePage<Record>
    ) throws(ResourceError) -> ResourcePage<Record>? {
        guard let response = page.response, let link = page.links["next"] else { return nil }
        let site = kind.endpoint.site
        guard let target = link.target(at: site.url) else {
            throw ResourceError(
                .redirection,
                "the next page has another origin: expected a link to \(site.url.shown), found \(link.shown)",
                response: response)
        }
        guard target != response.url else { return nil }
        var following = self
        following.parameters = [:]
        following.source = .path(target.absoluteString)
        return try following.requestedSync()
    }
}
