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
    var links: [Link] = []
    var waiting: [WaitingKeys] = []

    /// The identity of a new object; empty if a part of it is missing or null.
    func identity(of insertion: Insertion, _ entity: StoredEntity) -> [StoredValue] {
        let values = entity.identityColumns.map { self.values[insertion.start + $0] }
        return values.contains(.null) ? [] : values
    }

    /// The rows that a save has written.
    struct Outcome: Sendable {
        /// The row of each inserted object.
        var rows = InsertedRows()
        /// The temporary rows of objects that took over an existing row.
        var adopted: Set<Int64> = []
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
