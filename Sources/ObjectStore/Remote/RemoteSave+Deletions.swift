/// The deletions, after the other changes.
extension RemoteSave {
    nonisolated(nonsending) func sendDeletions() async {
        // Objects of the file that leave an owner are not deleted with it.
        if !deleted.isEmpty { try? await writeRest { $0.state?.phase == .deleted } }
        let leaving = core.changedObjects.filter { $0.state?.phase == .updated }
        // What was deleted meanwhile belongs to the next save, with the objects that were deleted with it.
        let objects = self.objects { $0 == .deleted }.filter { deleted.contains(ObjectIdentifier($0)) }
        // Described before the first one is sent: the file deletes others with it.
        var deletions: [(change: RemoteChange, sent: SentChange)] = []
        for object in SaveOrder.parentsFirst(objects).reversed() {
            let (entity, id) = (core.entity(of: object), object.managed.id)
            let sent = SentChange(.delete, of: object, object.row, object.unsavedChanges)
            do {
                let change = try await core.store.change(
                    .delete, of: sent.row, entity, sent.changes, id, takeKey(of: object), remote)
                deletions.append((change, sent))
            } catch { end(ObjectOutcome(id, .delete, Self.kind(ofUnsent: error), "\(error)"), object) }
        }
        var (waiting, refused): ([ManagedObject], [ManagedObject]) = ([], [])
        for (change, sent) in deletions {
            let entity = core.store.entities[sent.entity]
            let other =
                referrer(to: sent.row, entity, leaving, waiting)
                ?? refused.first { cascades(to: $0, from: sent.row, entity) }
            if let other {
                let message = "\(core.id(of: other)) refers to it until its change is saved"
                end(ObjectOutcome(change.object.id, .delete, .notSent, message), sent.object)
                waiting.append(sent.object)
                continue
            }
            await save(change, sent)
            if sent.object.core === core, sent.object.state?.phase == .deleted { refused.append(sent.object) }
        }
    }

    /// Whether the file deletes an object, whose deletion the remote has not saved, with the row to which it refers.
    private func cascades(to object: ManagedObject, from row: Int64, _ entity: StoredEntity) -> Bool {
        let source = core.entity(of: object)
        return entity.relationships.contains { relationship in
            guard relationship.deleteRule == .cascade, relationship.destination == source.index,
                let index = relationship.inverse, !source.relationships[index].isToMany
            else { return false }
            return object.state?.savedRow(of: index) ?? source.type.relationships[index].row(of: object) == row
        }
    }

    /// Returns an object that the file would delete or change with a deleted one, because it refers to it there: one whose
    /// change to another target was not saved, or whose deletion waits for such a change.
    private func referrer(
        to row: Int64, _ entity: StoredEntity, _ leaving: [ManagedObject], _ waiting: [ManagedObject]
    ) -> ManagedObject? {
        func refers(_ object: ManagedObject, includesCurrent: Bool) -> Bool {
            let source = core.entity(of: object)
            return source.toOnes.contains { index in
                guard source.relationships[index].destination == entity.index else { return false }
                let current = source.type.relationships[index].row(of: object)
                let saved = object.state?.savedRow(of: index) ?? (includesCurrent ? current : 0)
                return saved == row && (includesCurrent || current != row)
            }
        }
        let changed = leaving.lazy.filter { $0.core === self.core && $0.state?.phase == .updated }
        return changed.first { refers($0, includesCurrent: false) }
            ?? waiting.first { refers($0, includesCurrent: true) }
    }
}
