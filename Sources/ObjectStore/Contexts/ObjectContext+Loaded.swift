/// Responses by which later requests are conditional.
extension ObjectContext {
    /// Makes the context retain the objects of payloads, for ``record(_:tag:date:_:)``.
    package func keepLoadedObjects() { core.dataSource.objects = core.dataSource.objects ?? [] }

    /// Records the response that the next save writes, so that a later request can be conditional.
    ///
    /// - Parameters:
    ///   - source: What the response depends on.
    ///   - tag: Its `ETag`.
    ///   - date: Its `Last-Modified`.
    ///   - objects: The objects in the response, by the index of their descriptor.
    package func record(_ source: LoadSource, tag: String?, date: String?, _ objects: [Int: [ManagedObject]]) {
        core.reconcile()
        func row(_ object: ManagedObject) -> ChangeSet.RowID {
            ChangeSet.RowID(entity: Int(object.entityIndex), row: object.row)
        }
        let changed = core.changedObjects.filter { $0.state?.phase != .deleted }
        let all = (core.dataSource.objects ?? []).filter { $0.core === core } + changed + objects.values.flatMap { $0 }
        core.sending.loaded = ChangeSet.Loaded(
            source: source, tag: tag, date: date,
            parts: objects.sorted { $0.key < $1.key }.map { ($0.key, $0.value.map(row)) }, rows: Set(all.map(row)))
    }

    /// Makes the next save forget the responses whose rows it overwrites, and that were saved since a moment.
    ///
    /// Which of two overlapping responses is newer is unknown: with a condition, an older value could remain.
    ///
    /// - Returns: Whether there are such rows.
    package func forgetResponses(savedSince mark: CommitMark) -> Bool {
        core.reconcile()
        guard let changes = mark.changes(withResponses: true) else { return false }
        let updated = core.changedObjects.filter { $0.state?.phase == .updated }
        for (entity, objects) in Dictionary(grouping: updated, by: { Int($0.entityIndex) }) {
            let isWritten = changes.isWritten(entity)
            if objects.contains(where: { isWritten($0.row) }) { core.sending.forgotten.insert(entity) }
        }
        return !core.sending.forgotten.isEmpty
    }
}
