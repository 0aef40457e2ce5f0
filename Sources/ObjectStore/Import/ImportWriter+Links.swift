import ObjectMapping

/// Relationships whose objects are nested, and what other tables say about relationships.
extension ImportWriter {
    // MARK: Nested objects

    func linkNested(_ element: ElementRows) throws(StoreError) {
        var targets: [(parent: Int, link: Int, rows: [Int64])] = []
        var places: [[Int]: Int] = [:]
        for (index, row) in element.rows.enumerated() where row.parent >= 0 {
            let key = [Int(row.parent), Int(row.relationship)]
            let place = places[key] ?? targets.count
            if place == targets.count {
                places[key] = place
                targets.append((key[0], key[1], []))
            }
            if row.entity >= 0, !targets[place].rows.contains(rows[index]) { targets[place].rows.append(rows[index]) }
        }
        for (parent, link, stated) in targets where outcomes[parent] != .outdated {
            let table = tables[Int(element.rows[parent].entity)]
            let (index, policy) = (table.links[link].relationship, table.links[link].policy)
            let isChanged: Bool
            switch table.entity.relationships[index].storage {
            case .column, .mirror:
                if policy == .union, stated.isEmpty { continue }
                let old = try row(table.entity, index, of: rows[parent])
                isChanged = try setToOne(table.entity, index, rows[parent], stated.last)
                if isChanged, policy == .replace, let old { state.replaced.append((table.entity, index, old)) }
            case .inverseColumn, .linkTable, .joinTable:
                isChanged = try setToMany(table.entity, index, rows[parent], stated, policy)
            }
            if isChanged, outcomes[parent] == .unchanged { outcomes[parent] = .updated }
        }
    }

    /// Deletes the rows that relationships with the policy `.replace` no longer hold, unless others hold them.
    func deleteReplaced() throws(StoreError) {
        let deletion = RowDeletion(store: store, connection: connection)
        for (holder, index, row) in state.replaced where try !isHeld(row, by: index, of: holder) {
            let entity = store.entities[holder.relationships[index].destination]
            for (index, rows) in try deletion.rowsWithCascade([row], of: entity) {
                let deleted = store.entities[index]
                // Cascades may have deleted some already.
                let existing = try connection.rows(
                    "SELECT \"_id\" FROM \(deleted.table) WHERE \"_id\" IN (SELECT value FROM json_each(?))",
                    [.rows(rows.sorted()[...])])
                try deletion.delete(existing, of: deleted)
                state.entities[index].deleted += existing.count
                state.touched.formUnion([index, holder.index])
            }
        }
        state.replaced = []
    }

    private func isHeld(_ row: Int64, by index: Int, of holder: StoredEntity) throws(StoreError) -> Bool {
        let relationship = holder.relationships[index]
        let destination = store.entities[relationship.destination]
        switch relationship.storage {
        case .column, .mirror:
            return try connection.integer(
                "SELECT 1 FROM \(holder.table) WHERE \(relationship.column) = ? LIMIT 1", [.integer(row)]) != nil
        case .inverseColumn, .linkTable:
            return try relationship.inverse.flatMap { (inverse) throws(StoreError) in
                try self.row(destination, inverse, of: row)
            } != nil
        case .joinTable:
            guard let link = relationship.storage.linkTable else { return true }
            return try connection.integer(
                "SELECT 1 FROM \(link.name) WHERE \(link.target) = ? LIMIT 1", [.integer(row)]) != nil
        }
    }

    // MARK: Setting relationships

    /// The row that a relationship to one leads to.
    private func row(_ entity: StoredEntity, _ index: Int, of row: Int64) throws(StoreError) -> Int64? {
        try connection.integer(
            "SELECT \(entity.relationships[index].column) FROM \(entity.table) WHERE \"_id\" = ?", [.integer(row)])
    }

    private func setColumn(
        _ entity: StoredEntity, _ index: Int, of row: Int64, to target: Int64?
    ) throws(StoreError) {
        state.touched.insert(entity.index)
        try connection.run(
            "UPDATE \(entity.table) SET \(entity.relationships[index].column) = ? WHERE \"_id\" = ?",
            [.row(target), .integer(row)])
    }

