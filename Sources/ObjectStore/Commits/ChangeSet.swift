/// The changes of a save in the terms of the model, which can be read on any thread.
///
/// Entities, attributes and relationships are numbered like in the model of the store. Values have their stored form; the
/// value of a to-one relationship is a row, which is temporary if it is negative, or null.
package struct ChangeSet: Sendable {
    /// A row of an entity.
    package struct RowID: Sendable, Hashable {
        package let entity: Int
        package let row: Int64
    }

    /// A new row.
    package struct Insertion: Sendable {
        package let entity: Int
        package let temporary: Int64
        /// The start of its values among those of all insertions.
        let start: Int
        /// Whether a server may have the object.
        var isUnknown = false
        /// Whether its temporary ID was obtained.
        var hasSharedID = false
    }

    /// A changed attribute or to-one relationship.
    package struct Change: Sendable {
        package let property: PropertyIndex
        /// The value when the row was read.
        package let old: StoredValue
        package let new: StoredValue

        var isRelationship: Bool {
            if case .relationship = property { true } else { false }
        }
    }

    /// The changes of a row.
    package struct Update: Sendable {
        package let entity: Int
        package let row: Int64
        package let changes: [Change]
    }

    /// A target of a relationship of deleted rows to which its delete rule does not apply: the context removed it from the
    /// relationship, or brought it back.
    struct KeptTarget: Hashable, Sendable {
        let entity: Int
        let relationship: Int
        let target: Int64
    }

    /// A changed member of a relationship that has a table of links.
    package struct Link: Sendable {
        package enum Change: Sendable {
            case remove
            /// Added at the end, or at a position.
            case add(position: Int?)
            case move(position: Int)

            var isAddition: Bool {
                if case .add = self { true } else { false }
            }
        }
        /// The entity of the owner.
        package let entity: Int
        package let relationship: Int
        package let owner: Int64
        package let target: Int64
        package let change: Change
        /// The order among links that are added at the end of a list; 0 for that of the links.
        var order = 0

        var isAppended: Bool {
            if case .add(position: nil) = change { true } else { false }
        }
    }

    /// A changed list with positions.
    package struct List: Sendable {
        package let entity: Int
        package let relationship: Int
        package let owner: Int64
        /// The rows when the list was read.
        package let old: [Int64]
        package let new: [Int64]
    }

    /// The keys of a relationship's targets, some of which may be missing.
    struct WaitingKeys: Sendable {
        let entity: Int
        let row: Int64
        let relationship: Int
        /// The keys of the targets, in order; empty if the relationship does not wait.
        let keys: [[StoredValue]]
        /// The unique attributes that the keys belong to; empty for the identity.
        let matching: [String]
    }

    /// An object that a server has accepted.
    struct Accepted: Sendable {
        struct Value: Sendable {
            let property: PropertyIndex
            /// The value that was sent.
            let sent: StoredValue
            /// The value in the store when it was sent; `nil` if the save writes the sent one in any case.
            let saved: StoredValue?
        }

        let entity: Int
        /// The row, which is temporary for a new object.
        let row: Int64
        let values: [Value]
        /// Properties that are saved and that the server does not have, with its values.
        var unsent: [(property: PropertyIndex, previous: StoredValue)] = []
    }

    /// A response whose objects are saved, by which later requests are conditional.
    struct Loaded: Sendable {
        let response: LoadedResponse
        /// The rows in the response, temporary for new objects, by the index of their descriptor.
        let parts: [(index: Int, rows: GroupedRows<Int>)]
        /// All rows that the response has read or written, by entity, in any order.
        let rows: [Int: RowRuns]
    }

    package var insertions: [Insertion] = []
    /// The values of all insertions: for each, the attributes, then the to-one relationships of its entity.
    package var values: [StoredValue] = []
    /// The assigned values of each insertion by their position, for an existing row.
    var assigned: [ColumnSet] = []
    /// The to-many relationships of new objects that were assigned, by temporary row: those of an existing row are replaced.
    var assignedLists: [Int64: Set<Int>] = [:]
    package var updates: [Update] = []
    package var deletions: [RowID] = []
    var kept: Set<KeptTarget> = []
    package var links: [Link] = []
    package var lists: [List] = []
    var waiting: [WaitingKeys] = []
    /// Whether new rows cannot exist and deleted ones must exist, and whether edits are marked until a server accepts them.
    var rules = (isStrict: false, marksUnsent: false)
    /// Whether the save writes a response.
    var isReply = false
    /// What a server has accepted with the response.
    var accepted: [Accepted] = []
    /// The response, `nil` if later requests are not conditional; and the entities whose recorded responses are forgotten.
    var responses: (loaded: Loaded?, forgotten: Set<Int>) = (nil, [])
    /// Writes something else in the same transaction, at its end.
    var companion: Companion?

    /// Receives a function that returns the row of a temporary one.
    typealias Companion = @Sendable (StoreConnection, (Int64) -> Int64) throws(StoreError) -> Void

    /// Whether there is something to write without changes of objects.
    var hasOthers: Bool { !waiting.isEmpty || !accepted.isEmpty || responses.loaded != nil || companion != nil }

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
    mutating func removeChanges(of deleted: [Int: Set<Int64>], in entities: [StoredEntity]) {
        func isDeleted(_ entity: Int, _ row: Int64) -> Bool { deleted[entity]?.contains(row) ?? false }
        updates.removeAll { isDeleted($0.entity, $0.row) }
        links.removeAll { link in
            isDeleted(link.entity, link.owner)
                || isDeleted(entities[link.entity].relationships[link.relationship].destination, link.target)
        }
        lists.removeAll { isDeleted($0.entity, $0.owner) }
        waiting.removeAll { isDeleted($0.entity, $0.row) }
    }
}
