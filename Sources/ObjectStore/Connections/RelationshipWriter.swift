import ObjectMapping

/// A relationship of one row.
struct RowRelationship {
    let entity: StoredEntity
    /// The index of the relationship in the class.
    let index: Int
    let row: Int64

    var relationship: StoredEntity.Relationship { entity.relationships[index] }
    var isToMany: Bool { relationship.isToMany }
    /// Whether the relationship has a table with the positions of its targets.
    var hasPositions: Bool { relationship.linkTable?.isOwner ?? false }
    /// The columns that identify it in the table of unresolved connections.
    var key: [StoredValue] { [.text(entity.name), .integer(row), .text(relationship.name)] }

    /// Returns the inverse relationship of a target; `nil` without an inverse.
    func inverse(of target: Int64, in store: any StoredEntities) -> RowRelationship? {
        relationship.inverse.map { index in
            RowRelationship(entity: store.entities[relationship.destination], index: index, row: target)
        }
    }
}

/// Sets relationships of rows and their inverses, in a transaction.
struct RelationshipWriter {
    private let store: any StoredEntities
    private let connection: StoreConnection
    /// What was written.
    var touched = CommitChanges()
    /// The rows that were removed from relationships with the policy `.replace`.
    private var replaced: [(holder: StoredEntity, relationship: Int, row: Int64)] = []
    /// The rows of the payload, by entity, which are not deleted if they were removed; without the entities whose rows are not.
    var stated: [Int: Set<Int64>] = [:]
    /// The last positions of ordered lists by entity, relationship and owner.
    private var lastPositions: [[Int64]: Int64] = [:]
    private var deletion: RowDeletion

    init(_ store: any StoredEntities, _ connection: StoreConnection) {
        self.store = store
        self.connection = connection
        deletion = RowDeletion(store, connection)
    }

    /// The number of rows that were removed from relationships with the policy `.replace`.
    var replacedCount: Int { replaced.count }

    /// Forgets the rows that were removed after a number of others, because the transaction was partly rolled back.
    ///
    /// `touched` keeps its rows: they are read again, and are unchanged.
    mutating func undo(after count: Int) {
        replaced.removeSubrange(count...)
        lastPositions = [:]
    }

    // MARK: One object

    /// Returns the row of a to-one relationship's target.
    func target(of source: RowRelationship) throws(StoreError) -> Int64? {
        try connection.integer(
            "SELECT \(source.relationship.column) FROM \(source.entity.table) WHERE \"_id\" = ?",
            [.integer(source.row)])
    }

    /// Sets a to-one relationship.
    ///
    /// - Returns: Whether it changed.
    mutating func setToOne(
        _ source: RowRelationship, to target: Int64?, _ policy: AssignmentPolicy = .set
    ) throws(StoreError) -> Bool {
        let old = try self.target(of: source)
        guard old != target else { return false }
        if let inverse = source.inverse(of: target ?? 0, in: store) {
            switch inverse.relationship.storage {
            case .linkTable:
                guard let list = inverse.relationship.linkTable else { break }
                try connection.run("DELETE FROM \(list.name) WHERE \"target\" = ?", [.integer(source.row)])
                if target != nil { try add(source.row, to: list, of: inverse, at: nextPosition(in: list, of: inverse)) }
            case .column, .mirror:
                if let old, let inverse = source.inverse(of: old, in: store) { try setColumn(inverse, to: nil) }
                guard target != nil else { break }
                if let other = try self.target(of: inverse) {
                    try setColumn(RowRelationship(entity: source.entity, index: source.index, row: other), to: nil)
                }
                try setColumn(inverse, to: source.row)
            case .inverseColumn, .joinTable: break
            }
        }
        try setColumn(source, to: target)
        if let inverse = source.relationship.inverse, source.inverse(of: 0, in: store)?.isToMany ?? false {
            for owner in [old, target].compactMap(\.self) {
                touched.changeList(inverse, of: owner, source.relationship.destination)
            }
        }
        if policy == .replace, let old { replaced.append((source.entity, source.index, old)) }
        return true
    }

    private mutating func setColumn(_ source: RowRelationship, to target: Int64?) throws(StoreError) {
        touched.update(source.row, source.entity.index)
        if target == nil { deletion.didClear(source) }
        try connection.run(
            "UPDATE \(source.entity.table) SET \(source.relationship.column) = ? WHERE \"_id\" = ?",
            [.row(target), .integer(source.row)])
    }

