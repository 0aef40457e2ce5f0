/// The pages of a list that were loaded so far: after the last one, what they do not have can be pruned.
struct PrunedPages: Sendable {
    private let scope: OfflineScope
    private let pruning: Pruning
    private var answer: LoadedAnswer?
    private var isBroken = false

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
        guard var next = page.answer else { return isBroken = true }
        next.setTotal(total)
        if answer == nil { answer = next } else { answer?.add(next) }
    }

    /// Prunes after the last page.
    func prune(by manager: ObjectManager) async throws -> PruningReport {
        guard let answer, !isBroken else { return .incomplete("a page was not loaded completely", pruning) }
        // An object that moves between pages while they are read is on none of them.
        return try await manager.prune(after: answer, scope, pruning, requiresTotal: true)
    }
}
