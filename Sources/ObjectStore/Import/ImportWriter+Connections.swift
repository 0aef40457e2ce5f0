import ObjectMapping

/// Relationships that are set by keys, and those that wait for their target.
extension ImportWriter {
    // MARK: Keys

    /// What an element says about a connection.
    func link(
        _ rule: ImportTable.Connection, _ table: ImportTable, _ slots: RowSlots, of element: ElementRows
    ) throws(StoreError) -> Link {
        // Most rows have all that a connection needs; those that do not are completed from the file later.
        for column in rule.keys where slots[table.columns[column].slot].isAbsent { return .absent }
        for condition in rule.conditions where slots[table.columns[condition.column].slot].isAbsent { return .absent }
        func value(_ column: Int) -> StoredValue { element.value(of: slots[table.columns[column].slot]) }
        guard rule.conditions.isEmpty else {
            return try link(rule, keys: rule.keys.map(value), rule.conditions.map { value($0.column) })
        }
        for column in rule.keys where slots[table.columns[column].slot].isNull { return .null }
        let destination = rule.destination.index
        let statement =
            if let known = targetLookups[destination] { known } else { try connection.cached(rule.destination.lookup) }
        targetLookups[destination] = statement
        for (position, column) in rule.keys.enumerated() {
            try statement.bind(slots[table.columns[column].slot], of: element, at: position + 1)
        }
        guard try statement.step() else { return .missing(rule.keys.map(value)) }
        defer { statement.reset() }
        return .row(statement.integer(at: 0))
    }

    private func link(
        _ rule: ImportTable.Connection, keys: [StoredValue], _ conditions: [StoredValue]
    ) throws(StoreError) -> Link {
        guard !keys.contains(.null), conditions == rule.conditions.map(\.value) else { return .null }
        return try connection.integer(rule.destination.lookup, keys).map { .row($0) } ?? .missing(keys)
    }

    /// Sets what is not a column of the row, and notes whether the row waits for its target.
    ///
    /// - Returns: Whether a relationship of a row that existed has changed.
    @discardableResult func finish(
        _ rule: ImportTable.Connection, _ stated: Link, _ row: Int64, _ slots: RowSlots, of element: ElementRows,
        _ table: ImportTable, isNew: Bool
    ) throws(StoreError) -> Bool {
        let entity = table.entity
        var link = stated
        var isChanged = false
        if link.isAbsent {
            let columns = rule.keys + rule.conditions.map(\.column)
            guard columns.contains(where: { !slots[table.columns[$0].slot].isAbsent }) else { return false }
            let values = try values(of: columns.map { table.columns[$0].name }, row, entity)
            link = try self.link(
                rule, keys: Array(values.prefix(rule.keys.count)), Array(values.dropFirst(rule.keys.count)))
        }
        if rule.written == nil || stated.isAbsent {
            isChanged = try setToOne(entity, rule.relationship, row, link.row)
            if isChanged, link.row != nil { state.entities[entity.index].connected += 1 }
        }
        try setPending(rule, link, row, entity, isNew: isNew)
        return isChanged
    }

    private func values(of columns: [String], _ row: Int64, _ entity: StoredEntity) throws(StoreError) -> [StoredValue]
    {
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(entity.table) WHERE \"_id\" = ?"
        return try connection.cached(sql).rows([.integer(row)]).first ?? columns.map { _ in .null }
    }

    // MARK: Waiting for targets

    private func setPending(
        _ rule: ImportTable.Connection, _ link: Link, _ row: Int64, _ entity: StoredEntity, isNew: Bool
    ) throws(StoreError) {
        let isWaiting = if case .missing = link { true } else { false }
        let mayBePending = isNew ? false : try hasPending(entity, rule.relationship)
        guard isWaiting || mayBePending else { return }
        let name = StoredValue.text(entity.relationships[rule.relationship].name)
        let place = [StoredValue.text(entity.name), .integer(row), name]
        if mayBePending {
            let condition = #"FROM "_mappingkit_pending" WHERE "entity" = ?1 AND "row" = ?2 AND "relationship" = ?3"#
            if case .missing(let keys) = link {
                let isSame = "SELECT count(*) = 1 AND max(\"key\" = \(Self.json(keys.count, from: 4))) \(condition)"
                if try connection.integer(isSame, place + keys) == 1 { return }
            }
            try connection.run("DELETE \(condition)", place)
        }
        guard case .missing(let keys) = link else { return }
        let known = state.lastPending
        let last = if let known { known } else { try lastPending() }
        if firstPending == nil { firstPending = last }
        try connection.run(
            #"INSERT INTO "_mappingkit_pending"(rowid, "entity", "row", "relationship", "key") "#
                + "VALUES(?4, ?1, ?2, ?3, \(Self.json(keys.count, from: 5)))",
            place + [.integer(last + 1)] + keys)
        state.lastPending = last + 1
        state.hasPending[entity.index][rule.relationship] = true
        state.entities[entity.index].waiting += 1
    }

