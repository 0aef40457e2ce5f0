extension ManagedObjectStore {
    /// Deletes the objects of an entity that a complete answer did not have, with their delete rules.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - kept: The rows of the answer, and those with unsaved changes.
    ///   - mark: The moment at which the request began.
    func prune(
        _ entity: StoredEntity, keeping kept: Set<Int64>, since mark: CommitMark, _ pruning: Pruning,
        _ remote: RemoteConnection
    ) async throws {
        let event = try await perform { context -> RemoteEvent? in
            let core = context.core
            let changes = mark.changes(withResponses: false)
            // Of commits whose rows are unknown, any row can be newer.
            let isKnown = changes.map { !$0.isEverything && !self.entities.map(\.index).contains(where: $0.isAll) }
            guard isKnown ?? true else { return nil }
            let isRecent = self.entities.map { changes?.isWritten($0.index) ?? { _ in false } }
            // Without an identity, an object was never sent.
            let known = entity.identity.map { "\(entity.columnNames[$0]) IS NOT NULL" }
            guard !known.isEmpty else { return nil }
            let unsent = try self.keepsUnsent ? self.unsentRows(of: entity) : []
            let rows = try core.values(
                "SELECT \"_id\" FROM \(entity.table) WHERE \(known.joined(separator: " AND "))", []
            ).compactMap { $0.first?.integer }.filter {
                !kept.contains($0) && !isRecent[entity.index]($0) && !unsent.contains($0)
            }
            guard !rows.isEmpty else { return nil }
            let total = try self.count(of: entity.name)
            for object in try core.read(entity, rows: rows) { context.delete(object) }
            let deleted = core.changedObjects.filter { $0.state?.phase == .deleted }
            let ids = deleted.map(core.id)
            if pruning.mode == .dryRun {
                context.rollback()
                return .didPrune(ids, isDryRun: true)
            }
            let isProtected = deleted.contains { object in
                isRecent[Int(object.entityIndex)](object.row)
                    || object.identityValues.contains { $0 == nil } && !core.entity(of: object).identity.isEmpty
            }
            guard !isProtected,
                total < Pruning.minimumCount || Double(ids.count) <= pruning.maximumShare * Double(total)
            else {
                context.rollback()
                return .didRefusePruning(count: ids.count, of: total)
            }
            try context.saveWaiting()
            return .didPrune(ids, isDryRun: false)
        }
        if let event { remote.report(event) }
    }

    /// The rows with edits that a server has not accepted.
    private func unsentRows(of entity: StoredEntity) throws(StoreError) -> Set<Int64> {
        try read { (connection) throws(StoreError) in
            Set(try UnsentMarks(connection)?.properties(of: entity).keys.map(\.self) ?? [])
        }
    }
}
