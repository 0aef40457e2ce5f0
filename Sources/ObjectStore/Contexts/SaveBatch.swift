/// What a save writes, as values: it can be written on any thread.
struct SaveBatch: Sendable {
    /// A column and its value.
    struct Cell: Sendable {
        /// Quoted.
        let column: String
        var value: StoredValue
        /// Whether the value is a row, which is temporary if it is negative.
        var isRow = false
        /// What NULL in the column reads as.
        var valueForNull = StoredValue.null
    }

    struct Insertion: Sendable {
        let entity: Int
        let temporary: Int64
        /// Where its values begin among those of all insertions.
        let start: Int
    }

    struct Update: Sendable {
        let entity: Int
        let row: Int64
        var cells: [Cell]
        /// The values before, in the order of the cells.
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
            /// Added behind the others, or at a position.
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
        /// Whether a target has one owner at most.
        let isUnique: Bool
    }

    /// The keys of a relationship's targets, some of which may be missing.
    struct WaitingKeys: Sendable {
        let entity: Int
        let row: Int64
        let relationship: Int
        /// The identities of the targets, in their order; empty if the relationship waits for nothing.
        let keys: [[StoredValue]]
    }

    var insertions: [Insertion] = []
    /// The values of the insertions, one after another, in the order of their entities' columns; rows of relationships
    /// are temporary if they are negative.
    var values: [StoredValue] = []
    /// Which properties of each insertion were assigned, for a row that exists.
    var assigned: [AssignedProperties] = []
    var updates: [Update] = []
    var deletions: [Deletion] = []
    var links: [Link] = []
    var waiting: [WaitingKeys] = []

    /// The identity of a new object; empty if a part of it was not assigned or is null.
    func identity(of insertion: Insertion, _ entity: StoredEntity) -> [StoredValue] {
        let values = entity.identityColumns.map { self.values[insertion.start + $0] }
        return values.contains(.null) ? [] : values
    }

    /// The rows that a save has written.
    struct Outcome: Sendable {
        /// The row of each inserted object.
        var rows = InsertedRows()
        /// The temporary rows of objects that took over a row that existed.
        var adopted: Set<Int64> = []
        /// Rows of which values of others were kept, each with its entity.
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

/// The rows of new objects by their temporary ones.
///
/// Temporary rows fall in the order in which objects are inserted, so that none is hashed.
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

    /// The place of a temporary row, or the one where it belongs.
    private func place(of temporary: Int64) -> Int {
        guard let first = temporaries.first, let last = temporaries.last, temporary >= last else {
            return temporaries.count
        }
        // There are gaps only if several contexts inserted objects at the same time.
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
