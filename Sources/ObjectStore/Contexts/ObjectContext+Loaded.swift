/// A response whose objects the next save writes.
package struct RecordedResponse {
    let response: LoadedResponse
    /// The objects in the response, by the index of their descriptor.
    let objects: [Int: [ManagedObject]]

    /// Creates a response; see its properties.
    package init(_ response: LoadedResponse, _ objects: [Int: [ManagedObject]]) {
        (self.response, self.objects) = (response, objects)
    }
}

/// Responses by which later requests are conditional, and after which objects are pruned.
extension ObjectContext {
    /// Makes the context retain the objects of payloads, for ``record(_:)`` and ``loadedObjects(_:)``.
    package func keepLoadedObjects() { core.dataSource.objects = core.dataSource.objects ?? [] }

    /// Records the response that the next save writes, so that a later request can be conditional.
    ///
    /// - Parameter isConditional: Whether later requests depend on all rows. Defaults to `true`.
    package func record(_ response: RecordedResponse, isConditional: Bool = true) {
        let objects = response.objects.values.flatMap { $0 }
        core.sending.responses.loaded = loaded(response, isConditional ? loadedObjects(objects) : objects)
    }

    /// Returns the objects of the payloads so far, those that were changed, and others.
    package func loadedObjects(_ others: [ManagedObject]) -> [ManagedObject] {
        core.reconcile()
        let changed = core.changedObjects.filter { $0.state?.phase != .deleted }
        return payloadObjects(changed + others)
    }

    /// Returns the objects of the payloads so far with the targets of their connections, and others.
    func payloadObjects(_ others: [ManagedObject]) -> [ManagedObject] {
        (core.dataSource.objects ?? []).filter { $0.core === core } + others
    }

    /// Returns the rows of a response that was saved.
    ///
    /// - Parameters:
    ///   - objects: The objects from before the save.
    ///   - response: What a pruning records; `nil` for nothing.
    package func loadedRows(_ objects: [ManagedObject], recording response: RecordedResponse?) -> LoadedRows {
        var rows: [Int: Set<Int64>] = [:]
        for object in objects where object.core === core {
            rows[Int(object.entityIndex), default: []].insert(object.row)
        }
        return LoadedRows(rows: rows, authors: [core.number], response: response.map { loaded($0, objects) })
    }

    private func loaded(_ response: RecordedResponse, _ all: [ManagedObject]) -> ChangeSet.Loaded {
        let own = Set(all.filter { $0.core === core })
        return ChangeSet.Loaded(
            response: response.response,
            parts: response.objects.sorted { $0.key < $1.key }.map { index, objects in
                var rows = GroupedRows<Int>()
                for object in objects { rows.append(object.row, of: Int(object.entityIndex)) }
                return (index, rows)
            },
            rows: Dictionary(grouping: own) { Int($0.entityIndex) }.mapValues { RowRuns($0.lazy.map(\.row)) })
    }

    /// Makes the next save forget the responses whose rows it overwrites, and that were saved since a moment.
    ///
    /// Which of two overlapping responses is newer is unknown: with a condition, an older value could remain.
    ///
    /// - Returns: Whether there are such rows.
    @discardableResult package func forgetResponses(savedSince mark: CommitMark) -> Bool {
        core.reconcile()
        guard let changes = mark.allChanges() else { return false }
        let updated = core.changedObjects.filter { $0.state?.phase == .updated }
        for (entity, objects) in Dictionary(grouping: updated, by: { Int($0.entityIndex) }) {
            let isWritten = changes.isWritten(entity)
            if objects.contains(where: { isWritten($0.row) }) { core.sending.responses.forgotten.insert(entity) }
        }
        return !core.sending.responses.forgotten.isEmpty
    }
}
