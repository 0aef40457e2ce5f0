/// The rows and relationships that a commit has written, in the terms of the store's entities.
struct CommitChanges: Sendable {
    /// The rows of an entity.
    struct Rows: Sendable {
        var inserted: [ClosedRange<Int64>] = []
        var updated: [Int64] = []
        var deleted: Set<Int64> = []
        /// The properties that a load has written, by row; empty unless the response of an earlier request is awaited.
        var properties: [Int64: Set<PropertyIndex>] = [:]
        /// Whether any row may have been written: the others are incomplete.
        var isAll = false
    }

    /// The objects whose to-many relationship has other targets or another order.
    enum Owners: Sendable {
        case all
        case rows(Set<Int64>)

        /// Returns whether the owner is new.
        mutating func insert(_ owner: Int64) -> Bool {
            guard case .rows(var known) = self else { return false }
            // Released first, so that the set is changed in place.
            self = .all
            defer { self = .rows(known) }
            return known.insert(owner).inserted
        }

        mutating func formUnion(_ new: some Collection<Int64>) {
            guard case .rows(var known) = self else { return }
            // Released first, so that the set is changed in place.
            self = .all
            known.formUnion(new)
            self = .rows(known)
        }
    }

    /// A to-many relationship of an entity.
    struct Relationship: Hashable, Sendable {
        let entity: Int
        let index: Int
    }

    private(set) var rows: [Int: Rows] = [:]
    private(set) var lists: [Relationship: Owners] = [:]
    /// The identities of deleted rows, by entity; empty unless responses were awaited.
    private(set) var deletedIdentities: [Int: Set<[StoredValue]>] = [:]
    /// Whether any row of the file may have been written.
    private(set) var isEverything = false
    /// The number of rows that are listed.
    private(set) var count = 0
    /// A commit of more rows is recorded as one of all rows of its entities.
    private static let maximum = 50_000

    static var everything: CommitChanges {
        var changes = CommitChanges()
        changes.isEverything = true
        return changes
    }

    init() {}

    /// Creates the changes of a commit that may have written any row of some entities.
    init(ofAll entities: [Int]) {
        for entity in entities { updateAll(entity) }
    }

    var isEmpty: Bool { !isEverything && rows.isEmpty && lists.isEmpty }

    /// Whether any row of an entity may have been written.
    func isAll(_ entity: Int) -> Bool { isEverything || rows[entity]?.isAll ?? false }

    // MARK: Rows

    mutating func insert(_ range: ClosedRange<Int64>, _ entity: Int) {
        if let last = rows[entity]?.inserted.last, last.upperBound + 1 == range.lowerBound {
            _ = rows[entity]?.inserted.popLast()
            rows[entity]?.inserted.append(last.lowerBound...range.upperBound)
        } else {
            rows[entity, default: Rows()].inserted.append(range)
            didAdd(1)
        }
    }

    mutating func update(_ row: Int64, _ entity: Int) {
        if rows[entity]?.isAll == true { return }
        rows[entity, default: Rows()].updated.append(row)
        didAdd(1)
    }

    mutating func update(_ list: [Int64], _ entity: Int) {
        guard !list.isEmpty else { return }
        rows[entity, default: Rows()].updated += list
        didAdd(list.count)
    }

    mutating func delete(_ list: some Collection<Int64>, _ entity: Int) {
        guard !list.isEmpty else { return }
        rows[entity, default: Rows()].deleted.formUnion(list)
        didAdd(list.count)
    }

    /// Records the identities of deleted rows.
    mutating func delete(_ identities: [[StoredValue]], _ entity: Int) {
        if !identities.isEmpty { deletedIdentities[entity, default: []].formUnion(identities) }
    }

    /// Records the properties that were written of a row.
    mutating func note(_ properties: some Sequence<PropertyIndex>, of row: Int64, _ entity: Int) {
        if rows[entity]?.isAll != true { rows[entity]?.properties[row, default: []].formUnion(properties) }
    }

    /// Records that any row of an entity may have been written.
    mutating func updateAll(_ entity: Int) {
        var all = Rows()
        all.isAll = true
        if let known = rows.updateValue(all, forKey: entity) { count -= known.count }
    }

    private mutating func didAdd(_ added: Int) {
        count += added
        guard count > Self.maximum else { return }
        for entity in Array(rows.keys) { updateAll(entity) }
        for relationship in Array(lists.keys) { lists[relationship] = .all }
        count = 0
    }

    // MARK: Relationships

    mutating func changeList(_ index: Int, of owner: Int64, _ entity: Int) {
        changeList(Relationship(entity: entity, index: index), of: owner)
    }

    mutating func changeList(_ relationship: Relationship, of owner: Int64) {
        if lists[relationship, default: .rows([])].insert(owner) { didAdd(1) }
    }

    mutating func changeLists(_ index: Int, _ entity: Int) {
        lists[Relationship(entity: entity, index: index)] = .all
    }

    /// Records that all to-many relationships from and to an entity may have changed.
    mutating func changeLists(around entity: StoredEntity, in entities: [StoredEntity]) {
        for source in entities {
            for (index, relationship) in source.relationships.enumerated()
            where relationship.isToMany && (source === entity || relationship.destination == entity.index) {
                changeLists(index, source.index)
            }
        }
    }

    // MARK: Several commits

    mutating func formUnion(_ other: CommitChanges) {
        isEverything = isEverything || other.isEverything
        for (entity, new) in other.rows {
            guard !new.isAll, !isAll(entity) else {
                updateAll(entity)
                continue
            }
            rows[entity, default: Rows()].inserted += new.inserted
            rows[entity]?.updated += new.updated
            rows[entity]?.deleted.formUnion(new.deleted)
            rows[entity]?.properties.merge(new.properties) { $0.union($1) }
            count += new.count
        }
        for (entity, identities) in other.deletedIdentities {
            deletedIdentities[entity, default: []].formUnion(identities)
        }
        for (relationship, owners) in other.lists {
            switch owners {
            case .all: lists[relationship] = .all
            case .rows(let rows): lists[relationship, default: .rows([])].formUnion(rows)
            }
        }
    }
}

extension CommitChanges.Rows {
    var count: Int { inserted.count + updated.count + deleted.count }
}
