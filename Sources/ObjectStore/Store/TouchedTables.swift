import Synchronization

/// The tables that were written by SQL statements of users, for the contexts with objects of these tables.
final class TouchedTables: Sendable {
    /// The number of statements.
    private let statements = Atomic<Int>(0)
    /// The number of the last statement for a table of each entity.
    private let lastStatements: Mutex<[Int]>

    init(entities: Int) { lastStatements = Mutex(Array(repeating: 0, count: entities)) }

    /// The number of statements so far.
    var count: Int { statements.load(ordering: .acquiring) }

    /// Records that the tables of entities were written.
    func note(_ entities: some Sequence<Int>) {
        lastStatements.withLock { last in
            let number = statements.add(1, ordering: .releasing).newValue
            for entity in entities { last[entity] = number }
        }
    }

    /// Returns the entities whose tables were written after a number of statements.
    func entities(after count: Int) -> Set<Int> {
        lastStatements.withLock { last in Set(last.indices.filter { last[$0] > count }) }
    }
}

extension StoredEntity {
    /// The table of the entity and those of its links.
    var tables: [String] { [table] + relationships.compactMap { $0.linkTable?.name } }
}

extension ContextCore {
    /// Makes the objects of tables written by SQL statements faults.
    ///
    /// Unsaved changes remain.
    func refreshTouchedTables() {
        let count = store.touchedTables.count
        guard count != seenStatements else { return }
        let touched = store.touchedTables.entities(after: seenStatements)
        seenStatements = count
        guard !touched.isEmpty else { return }
        changing { makeFaults(of: touched) }
    }

    private func makeFaults(of touched: Set<Int>) {
        for object in registries.flatMap(\.objects) where object.row > 0 {
            switch object.state?.phase {
            // Reading a fault keeps assigned attributes.
            case .updated where touched.contains(Int(object.entityIndex)):
                object.access.insert(.fault)
                didChange(object)
            case nil, .clean:
                // The lists of other objects can depend on columns of a written table.
                if touched.contains(Int(object.entityIndex)) { makeFault(object) } else { dropLists(of: object) }
            default: break
            }
        }
    }
}
