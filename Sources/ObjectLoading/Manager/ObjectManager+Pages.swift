import Synchronization

extension ObjectManager {
    // MARK: Pages

    /// Returns the pages of a list, which are loaded one by one.
    ///
    /// ```swift
    /// for try await page in manager.pages("/projects", .linkHeader) {
    ///     show(try page.objects(of: Project.self, in: context))
    /// }
    /// ```
    ///
    /// Each page is saved in a separate transaction: after an error, the pages before it are in the store. While a page is
    /// used, the next one is loaded; see `Pages.prefetching(_:)`.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the base URL of the client.
    ///   - pagination: How the list is divided into pages. Defaults to the links of header fields.
    ///   - query: The query of each page, added to that of the path. Defaults to none.
    ///   - headers: Header fields of the requests, each of which replaces the client's. Defaults to none.
    ///   - position: The first page, such as a stored ``LoadResult/nextPage``. Defaults to `nil`, the first page of the list.
    ///   - owner: A value by which the requests can be cancelled in the ``queue``. Defaults to `nil`.
    ///   - pruning: What happens to stored objects of the path that no page has, after a run through all pages whose total
    ///     is the number of their objects; the last page has the ``LoadResult/pruning``. Requires queries for the path: see
    ///     ``offline``. Defaults to `.none`.
    ///   - policy: What happens to elements with issues. Defaults to `.fail`.
    /// - Returns: A sequence that throws like ``load(_:method:query:headers:owner:policy:pruning:)``, and `PageError` for pages.
    public func pages(
        _ path: String, _ pagination: Pagination = .linkHeader, query: FormValue = [:], headers: HTTPHeaders = [:],
        from position: PagePosition? = nil, owner: (any Hashable & Sendable)? = nil, pruning: Pruning = .none,
        policy: MappingReport.Policy = .fail
    ) -> Pages<LoadResult, any Error> {
        pages(
            path, pagination, query: query, headers: headers, from: position, owner: owner, pruning: pruning,
            policy: policy, endsOffline: false)
    }

    /// - Parameter endsOffline: Whether a page fails while the host is not reachable, instead of waiting for the network.
    func pages(
        _ path: String, _ pagination: Pagination, query: FormValue, headers: HTTPHeaders = [:],
        from position: PagePosition? = nil, owner: (any Hashable & Sendable)? = nil, pruning: Pruning,
        policy: MappingReport.Policy = .fail, endsOffline: Bool
    ) -> Pages<LoadResult, any Error> {
        Pages(
            pagination, of: client.list(path, query), at: client.baseURL, from: position,
            by: self.source(pagination, pruning, owner, policy, endsOffline) { [client = self.client] target in
                client.request(target, of: path, query: query, headers: headers)
            })
    }

    /// Returns the source of a run.
    private func source(
        _ pagination: Pagination, _ pruning: Pruning, _ owner: (any Hashable & Sendable)?,
        _ policy: MappingReport.Policy, _ endsOffline: Bool,
        request: @escaping @Sendable (PageRun.Target) -> RESTRequest
    ) -> PageSource<LoadResult, LoadResult, any Error> {
        let pruned = pruning.mode == .none ? nil : PagePruning(pruning, pagination.parameters)
        return PageSource(
            fetch: { [self] target in
                let request = request(target)
                try pruned?.start(self, request)
                let load: @Sendable () async throws -> LoadResult = { [self] in
                    try await running { [self] in
                        // The answer that nothing changed has no links, no body, and no rows to keep.
                        try await self.load(
                            request, owner, policy, isConditional: pruned == nil && pagination.isNumbered,
                            keepsAnswer: pruned != nil)
                    }
                }
                return endsOffline ? try await whileReachable(request, load) : try await load()
            },
            read: { ($0, .init($0.response, count: $0.countOfElements)) },
            didRead: { [self] result, run in
                var result = result
                result.nextPage = run.nextPosition
                if let pruned { result.pruning = try await pruned.add(result, run, self) }
                result.answer = nil
                return result
            })
    }

    /// Returns the pages of a named route.
    ///
    /// - Parameters:
    ///   - name: The name of the route.
    ///   - values: The values of the parameters of its path.
    ///   - pagination: How the list is divided into pages. Defaults to the links of header fields.
    ///   - query: The query of each page. Defaults to none.
    ///   - headers: Header fields of the requests, each of which replaces the client's. Defaults to none.
    ///   - position: The first page. Defaults to `nil`, the first page of the list.
    ///   - owner: A value by which the requests can be cancelled in the ``queue``. Defaults to `nil`.
    ///   - pruning: What happens to stored objects of the path that no page has. Defaults to `.none`.
    ///   - policy: What happens to elements with issues. Defaults to `.fail`.
    /// - Throws: ``RouteError`` if there is no such route or a value is missing.
    public func pages(
        named name: String, _ values: [String: any FormValueConvertible] = [:],
        _ pagination: Pagination = .linkHeader, query: FormValue = [:], headers: HTTPHeaders = [:],
        from position: PagePosition? = nil, owner: (any Hashable & Sendable)? = nil, pruning: Pruning = .none,
        policy: MappingReport.Policy = .fail
    ) throws(RouteError) -> Pages<LoadResult, any Error> {
        pages(
            try router.namedRoute(name, values).path, pagination, query: query, headers: headers, from: position,
            owner: owner, pruning: pruning, policy: policy)
    }

