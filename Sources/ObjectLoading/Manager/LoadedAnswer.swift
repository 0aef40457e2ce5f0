/// What a pruning needs of a response: the rows that it has, and whether it is complete.
struct LoadedAnswer: Sendable {
    private(set) var rows: LoadedRows
    /// The moment at which the request began.
    let mark: CommitMark
    /// The classes whose objects are at a key path of the body.
    let types: Set<ObjectIdentifier>
    /// Why the response is not complete; `nil` if it is.
    private(set) var defect: String?

    init(_ reply: Reply, _ models: Reply.Models, since mark: CommitMark, _ rows: LoadedRows) {
        self.mark = mark
        self.rows = rows
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

extension PruningReport {
    /// A report of an answer that is not complete, for a reason.
    static func incomplete(_ reason: String, _ pruning: Pruning) -> PruningReport {
        PruningReport(isDryRun: pruning.mode == .dryRun, refusal: .incomplete(reason))
    }
}
