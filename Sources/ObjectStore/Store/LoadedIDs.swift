/// The IDs of the objects of a response in their order, in little memory.
package struct LoadedIDs: Sendable, Sequence {
    private var rows = GroupedRows<String>()
    private var store: StoreIdentity?

    /// Creates the IDs of saved objects of one store.
    package init(_ ids: some Sequence<ObjectID>) {
        for id in ids {
            rows.append(id.row, of: id.entity)
            store = id.store
        }
    }

    init(_ rows: GroupedRows<String>, in store: StoreIdentity) { (self.rows, self.store) = (rows, store) }

    package var count: Int { rows.groups.reduce(0) { $0 + $1.rows.count } }

    package func contains(_ id: ObjectID) -> Bool {
        store == id.store && rows.groups.contains { $0.entity == id.entity && $0.rows.contains(id.row) }
    }

    package func makeIterator() -> some IteratorProtocol<ObjectID> {
        let store = store
        return rows.groups.lazy.flatMap { group in
            group.rows.rows.lazy.compactMap { row in
                store.map { ObjectID(entity: group.entity, row: row, store: $0) }
            }
        }.makeIterator()
    }
}
