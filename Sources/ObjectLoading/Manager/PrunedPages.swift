/// The pages of a list that were loaded so far: after the last one, what they do not have can be pruned.
struct PrunedPages: Sendable {
    private let scope: OfflineScope
    private let pruning: Pruning
    private var answer: LoadedAnswer?
    private var identities: Set<ObjectID> = []
    private var totals: Set<Int?> = []
    private var isBroken = false
    /// Whether the last page has a link to a next one, which a total contradicts.
    private var hasNextPage = false

    /// Creates a run without pages.
    ///
    /// - Parameters:
    ///   - first: The request of the first page.
    ///   - parameters: The names in its query that select the page.
    /// - Throws: `LoadError` if no queries were added for the path.
    init(
        _ manager: ObjectManager, first: RESTRequest, selecting parameters: Set<String>, _ pruning: Pruning
    ) throws(LoadError) {
        let path = first.url.flatMap { relativePath(of: $0, to: manager.client.baseURL) } ?? "?"
        guard let scope = try manager.offlineScope(of: first) else { throw LoadError(noQueriesFor: path, to: "prune") }
        self.scope = OfflineScope(
            path: scope.path, queries: scope.queries,
            unreadNames: scope.unreadNames.filter { !parameters.contains($0) })
        self.pruning = pruning
    }

    /// Adds a page that was loaded with `keepsAnswer`.
    ///
    /// - Parameter total: The number of objects on all pages, as the page states it; `nil` if it does not.
    mutating func add(_ page: LoadResult, total: Int?) {
        identities.formUnion(page.objectIDs)
        totals.insert(total)
        hasNextPage = page.response.links["next"] != nil
        guard let next = page.answer else { return isBroken = true }
        if answer == nil { answer = next } else { answer?.add(next) }
    }

    /// Prunes after the last page.
    func prune(by manager: ObjectManager) async throws -> PruningReport {
        if let name = scope.unreadNames.first {
            return .incomplete(
                "the query of the request has '\(name)', which the queries of '\(scope.path)' do not read", pruning)
        }
        guard let answer, !isBroken else { return .incomplete("a page was not loaded completely", pruning) }
        if hasNextPage { return .incomplete("it has a next page", pruning) }
        // An object that moves between pages while they are read is on none of them.
        let isCounted = totals.count == 1 && totals.first == identities.count
        guard isCounted else {
            return .incomplete("its pages have not the same total, or not as many objects", pruning)
        }
        return try await manager.prune(after: answer, scope, pruning)
    }
}