    private func lastPending() throws(StoreError) -> Int64 {
        max(firstPending ?? 0, try connection.integer(#"SELECT max(rowid) FROM "_mappingkit_pending""#) ?? 0)
    }

    /// Whether any row waits for the target of a relationship.
    private func hasPending(_ entity: StoredEntity, _ relationship: Int) throws(StoreError) -> Bool {
        if let known = state.hasPending[entity.index][relationship] { return known }
        let found = try connection.hasPending(entity, entity.relationships[relationship])
        state.hasPending[entity.index][relationship] = found
        return found
    }

    /// Notes the rows that wait for a row that was inserted; `wireArrived` connects them.
    func noteArrival(
        of target: Int64, _ slots: RowSlots, of element: ElementRows, _ table: ImportTable
    ) throws(StoreError) {
        for (entity, index) in table.sources where try hasPending(store.entities[entity], index) {
            if !state.hasArrived {
                state.hasArrived = true
                // The types have the affinity of row numbers, without which SQLite does not search the key for a row.
                try connection.run(
                    """
                    CREATE TEMP TABLE IF NOT EXISTS "_mappingkit_arrived"("entity" INTEGER, "relationship" INTEGER, \
                    "row" INTEGER, "pending" INTEGER, "target" INTEGER, \
                    PRIMARY KEY("entity", "relationship", "row", "pending")) WITHOUT ROWID
                    """)
            }
            let source = store.entities[entity]
            let keys = table.identity.map { element.value(of: slots[table.columns[$0].slot]) }
            try connection.run(
                #"INSERT INTO temp."_mappingkit_arrived" SELECT ?1, ?2, "row", rowid, ?3 FROM "_mappingkit_pending" "#
                    + "WHERE \"entity\" = ?4 AND \"relationship\" = ?5 AND \"key\" = \(Self.json(keys.count, from: 6))",
                [.integer(Int64(entity)), .integer(Int64(index)), .integer(target)]
                    + [.text(source.name), .text(source.relationships[index].name)] + keys)
        }
    }

    /// Connects the rows whose targets have arrived.
    ///
    /// Once for a batch and in the order of the rows, because the rows that wait for one target are everywhere in the table.
    func wireArrived() throws(StoreError) {
        guard state.hasArrived else { return }
        for entity in store.entities {
            for index in entity.relationships.indices where state.hasPending[entity.index][index] == true {
                try wire(entity, index)
            }
        }
        try connection.run(#"DELETE FROM temp."_mappingkit_arrived""#)
        state.hasArrived = false
    }

    private func wire(_ entity: StoredEntity, _ index: Int) throws(StoreError) {
        let relationship = entity.relationships[index]
        let place = [StoredValue.integer(Int64(entity.index)), .integer(Int64(index))]
        // A row may have got another key since; then its connection was removed.
        let condition =
            #"FROM temp."_mappingkit_arrived" AS "_mappingkit_link" WHERE "entity" = ?1 "#
            + #"AND "relationship" = ?2 AND EXISTS "#
            + #"(SELECT 1 FROM "_mappingkit_pending" WHERE rowid = "_mappingkit_link"."pending")"#
        let own = try connection.integer(
            "SELECT sum(\"pending\" > ?3) \(condition)", place + [.integer(firstPending ?? .max)])
        guard let own else { return }
        state.touched.insert(entity.index)
        if relationship.isPlainColumn(to: store.entities[relationship.destination]) {
            // The sign keeps SQLite from searching for null in the index of the column.
            try connection.run(
                "UPDATE \(entity.table) SET \(relationship.column) = "
                    + "(SELECT \"target\" \(condition) AND \"row\" = \(entity.table).\"_id\" LIMIT 1) WHERE \"_id\" IN "
                    + "(SELECT \"row\" \(condition)) AND +\(relationship.column) IS NULL", place)
            state.entities[entity.index].connected += connection.database.changes
        } else {
            let ordered = "\(condition) ORDER BY \"pending\""
            let rows = try connection.rows("SELECT \"row\" \(ordered)", place)
            let targets = try connection.rows("SELECT \"target\" \(ordered)", place)
            for (row, target) in zip(rows, targets) where try connect(entity, index, row, target) {
                state.entities[entity.index].connected += 1
            }
        }
        try connection.run(
            "DELETE FROM \"_mappingkit_pending\" WHERE rowid IN (SELECT \"pending\" \(condition))", place)
        state.entities[entity.index].waiting -= min(Int(own), state.entities[entity.index].waiting)
    }

    /// Connects a row that was waiting; false if it leads to something else already.
    private func connect(
        _ entity: StoredEntity, _ index: Int, _ row: Int64, _ target: Int64
    ) throws(StoreError) -> Bool {
        let relationship = entity.relationships[index]
        switch relationship.storage {
        case .column, .mirror:
            guard try values(of: [relationship.column], row, entity) == [.null] else { return false }
            return try setToOne(entity, index, row, target)
        case .inverseColumn, .linkTable, .joinTable:
            return try setToMany(entity, index, row, [target], .union)
        }
    }

    /// The JSON of a key in SQL, of consecutive parameters.
    private static func json(_ count: Int, from first: Int) -> String {
        "json_array(\((0..<count).map { "?\(first + $0)" }.joined(separator: ", ")))"
    }
}

extension ElementRows {
    /// A slot as a column holds it.
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