    /// Sets a relationship to one, with its inverse.
    ///
    /// - Returns: Whether it was different.
    func setToOne(
        _ entity: StoredEntity, _ index: Int, _ row: Int64, _ target: Int64?
    ) throws(StoreError) -> Bool {
        let relationship = entity.relationships[index]
        let old = try self.row(entity, index, of: row)
        guard old != target else { return false }
        let destination = store.entities[relationship.destination]
        if let inverse = relationship.inverse {
            switch destination.relationships[inverse].storage {
            case .linkTable:
                guard let list = destination.relationships[inverse].storage.linkTable else { break }
                try connection.run("DELETE FROM \(list.name) WHERE \"target\" = ?", [.integer(row)])
                if let target {
                    let position = try nextPosition(list, owner: target, [Int64(destination.index), Int64(inverse)])
                    try add(list, owner: target, row, at: position)
                }
            case .column, .mirror:
                if let old { try setColumn(destination, inverse, of: old, to: nil) }
                guard let target else { break }
                if let other = try self.row(destination, inverse, of: target) {
                    try setColumn(entity, index, of: other, to: nil)
                }
                try setColumn(destination, inverse, of: target, to: row)
            case .inverseColumn, .joinTable: break
            }
        }
        try setColumn(entity, index, of: row, to: target)
        return true
    }

    /// Sets a relationship to many, with its inverse.
    ///
    /// - Returns: Whether it was different.
    func setToMany(
        _ entity: StoredEntity, _ index: Int, _ row: Int64, _ targets: [Int64], _ policy: AssignmentPolicy
    ) throws(StoreError) -> Bool {
        let relationship = entity.relationships[index]
        let destination = store.entities[relationship.destination]
        let list = relationship.storage.linkTable
        // A join table is both sides' own; other lists are made of the columns of their objects.
        let isJoined = if case .joinTable = relationship.storage { true } else { false }
        let current: [Int64]
        if let list {
            current = try connection.rows(
                "SELECT \(list.target) FROM \(list.name) WHERE \(list.source) = ? ORDER BY \"position\"",
                [.integer(row)])
        } else if let inverse = relationship.inverse {
            let column = destination.relationships[inverse].column
            current = try connection.rows(
                "SELECT \"_id\" FROM \(destination.table) WHERE \(column) = ?", [.integer(row)])
        } else {
            current = []
        }
        let (known, kept) = (Set(current), Set(targets))
        var isChanged = false
        if policy != .union {
            for target in current where !kept.contains(target) {
                isChanged = true
                if isJoined, let list {
                    try connection.run(
                        "DELETE FROM \(list.name) WHERE \(list.source) = ? AND \(list.target) = ?",
                        [.integer(row), .integer(target)])
                } else if let inverse = relationship.inverse {
                    _ = try setToOne(destination, inverse, target, nil)
                }
                if policy == .replace { state.replaced.append((entity, index, target)) }
            }
        }
        for (position, target) in targets.enumerated() where !known.contains(target) {
            isChanged = true
            if isJoined, let list {
                let place = Int64(policy == .union ? current.count + position : position)
                try add(list, owner: list.isOwner ? row : target, list.isOwner ? target : row, at: place)
            } else if let inverse = relationship.inverse {
                _ = try setToOne(destination, inverse, target, row)
            }
        }
        if policy != .union, let list, list.isOwner, try setPositions(list, row, targets) { isChanged = true }
        if isChanged { state.touched.formUnion([entity.index, destination.index]) }
        return isChanged
    }

    // MARK: Lists

    private func setPositions(
        _ list: RelationshipStorage.LinkTable, _ owner: Int64, _ targets: [Int64]
    ) throws(StoreError) -> Bool {
        var isChanged = false
        for (position, target) in targets.enumerated() {
            try connection.run(
                "UPDATE \(list.name) SET \"position\" = ?1 WHERE \"owner\" = ?2 AND \"target\" = ?3 "
                    + "AND \"position\" IS NOT ?1",
                [.integer(Int64(position)), .integer(owner), .integer(target)])
            if connection.database.changes > 0 { isChanged = true }
        }
        // Positions behind the list may be free again.
        state.lastPositions = [:]
        return isChanged
    }

    private func nextPosition(
        _ list: RelationshipStorage.LinkTable, owner: Int64, _ relationship: [Int64]
    ) throws(StoreError) -> Int64 {
        let key = relationship + [owner]
        let known = state.lastPositions[key]
        let next =
            if let known { known + 1 } else {
                try connection.integer(
                    "SELECT max(\"position\") + 1 FROM \(list.name) WHERE \"owner\" = ?", [.integer(owner)]) ?? 0
            }
        state.lastPositions[key] = next
        return next
    }

    private func add(
        _ list: RelationshipStorage.LinkTable, owner: Int64, _ target: Int64, at position: Int64
    ) throws(StoreError) {
        try connection.run(
            "INSERT INTO \(list.name)(\"owner\", \"target\", \"position\") VALUES(?, ?, ?) ON CONFLICT DO NOTHING",
            [.integer(owner), .integer(target), .integer(position)])
    }
}
