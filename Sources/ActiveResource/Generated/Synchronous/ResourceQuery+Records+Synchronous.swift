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

    /// Requests the page after another one, by its link; `nil` after a page without a `next` link to the same origin; blocks the thread.
    @available(*, noasync, message: "pageSync blocks the thread; use `await page()`")
    public func pageSync(
        after page: ResourcePage<Record>
    ) throws(ResourceError) -> ResourcePage<Record>? {
        guard let link = page.links["next"], link != page.response?.url, kind.endpoint.site.hasOrigin(of: link) else {
            return nil
        }
        var following = self
        following.parameters = [:]
        following.source = .path(link.absoluteString)
        return try following.loadSync()
    }
}
