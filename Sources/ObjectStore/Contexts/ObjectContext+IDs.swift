extension ObjectContext {
    /// Merges what others have committed; SQL runs on another thread.
    nonisolated(nonsending) package func merge() async throws(StoreError) {
        try await core.merge(upTo: core.store.commits.lastNumber)
    }

    /// Returns the objects of a class in lists, in their order and without those that do not exist.
    ///
    /// What others have committed is merged, and all objects that are not in memory are read at once.
    package func objects<Object: ManagedObjectClass>(
        in lists: [LoadedIDs], as type: Object.Type
    ) throws(StoreError) -> [Object] {
        core.finishSaveInFlight()
        core.reconcile()
        try core.merge()
        guard let entity = core.store.entities.first(where: { $0.name == type.entityName }) else {
            throw StoreError(.misuse, "the class \(type) is not in the model of the store", entity: type.entityName)
        }
        let rows = lists.flatMap { $0.rows(of: entity.name, in: core.store.identity) }
        let registry = core.registries[entity.index]
        // The objects are held until all are found: the registry does not.
        let read = try core.read(entity, rows: registry.isEmpty ? rows : rows.filter { registry[$0] == nil })
        return withExtendedLifetime(read) {
            rows.compactMap { registry[$0] as? Object }.filter { $0.state?.phase != .deleted }
        }
    }
}

extension ContextCore {
    /// Merges the commits up to a number; SQL runs on another thread.
    nonisolated(nonsending) func merge(upTo last: Int) async throws(StoreError) {
        // Rows that were read ahead may be older than later commits; a busy store has these all the time.
        for _ in 0..<16 {
            try await reading(isLooking: true) { () throws(StoreError) in
                reconcile()
                try merge()
            }
            if merges.last >= last { break }
        }
    }
}