    /// Connects a row with a target, unless one of them is connected with another row.
    ///
    /// - Parameter position: The position in the list of the relationship, if the list has positions.
    /// - Returns: Whether a new connection was made.
    mutating func connect(
        _ source: RowRelationship, to target: Int64, at position: Int? = nil
    ) throws(StoreError) -> Bool {
        let inverse = source.inverse(of: target, in: store)
        switch source.relationship.storage {
        case .column, .mirror:
            if let inverse, !inverse.isToMany, try self.target(of: inverse) != nil { return false }
            guard try self.target(of: source) == nil else { return false }
            return try setToOne(source, to: target)
        case .inverseColumn, .linkTable:
            guard let inverse else { return false }
            let owner = try self.target(of: inverse)
            let isNew = owner == nil ? try setToOne(inverse, to: source.row) : false
            if isNew || owner == source.row { try move(target, in: source, to: position) }
            return isNew
        case .joinTable:
            guard let list = source.relationship.linkTable else { return false }
            let isNew = try !isLinked(target, in: list, of: source)
            if isNew {
                try add(target, to: list, of: source, at: position.map { Int64($0) })
                noteLists(of: source, changing: [target])
            }
            try move(target, in: source, to: position)
            return isNew
        }
    }

    /// Records that the column of a relationship was set by a statement for several rows.
    mutating func didConnect(_ source: RowRelationship, to target: Int64) {
        touched.update(source.row, source.entity.index)
        guard let list = store.entities.inverseList(of: source.relationship) else { return }
        touched.changeList(list, of: target, source.relationship.destination)
    }

    /// Records that the column of a relationship was set in many rows.
    mutating func didConnectAll(of entity: StoredEntity, _ index: Int) {
        touched.updateAll(entity.index)
        guard let list = store.entities.inverseList(of: entity.relationships[index]) else { return }
        touched.changeLists(list, entity.relationships[index].destination)
    }

    // MARK: Several objects

    /// Sets a to-many relationship.
    ///
    /// - Parameter positions: The positions of the targets in the list. Defaults to a list without gaps.
    /// - Returns: Whether it changed.
    mutating func setToMany(
        _ source: RowRelationship, to targets: [Int64], at positions: [Int]? = nil, _ policy: AssignmentPolicy = .set
    ) throws(StoreError) -> Bool {
        let list = source.relationship.linkTable
        // A join table belongs to both sides; other lists consist of the columns of their objects.
        let isJoined = if case .joinTable = source.relationship.storage { true } else { false }
        let current = try self.targets(of: source)
        let (known, kept) = (Set(current), Set(targets))
        var isChanged = false
        if policy != .union {
            for target in current where !kept.contains(target) {
                isChanged = true
                if isJoined, let list {
                    try connection.run(
                        "DELETE FROM \(list.name) WHERE \(list.source) = ? AND \(list.target) = ?",
                        [.integer(source.row), .integer(target)])
                } else if let inverse = source.inverse(of: target, in: store) {
                    _ = try setToOne(inverse, to: nil)
                }
                if policy == .replace { replaced.append((source.entity, source.index, target)) }
            }
        }
        for (position, target) in targets.enumerated() where !known.contains(target) {
            isChanged = true
            if isJoined, let list {
                try add(target, to: list, of: source, at: Int64(policy == .union ? current.count + position : position))
            } else if let inverse = source.inverse(of: target, in: store) {
                _ = try setToOne(inverse, to: source.row)
            }
        }
        if policy != .union {
            for (index, target) in targets.enumerated() {
                if try move(target, in: source, to: positions?[index] ?? index) { isChanged = true }
            }
        }
        if isChanged { noteLists(of: source, changing: known.symmetricDifference(kept)) }
        return isChanged
    }

    /// Records that a to-many relationship was written, and the inverses of targets that were added or removed.
    private mutating func noteLists(of source: RowRelationship, changing targets: Set<Int64>) {
        touched.changeList(source.index, of: source.row, source.entity.index)
        guard let list = store.entities.inverseList(of: source.relationship) else { return }
        for target in targets { touched.changeList(list, of: target, source.relationship.destination) }
    }

