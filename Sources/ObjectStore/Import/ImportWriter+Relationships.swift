import ObjectMapping

/// Relationships that are set by keys, and those whose objects are nested in the payload.
extension ImportWriter {
    // MARK: Connections

    /// Returns the value of a to-one connection in an element.
    func link(
        _ position: Int, _ table: ImportTable, _ slots: RowSlots, of element: ElementRows
    ) throws(StoreError) -> Link {
        guard let keySlot = table.layouts[position].keySlot else {
            return try link(toSeveral: table.connections[position], table, slots, of: element)
        }
        let key = slots[keySlot]
        if key.isAbsent { return .absent }
        if key.isNull { return .null }
        // Many rows have the same targets.
        let destination = table.layouts[position].destination
        let integer = key.knownInteger
        if let integer, let row = targets[destination][integer] { return .row(row) }
        let known = targetLookups[destination]
        let statement =
            if let known { known } else { try connection.cached(store.entities[destination].statements.lookup) }
        targetLookups[destination] = statement
        try statement.bind(key, of: element, at: 1)
        guard try statement.step() else { return .missing([element.value(of: key)], matching: []) }
        defer { statement.reset() }
        let row = statement.integer(at: 0)
        try RowMarks.check(row, in: store.entities[destination].name)
        if let integer { targets[destination].insert(integer, row: row) }
        return .row(row)
    }

    /// Returns the value of a connection with several keys or rules in an element.
    private func link(
        toSeveral connection: ImportTable.Connection, _ table: ImportTable, _ slots: RowSlots, of element: ElementRows
    ) throws(StoreError) -> Link {
        // Rows without a part of it are completed from the file later.
        let isStated = connection.columns.allSatisfy { !slots[table.slots[$0]].isAbsent }
        guard connection.listType == nil, isStated else { return .absent }
        return try link(connection) { element.value(of: slots[table.slots[$0]]) }
    }

    /// Returns the to-one link of a row with these column values.
    private func link(
        _ connection: ImportTable.Connection, _ value: (Int) -> StoredValue
    ) throws(StoreError) -> Link {
        guard let rule = rule(of: connection, value) else { return .null }
        let keys = rule.keys.map(value)
        guard !keys.contains(.null) else { return .null }
        let lookup = connection.destination.lookup(matching: rule.matching)
        return try self.connection.integer(lookup, keys).map { .row($0) } ?? .missing(keys, matching: rule.matching)
    }

    /// Returns the first rule whose conditions are met.
    private func rule(
        of connection: ImportTable.Connection, _ value: (Int) -> StoredValue
    ) -> ImportTable.Connection.Rule? {
        connection.rules.first { rule in
            rule.conditions.allSatisfy { value($0.column) == $0.value } && rule.closures.allSatisfy { $0() }
        }
    }

    /// Sets relationships without a column in the row, and makes the row wait for missing targets.
    ///
    /// - Returns: Whether a relationship of the row has changed.
    @discardableResult func finish(
        _ connection: ImportTable.Connection, _ stated: Link, _ row: Int64, _ slots: RowSlots,
        of element: ElementRows, _ table: ImportTable, isNew: Bool
    ) throws(StoreError) -> Bool {
        let source = RowRelationship(entity: table.entity, index: connection.relationship, row: row)
        var link = stated
        var stored: [Int: StoredValue] = [:]
        if link.isAbsent {
            let columns = connection.columns
            let isMentioned = columns.contains { !slots[table.slots[$0]].isAbsent }
            guard isMentioned || connection.needsObject else { return false }
            let values = try values(of: columns.map { table.statements.names[$0] }, source)
            stored = Dictionary(zip(columns, values), uniquingKeysWith: { first, _ in first })
            func value(_ column: Int) -> StoredValue { stored[column] ?? .null }
            if let type = connection.listType { return try setList(connection, type, source, value, isNew: isNew) }
            link = try self.link(connection, value)
        }
        var isChanged = false
        if connection.written == nil || stated.isAbsent {
            isChanged = try state.relationships.setToOne(source, to: link.row)
            if isChanged, link.row != nil { state.entities[table.entity.index].connected += 1 }
        }
        if case .missing(let key, let names) = link {
            try wait(source, for: [key], matching: names, isNew: isNew)
        } else {
            try wait(source, for: [], isNew: isNew)
        }
        return isChanged
    }

