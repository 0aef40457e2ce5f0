/// What a pruning needs of a response: the rows that it has, and whether it is complete.
struct LoadedAnswer: Sendable {
    private(set) var rows: LoadedRows
    /// The moment at which the request began.
    let mark: CommitMark
    /// The classes whose objects are at a key path of the body.
    let types: Set<ObjectIdentifier>
    /// Why the response is not complete; `nil` if it is.
    private(set) var defect: String?
    /// Whether the last page has a link to a next one, which a total contradicts.
    private var hasNextPage: Bool
    /// The objects at each key path: one of them is the list of which a total is the number.
    private var lists: [String: [LoadedIDs]]
    /// The totals of the pages; `nil` for a page without one.
    private var totals: Set<Int?>
    /// What later requests have found.
    var confirmations: [Confirmations] = []

    init(_ reply: Reply, _ models: Reply.Models, _ result: LoadResult, since mark: CommitMark, _ rows: LoadedRows) {
        (self.mark, self.rows) = (mark, rows)
        let managed = (reply.content?.matches.descriptors ?? []).filter(\.isManaged)
        types = Set(managed.map { ObjectIdentifier($0.type) })
        defect = reply.defect(models)
        hasNextPage = reply.response.links["next"] != nil
        lists = result.lists
        totals = [reply.response.totalCount]
    }

    /// Adds the next page of a list.
    mutating func add(_ page: LoadedAnswer) {
        rows.formUnion(page.rows)
        defect = defect ?? page.defect ?? (page.types == types ? nil : "its pages have objects of different classes")
        hasNextPage = page.hasNextPage
        lists.merge(page.lists, uniquingKeysWith: +)
        totals.formUnion(page.totals)
        confirmations += page.confirmations
    }

    /// Replaces the totals by that which the pagination has read.
    mutating func setTotal(_ total: Int?) { totals = [total] }

    /// Returns the reason why the answer does not have all objects of a path; `nil` if it does.
    ///
    /// - Parameter requiresTotal: Whether a total must be known.
    func reasonIfIncomplete(_ scope: OfflineScope, requiresTotal: Bool) -> String? {
        if let name = scope.unreadNames.first {
            return "the query of the request has '\(name)', which the queries of '\(scope.path)' do not read"
        }
        if let defect { return defect }
        if hasNextPage { return "it has a next page" }
        if !requiresTotal, totals == [nil] { return nil }
        guard totals.count == 1, let total = totals.first.flatMap({ $0 }) else {
            return "its pages have not the same total"
        }
        // Objects of other classes, and those at other key paths, are not those of the list.
        let classes = Set(scope.queries.map { $0.objectType.entityName })
        let counts = lists.values.map { Set($0.joined().filter { classes.contains($0.entity) }).count }
        let count = counts.max() ?? 0
        return count == total ? nil : "it has \(count) of \(total) objects"
    }
}

extension LoadResult {
    /// The managed objects by key path.
    fileprivate var lists: [String: [LoadedIDs]] {
        var lists: [String: [LoadedIDs]] = [:]
        for part in parts {
            if case .objects(let ids) = part.models { lists[part.keyPath.description, default: []].append(ids) }
        }
        return lists
    }
}

extension ObjectManager {
    /// Prunes the objects of a path after a response.
    ///
    /// - Parameter scope: The objects of the path.
    func prune(
        after result: LoadResult, _ scope: OfflineScope, _ pruning: Pruning
    ) async throws -> PruningReport {
        guard let answer = result.answer else {
            return .incomplete(
                result.isNotModified ? "it is unchanged (status 304)" : "it has no managed objects", pruning)
        }
        return try await prune(after: answer, scope, pruning, requiresTotal: false)
    }

    /// Prunes the objects of a path after all of its pages were loaded.
    ///
    /// - Parameter requiresTotal: Whether the answer must state the number of its objects.
    func prune(
        after answer: LoadedAnswer, _ scope: OfflineScope, _ pruning: Pruning, requiresTotal: Bool
    ) async throws -> PruningReport {
        if let reason = answer.reasonIfIncomplete(scope, requiresTotal: requiresTotal) {
            return .incomplete(reason, pruning)
        }
        let queries = scope.queries.filter { answer.types.contains(ObjectIdentifier($0.objectType)) }
        guard let store, !queries.isEmpty else {
            return .incomplete("no response descriptor of '\(scope.path)' has the classes of its queries", pruning)
        }
        var rows = answer.rows
        for confirmations in answer.confirmations { rows.keep(confirmations.all, in: store) }
        return try await store.prune(queries, keeping: rows, since: answer.mark, pruning)
    }
}

extension PruningReport {
    /// A report of an answer that is not complete, for a reason.
    static func incomplete(_ reason: String, _ pruning: Pruning) -> PruningReport {
        PruningReport(isDryRun: pruning.mode == .dryRun, refusal: .incomplete(reason))
    }
}