    private func targets(of source: RowRelationship) throws(StoreError) -> [Int64] {
        let (table, owner, target) = source.entity.links(of: source.index, in: store.entities)
        let order = source.relationship.linkTable == nil ? "" : " ORDER BY \"position\""
        return try connection.rows(
            "SELECT \(target) FROM \(table) WHERE \(owner) = ?\(order)", [.integer(source.row)])
    }

    // MARK: Lists

    private func isLinked(
        _ target: Int64, in list: RelationshipStorage.LinkTable, of source: RowRelationship
    ) throws(StoreError) -> Bool {
        try connection.integer(
            "SELECT 1 FROM \(list.name) WHERE \(list.source) = ? AND \(list.target) = ?",
            [.integer(source.row), .integer(target)]) != nil
    }

    /// Sets the position of a target, in a relationship with positions.
    ///
    /// - Returns: Whether it changed.
    @discardableResult private mutating func move(
        _ target: Int64, in source: RowRelationship, to position: Int?
    ) throws(StoreError) -> Bool {
        guard let position, let list = source.relationship.linkTable, list.isOwner else { return false }
        // Positions after the end of the list can be reused.
        lastPositions = [:]
        try connection.run(
            "UPDATE \(list.name) SET \"position\" = ?1 WHERE \"owner\" = ?2 AND \"target\" = ?3 "
                + "AND \"position\" IS NOT ?1",
            [.integer(Int64(position)), .integer(source.row), .integer(target)])
        return connection.database.changes > 0
    }

    private mutating func nextPosition(
        in list: RelationshipStorage.LinkTable, of source: RowRelationship
    ) throws(StoreError) -> Int64 {
        let key = [Int64(source.entity.index), Int64(source.index), source.row]
        let known = lastPositions[key]
        let next =
            if let known { known &+ 1 } else {
                try connection.integer(
                    "SELECT max(\"position\") + 1 FROM \(list.name) WHERE \"owner\" = ?", [.integer(source.row)]) ?? 0
            }
        lastPositions[key] = next
        return next
    }

    /// Adds a target at a position of the list, which belongs to the owner of the table; by default at the end.
    private mutating func add(
        _ target: Int64, to list: RelationshipStorage.LinkTable, of source: RowRelationship, at position: Int64?
    ) throws(StoreError) {
        let (owner, target) = list.isOwner ? (source.row, target) : (target, source.row)
        let last = "(SELECT coalesce(max(\"position\") + 1, 0) FROM \(list.name) WHERE \"owner\" = ?1)"
        try connection.run(
            "INSERT INTO \(list.name)(\"owner\", \"target\", \"position\") VALUES(?1, ?2, coalesce(?3, \(last))) "
                + "ON CONFLICT DO NOTHING",
            [.integer(owner), .integer(target), .row(list.isOwner ? position : nil)])
    }

    // MARK: Replaced objects

    /// Deletes the rows that were removed from relationships with the policy `.replace`, unless others contain them.
    ///
    /// - Returns: The number of deleted rows by entity.
    mutating func deleteReplaced() throws(StoreError) -> [Int: Int] {
        var counts: [Int: Int] = [:]
        for (holder, index, row) in replaced where try !isHeld(row, by: index, of: holder) {
            if stated[holder.relationships[index].destination]?.contains(row) == true { continue }
            let entity = store.entities[holder.relationships[index].destination]
            for (index, rows) in try deletion.rowsWithCascade([entity.index: [row]]) {
                let deleted = store.entities[index]
                // Cascades may already have deleted some.
                let existing = try connection.rows(
                    "SELECT \"_id\" FROM \(deleted.table) WHERE \"_id\" IN (SELECT value FROM json_each(?))",
                    [.rows(rows.sorted()[...])])
                try deletion.delete(existing, of: deleted)
                counts[index, default: 0] += existing.count
                touched.delete(existing, index)
            }
        }
        replaced = []
        touched.formUnion(deletion.takeTouched())
        try deletion.checkRequired()
        return counts
    }

    private func isHeld(_ row: Int64, by index: Int, of holder: StoredEntity) throws(StoreError) -> Bool {
        let (table, source, target) = holder.links(of: index, in: store.entities)
        return try connection.integer(
            "SELECT 1 FROM \(table) WHERE \(target) = ? AND \(source) IS NOT NULL LIMIT 1", [.integer(row)]) != nil
    }
}

extension StoredValue {
    /// The stored form of a row; null for `nil`.
    static func row(_ row: Int64?) -> StoredValue { row.map { .integer($0) } ?? .null }
}
