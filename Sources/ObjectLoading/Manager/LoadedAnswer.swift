/// What a pruning needs of a response: the rows that it has, and whether it is complete.
struct LoadedAnswer: Sendable {
    private(set) var rows: LoadedRows
    /// The moment at which the request began.
    let mark: CommitMark
    /// The classes whose objects are at a key path of the body.
    let types: Set<ObjectIdentifier>
    /// Why the response is not complete; `nil` if it is.
    private(set) var defect: String?

    /// - Parameter objects: The objects from before the save.
    init(
        _ reply: Reply, _ models: Reply.Models, since mark: CommitMark, _ context: ObjectContext,
        _ objects: [ManagedObject], recording response: RecordedResponse?
    ) {
        self.mark = mark
        rows = context.loadedRows(objects, recording: response)
        let managed = (reply.content?.matches.descriptors ?? []).filter(\.isManaged)
        types = Set(managed.map { ObjectIdentifier($0.type) })
        defect = reply.defect(models)
    }

    /// Adds the next page of a list.
    mutating func add(_ page: LoadedAnswer) {
        rows.formUnion(page.rows)
        defect = defect ?? page.defect ?? (page.types == types ? nil : "its pages have objects of different classes")
    }
}

extension ObjectManager {
    /// Prunes the objects of a path after a response.
    ///
    /// - Parameter scope: The objects of the path.
    func prune(
        after result: LoadResult, _ scope: OfflineScope, _ pruning: Pruning
    ) async throws -> PruningReport {
        if let name = scope.unreadNames.first {
            return .incomplete(
                "the query of the request has '\(name)', which the queries of '\(scope.path)' do not read", pruning)
        }
        guard let answer = result.answer else {
            return .incomplete(
                result.isNotModified ? "it is unchanged (status 304)" : "it has no managed objects", pruning)
        }
        if result.response.links["next"] != nil { return .incomplete("it has a next page", pruning) }
        if let total = result.response.totalCount, total != Set(result.objectIDs).count {
            return .incomplete("it has \(Set(result.objectIDs).count) of \(total) objects", pruning)
        }
        return try await prune(after: answer, scope, pruning)
    }

    /// Prunes the objects of a path after all of its pages were loaded.
    func prune(
        after answer: LoadedAnswer, _ scope: OfflineScope, _ pruning: Pruning
    ) async throws -> PruningReport {
        if let defect = answer.defect { return .incomplete(defect, pruning) }
        let queries = scope.queries.filter { answer.types.contains(ObjectIdentifier($0.objectType)) }
        guard let store, !queries.isEmpty else {
            return .incomplete("no response descriptor of '\(scope.path)' has the classes of its queries", pruning)
        }
        return try await store.prune(queries, keeping: answer.rows, since: answer.mark, pruning)
    }
}

/// The pages of a list that were loaded so far: after the last one, what they do not have can be pruned.
struct PrunedPages: Sendable {
    private let scope: OfflineScope
    private let pruning: Pruning
    private var answer: LoadedAnswer?
    private var identities: Set<ObjectID> = []
    private var totals: Set<Int?> = []
    private var count = 0
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
        count += 1
        identities.formUnion(page.objectIDs)
        totals.insert(total)
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
        // An object that moves between pages while they are read is on none of them.
        let isCounted = totals.count == 1 && totals.first == identities.count
        guard isCounted || count == 1 && totals == [nil] else {
            return .incomplete("its pages have not the same total, or not as many objects", pruning)
        }
        return try await manager.prune(after: answer, scope, pruning)
    }
}

extension PruningReport {
    fileprivate static func incomplete(_ reason: String, _ pruning: Pruning) -> PruningReport {
        PruningReport(isDryRun: pruning.mode == .dryRun, refusal: .incomplete(reason))
    }
}
