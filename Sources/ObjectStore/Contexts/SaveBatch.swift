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
        /// The values of the entity's columns; rows of relationships are temporary if they are negative.
        let values: [StoredValue]
        /// Which of the properties were assigned, for a row that exists.
        let assigned: AssignedProperties

        /// The identity; empty if a part of it was not assigned or is null.
        func identity(_ entity: StoredEntity) -> [StoredValue] {
            let values = entity.identityColumns.map { self.values[$0] }
            return values.contains(.null) ? [] : values
        }
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
    var updates: [Update] = []
    var deletions: [Deletion] = []
    var links: [Link] = []
    var waiting: [WaitingKeys] = []

    /// The rows that a save has written.
    struct Outcome: Sendable {
        /// The row of each inserted object.
        var rows: [Int64: Int64] = [:]
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