    private func values(of columns: [String], _ source: RowRelationship) throws(StoreError) -> [StoredValue] {
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(source.entity.table) WHERE \"_id\" = ?"
        return try connection.cached(sql).rows([.integer(source.row)]).first ?? columns.map { _ in .null }
    }

    /// Sets a to-many relationship to the targets of a list of keys, in the order of the keys.
    private func setList(
        _ connection: ImportTable.Connection, _ type: AttributeType, _ source: RowRelationship,
        _ value: (Int) -> StoredValue, isNew: Bool
    ) throws(StoreError) -> Bool {
        var list: [JSON] = []
        var names: [String] = []
        if let rule = rule(of: connection, value), let column = rule.keys.first {
            names = rule.matching
            list = StorageForm.json(of: value(column), as: type)?.array ?? []
        }
        var (targets, positions): ([Int64], [Int]) = ([], [])
        var (known, missing): (Set<StoredValue>, [[StoredValue]]) = ([], [])
        for element in list {
            // A relationship contains an object once.
            guard let key = StorageForm.value(of: element, as: AttributeType(type.scalar)), !key.isNull,
                known.insert(key).inserted
            else { continue }
            if let target = try self.connection.integer(connection.destination.lookup(matching: names), [key]) {
                targets.append(target)
                positions.append(known.count - 1)
            } else {
                missing.append([key])
            }
        }
        let isChanged = try state.relationships.setToMany(source, to: targets, at: positions)
        if isChanged { state.entities[source.entity.index].connected += targets.count }
        try wait(source, for: missing, matching: names, isNew: isNew)
        return isChanged
    }

    // MARK: Nested objects

    /// Sets the relationships of an element to its nested rows.
    func linkNested(_ element: ElementRows) throws(StoreError) {
        var targets: [(parent: Int, link: Int, rows: [Int64])] = []
        var places: [[Int]: Int] = [:]
        for index in 0..<element.rows.count where element.rows[index].parent >= 0 {
            let row = element.rows[index]
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
            let source = RowRelationship(entity: table.entity, index: index, row: rows[parent])
            if !source.isToMany, policy == .union, stated.isEmpty { continue }
            let isChanged =
                source.isToMany
                ? try state.relationships.setToMany(source, to: stated, policy)
                : try state.relationships.setToOne(source, to: stated.last, policy)
            if isChanged, outcomes[parent] == .unchanged { outcomes[parent] = .updated }
        }
    }

    // MARK: Waiting for targets

    private func wait(
        _ source: RowRelationship, for keys: [[StoredValue]], matching names: [String] = [], isNew: Bool
    ) throws(StoreError) {
        // Read before the first row is added.
        if !keys.isEmpty, firstPending == nil { firstPending = try state.pending.lastRow() }
        if try state.pending.wait(source, for: keys, matching: names, isNew: isNew) {
            state.entities[source.entity.index].waiting += keys.count
        }
    }

    /// Connects the rows that waited for those that this batch has inserted.
    ///
    /// Once per batch, because the rows that wait for one target are distributed over the table.
    func connectArrived() throws(StoreError) {
        var rows: [Int: [ClosedRange<Int64>]] = [:]
        for (index, first) in state.firstRows.enumerated() {
            if let first, let next = state.nextRows[index] { rows[index] = [first...next - 1] }
        }
        for (index, changed) in state.changedRows { rows[index, default: []] += changed.map { $0...$0 } }
        guard !rows.isEmpty else { return }
        // Two properties of a class cannot be passed as `inout` at the same time.
        var relationships = state.relationships
        let counts = try state.pending.connect(
            to: rows, with: &relationships, countingAfter: firstPending ?? .max)
        state.relationships = relationships
        for (index, count) in counts.connected { state.entities[index].connected += count }
        for (index, count) in counts.found {
            state.entities[index].waiting -= min(count, state.entities[index].waiting)
        }
    }
}

extension ElementRows {
    /// The stored form of a slot.
    func value(of slot: Slot) -> StoredValue {
        switch slot.tag {
        case .absent, .null: .null
        case .integer: .integer(slot.integer)
        case .real: .real(slot.real)
        case .text: .text(String(decoding: bytes(of: slot), as: UTF8.self))
        case .blob: .blob(Array(bytes(of: slot)))
        }
    }
}
