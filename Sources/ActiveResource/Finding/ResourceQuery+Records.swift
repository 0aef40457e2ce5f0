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
        let conditions = parameters.mapValues { $0.json }
        // Parameters such as `page` are not attributes.
        let others = Set(kind.unreadNames(of: .object(JSONObject(conditions.map { ($0.key, $0.value) }))))
        var values = conditions.filter { !others.contains($0.key) }
        for (name, value) in attributes { values[name] = value.json }
        return try kind.make(values, prefix: prefixOptions)
    }

    /// Requests the page after another one, by its link; `nil` after a page without a `next` link to the same origin.
    public nonisolated(nonsending) func page(
        after page: ResourcePage<Record>
    ) async throws(ResourceError) -> ResourcePage<Record>? {
        guard let link = page.links["next"], link != page.response?.url, kind.endpoint.site.hasOrigin(of: link) else {
            return nil
        }
        var following = self
        following.parameters = [:]
        following.source = .path(link.absoluteString)
        return try await following.load()
    }

    /// The pages of the list, requested one by one by following links.
    ///
    /// It ends at a page without a `next` link to the same origin.
    public func pages() -> ResourcePages<Record> { ResourcePages(query: self) }
}

/// The pages of a list, requested one by one.
public struct ResourcePages<Record>: AsyncSequence {
    /// A page.
    public typealias Element = ResourcePage<Record>
    /// The reason why a page could not be requested.
    public typealias Failure = ResourceError

    let query: ResourceQuery<Record>

    /// Returns an iterator that starts at the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(query: query) }

    /// An iterator that requests the pages.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let query: ResourceQuery<Record>
        private var last: ResourcePage<Record>?
        private var isAtEnd = false

        fileprivate init(query: ResourceQuery<Record>) { self.query = query }

        /// Requests the next page; `nil` after the last one.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ResourceError) -> ResourcePage<Record>? {
            if isAtEnd { return nil }
            // An error ends the sequence.
            isAtEnd = true
            let page: ResourcePage<Record>? =
                if let last { try await query.page(after: last) } else { try await query.load() }
            last = page
            isAtEnd = page == nil
            return page
        }

        /// Requests the next page; `nil` after the last one.
        public mutating func next() async throws(ResourceError) -> ResourcePage<Record>? {
            try await next(isolation: nil)
        }
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