    /// Returns the pages of a relationship by its route.
    ///
    /// - Parameters:
    ///   - object: The owner.
    ///   - relationship: The property of the owner.
    ///   - pagination: How the list is divided into pages. Defaults to the links of header fields.
    ///   - query: The query of each page. Defaults to none.
    ///   - headers: Header fields of the requests, each of which replaces the client's. Defaults to none.
    ///   - position: The first page. Defaults to `nil`, the first page of the list.
    ///   - owner: A value by which the requests can be cancelled in the ``queue``. Defaults to `nil`.
    ///   - pruning: What happens to stored objects of the path that no page has. Defaults to `.none`.
    ///   - policy: What happens to elements with issues. Defaults to `.fail`.
    /// - Throws: ``RouteError`` if there is no route or a value is missing.
    public func pages<Object, Target>(
        _ object: Object, _ relationship: any KeyPath<Object, Target> & Sendable,
        _ pagination: Pagination = .linkHeader, query: FormValue = [:], headers: HTTPHeaders = [:],
        from position: PagePosition? = nil, owner: (any Hashable & Sendable)? = nil, pruning: Pruning = .none,
        policy: MappingReport.Policy = .fail
    ) throws(RouteError) -> Pages<LoadResult, any Error> {
        let path = try router.path(for: object, relationship: relationship)
        return pages(
            path, pagination, query: query, headers: headers, from: position, owner: owner, pruning: pruning,
            policy: policy)
    }

    /// Returns a paginator of a list, which loads its pages by number.
    ///
    /// ```swift
    /// let paginator = manager.paginator("/projects", .page(size: 25))
    /// let page = try await paginator.loadPage(3)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path, relative to the base URL of the client.
    ///   - pagination: How the list is divided into pages. Defaults to pages of 25 with numbers.
    ///   - query: The query of each page. Defaults to none.
    ///   - headers: Header fields of the requests, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the requests can be cancelled in the ``queue``. Defaults to `nil`.
    ///   - policy: What happens to elements with issues. Defaults to `.fail`.
    public func paginator(
        _ path: String, _ pagination: Pagination = .page(), query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil, policy: MappingReport.Policy = .fail
    ) -> Paginator<LoadResult, any Error> {
        Paginator(pages(path, pagination, query: query, headers: headers, owner: owner, policy: policy))
    }
}

/// The pages of a run, of which the last one prunes.
private final class PagePruning: Sendable {
    private let pages = Mutex<PrunedPages?>(nil)
    private let pruning: Pruning
    private let parameters: Set<String>

    init(_ pruning: Pruning, _ parameters: Set<String>) { (self.pruning, self.parameters) = (pruning, parameters) }

    /// Called before each request.
    ///
    /// - Throws: `LoadError` if no queries were added for the path.
    func start(_ manager: ObjectManager, _ request: RESTRequest) throws(LoadError) {
        guard pages.withLock({ $0 == nil }) else { return }
        let new = try PrunedPages(manager, first: request, selecting: parameters, pruning)
        pages.withLock { $0 = new }
    }

    /// Adds a page, and prunes after the last one.
    ///
    /// - Returns: `nil` before the last page.
    func add(_ page: LoadResult, _ run: PageRun, _ manager: ObjectManager) async throws -> PruningReport? {
        let all = pages.withLock { pages in
            pages?.add(page, total: run.total)
            return pages
        }
        guard run.hasEnded, let all else { return nil }
        if let reason = run.unreadable { return .incomplete(reason, pruning) }
        guard run.isComplete else {
            return .incomplete("the run did not begin with the first page, or has another total", pruning)
        }
        return try await all.prune(by: manager)
    }
}

extension LoadResult {
    /// The number of elements of the list in a response: of the key path that has the most, with null and rejected ones.
    fileprivate var countOfElements: Int {
        let counts = parts.map { part in
            switch part.models {
            case .objects(let ids): ids.count + part.nullCount
            case .values(let values): values.count + part.nullCount
            }
        }
        return (counts.max() ?? 0) + report.rejected.count
    }
}
