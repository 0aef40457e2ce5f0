extension ResourceQuery {
    /// Returns the first record, or a new one with the parameters of the query as attributes, which is not saved.
    ///
    /// Parameters that the mapping does not read, such as `page`, are not attributes.
    ///
    /// - Parameter attributes: Further attributes of a new record.
    public nonisolated(nonsending) func firstOrInitialize(
        _ attributes: [String: any JSONConvertible] = [:]
    ) async throws(ResourceError) -> Record {
        if let first = try await first { return first }
        return try initialized(attributes)
    }

    /// Returns the first record, or saves a new one with the parameters of the query as attributes.
    ///
    /// - Parameter attributes: Further attributes of a new record.
    /// - Returns: A record; if it is new and invalid, see ``Resource/errors``.
    public nonisolated(nonsending) func firstOrCreate(
        _ attributes: [String: any JSONConvertible] = [:]
    ) async throws(ResourceError) -> Record {
        if let first = try await first { return first }
        return try await kind.createRecord(initialized(attributes))
    }

    func initialized(_ attributes: [String: any JSONConvertible]) throws(ResourceError) -> Record {
        try kind.endpoint.checkDepth(of: queryValue)
        let conditions = parameters.mapValues { $0.json }
        // Parameters such as `page` are not attributes.
        let others = Set(kind.unreadNames(of: .object(JSONObject(conditions.map { ($0.key, $0.value) }))))
        var values = conditions.filter { !others.contains($0.key) }
        for (name, value) in attributes { values[name] = value.json }
        return try kind.make(values, prefix: prefixOptions)
    }

    /// Requests the page after another one, by its link; `nil` after a page without a `next` link, or with one to itself.
    ///
    /// A link with `http`, as from a server behind a proxy that terminates TLS, is followed with `https` if the site has that.
    ///
    /// - Throws: `ResourceError` of kind `redirection` if the link leads to another origin, which receives no request, and of
    ///   kind `notFound` if the status of the next page is 404.
    public nonisolated(nonsending) func page(
        after page: ResourcePage<Record>
    ) async throws(ResourceError) -> ResourcePage<Record>? {
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
        return try await following.requested()
    }
}

extension FormValue {
    /// The value as JSON, for the attributes of a new record.
    fileprivate var json: JSON {
        switch self {
        case .null: .null
        case .text(let text): .string(text)
        case .list(let values): .array(values.map(\.json))
        case .fields(let fields): .object(JSONObject(fields.map { (key: $0.name, value: $0.value.json) }))
        }
    }
}
