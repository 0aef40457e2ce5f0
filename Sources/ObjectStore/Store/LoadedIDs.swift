/// The IDs of the objects of a response in their order, in little memory.
package struct LoadedIDs: Sendable, Sequence {
    private var rows = GroupedRows<String>()
    private var store: StoreIdentity?

    /// Creates the IDs of objects of one store.
    package init(_ ids: [ObjectID]) {
        store = ids.first?.store
        for id in ids { rows.append(id.row, of: id.entity) }
    }

    init(_ rows: GroupedRows<String>, in store: StoreIdentity) { (self.rows, self.store) = (rows, store) }

    package var count: Int { rows.groups.reduce(0) { $0 + $1.rows.count } }

    package func contains(_ id: ObjectID) -> Bool {
        store == id.store && rows.groups.contains { $0.entity == id.entity && $0.rows.contains(id.row) }
    }

    /// All IDs.
    package var all: [ObjectID] {
        guard let store else { return [] }
        var ids: [ObjectID] = []
        ids.reserveCapacity(count)
        for (entity, rows) in rows.groups {
            for run in rows.runs { for row in run { ids.append(ObjectID(entity: entity, row: row, store: store)) } }
        }
        return ids
    }

    package func makeIterator() -> IndexingIterator<[ObjectID]> { all.makeIterator() }

    /// Returns the saved rows of an entity in a store.
    func rows(of entity: String, in identity: StoreIdentity) -> [Int64] {
        guard store == identity else { return [] }
        return rows.groups.filter { $0.entity == entity }.flatMap { $0.rows.rows.compactMap(identity.savedRow) }
    }
}
