/// The changes of a save as values, which can be written on any thread.
struct SaveBatch: Sendable {
    /// A column and its value.
    struct Cell: Sendable {
        /// The quoted name.
        let column: String
        var value: StoredValue
        /// Whether the value is a row, which is temporary if it is negative.
        var isRow = false
        /// The value that NULL represents in the column.
        var valueForNull = StoredValue.null
    }

    struct Insertion: Sendable {
        let entity: Int
        let temporary: Int64
        /// The start of its values among those of all insertions.
        let start: Int
    }

    struct Update: Sendable {
        let entity: Int
        let row: Int64
        var cells: [Cell]
        /// The earlier values, in the order of the cells.
        let bases: [StoredValue]
    }

    struct Deletion: Sendable {
        let entity: Int
        let row: Int64
    }

    /// A target of a relationship of deleted rows to which its delete rule does not apply: the context removed it from the
    /// relationship, or brought it back.
    struct KeptTarget: Hashable, Sendable {
        let entity: Int
        let relationship: Int
        let target: Int64
    }

    /// A link between two rows in a table of links.
    struct Link: Sendable {
        enum Change: Sendable {
            case remove
            /// Added at the end, or at a position.
            case add(position: Int?)
            case move(position: Int)

            var isAddition: Bool {
                if case .add = self { true } else { false }
            }
        }
        let table: RelationshipStorage.LinkTable
        let owner: Int64
        let ownerEntity: Int
        let target: Int64
        let targetEntity: Int
        let change: Change
        /// Whether a target has at most one owner.
        let isUnique: Bool
        /// The order among links that are added at the end of a list; 0 for that of the links.
        var order = 0

        var isAppended: Bool {
            if case .add(position: nil) = change { true } else { false }
        }
    }

    /// A changed list with positions.
    struct List: Sendable {
        let table: RelationshipStorage.LinkTable
        let owner: Int64
        let entity: Int
        let relationship: Int
        let isOrdered: Bool
        /// The rows when the list was read.
        let before: [Int64]
        /// The rows in the context; temporary if they are negative.
        let now: [Int64]
    }

    /// The keys of a relationship's targets, some of which may be missing.
    struct WaitingKeys: Sendable {
        let entity: Int
        let row: Int64
        let relationship: Int
        /// The identities of the targets, in order; empty if the relationship does not wait.
        let keys: [[StoredValue]]
    }

    var insertions: [Insertion] = []
    /// The values of all insertions, in the order of their entities' columns; rows in relationships are temporary if
    /// they are negative.
    var values: [StoredValue] = []
    /// The assigned properties of each insertion, for an existing row.
    var assigned: [AssignedProperties] = []
    var updates: [Update] = []
    var deletions: [Deletion] = []
    var kept: Set<KeptTarget> = []
    var links: [Link] = []
    var lists: [List] = []
    var waiting: [WaitingKeys] = []

    /// The identity of a new object; empty if a part of it is missing or null.
    func identity(of insertion: Insertion, _ entity: StoredEntity) -> [StoredValue] {
        let values = entity.identity.map { self.values[insertion.start + $0] }
        return values.contains(.null) ? [] : values
    }

    /// Sorts the links that are added at the end of lists by their order.
    mutating func sortAppended() {
        let places = links.indices.filter { links[$0].isAppended }
        let sorted = places.sorted { (links[$0].order, $0) < (links[$1].order, $1) }.map { links[$0] }
        for (place, link) in zip(places, sorted) { links[place] = link }
    }

    /// Removes the changes of rows that are deleted.
    mutating func removeChanges(of deleted: [Int: Set<Int64>]) {
        func isDeleted(_ entity: Int, _ row: Int64) -> Bool { deleted[entity]?.contains(row) ?? false }
        updates.removeAll { isDeleted($0.entity, $0.row) }
        links.removeAll { isDeleted($0.ownerEntity, $0.owner) || isDeleted($0.targetEntity, $0.target) }
        lists.removeAll { isDeleted($0.entity, $0.owner) }
        waiting.removeAll { isDeleted($0.entity, $0.row) }
    }

    /// The rows that a save has written.
    struct Outcome: Sendable {
        /// The row of each inserted object.
        var rows = InsertedRows()
        /// The temporary rows of objects that took over an existing row.
        var adopted: Set<Int64> = []
        /// The rows that delete rules deleted although the context did not delete them: others added them.
        var cascaded: [Int: Set<Int64>] = [:]
        /// Rows with values of others that were kept, each with its entity.
        var merged: [Deletion] = []
        /// Relationships that were connected because a target was saved.
        var connected: [Connected] = []
    }

    /// A relationship that was connected by key.
    struct Connected: Sendable {
        let entity: Int
        let row: Int64
        let relationship: Int
        let target: Int64
    }
}

/// The rows of new objects by temporary row.
///
/// Temporary rows decrease in the order of insertion, so that hashing is not necessary.
struct InsertedRows: Sendable {
    private var temporaries: [Int64] = []
    private var rows: [Int64] = []

    subscript(temporary: Int64) -> Int64? {
        get {
            let place = place(of: temporary)
            return place < temporaries.count && temporaries[place] == temporary ? rows[place] : nil
        }
        set {
            guard let newValue else { return }
            let place = place(of: temporary)
            if place < temporaries.count, temporaries[place] == temporary {
                rows[place] = newValue
            } else {
                temporaries.insert(temporary, at: place)
                rows.insert(newValue, at: place)
            }
        }
    }

    /// Returns the index of a temporary row, or the index for it.
    private func place(of temporary: Int64) -> Int {
        guard let first = temporaries.first, let last = temporaries.last, temporary >= last else {
            return temporaries.count
        }
        // There are gaps only if several contexts inserted objects concurrently.
        let guess = Int(truncatingIfNeeded: first &- temporary)
        if temporaries.indices.contains(guess), temporaries[guess] == temporary { return guess }
        var (low, high) = (0, temporaries.count)
        while low < high {
            let middle = (low + high) / 2
            if temporaries[middle] > temporary { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
