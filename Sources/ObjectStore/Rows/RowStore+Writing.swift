import ObjectMapping

/// Second pass over an element: writes every row, with the links in the element and by keys.
extension RowStore {
    func write(_ index: Int, of element: ElementRows) throws(StoreError) {
        let row = element.rows[index]
        let table = tables[Int(row.entity)]
        let slots = RowSlots(of: row, in: element)
        for link in table.links.indices { table.links[link] = .absent }
        table.resetComparisons()
        try linkToParent(index, of: element, table)
        try linkToChildren(index, of: element, table)
        try linkByKeys(index, slots, of: element, table)
        if resolved[index].isNew {
            try table.insert(resolved[index].number, slots, of: element)
        } else {
            let replaced = try table.update(resolved[index].number, slots, of: element)
            if !replaced.isEmpty {
                conflicts.append(MergeConflict(entity: table.description.name, names: replaced, offset: row.offset))
            }
        }
        if row.parent >= 0 { try addToList(index, row, of: element) } else { table.hasTopLevelRows = true }
    }

    // MARK: Nested rows

    private func linkToParent(_ index: Int, of element: ElementRows, _ table: EntityTable) throws(StoreError) {
        let row = element.rows[index]
        guard row.parent >= 0 else { return }
        let parent = Int(row.parent)
        switch tables[Int(element.rows[parent].entity)].relationships[Int(row.relationship)].storage {
        case .inverseColumn(let inverse), .mirror(of: let inverse), .linkTable(_, let inverse):
            guard let link = table.relationships[inverse].link else { return }
            table.links[link] = .row(resolved[parent].number)
            // A row determined by a key may not be known yet.
            if !table.relationships[inverse].isKeyed { table.comparedLinks.append(link) }
            if table.relationships[inverse].isOneToOne, !resolved[parent].isNew {
                try release(resolved[parent].number, from: inverse, of: table, except: resolved[index].number)
            }
        case .column, .joinTable: return
        }
    }

    private func linkToChildren(_ index: Int, of element: ElementRows, _ table: EntityTable) throws(StoreError) {
        var child = Int(resolved[index].firstChild)
        var setAttributes: [Int32] = []
        while child >= 0 {
            let row = element.rows[child]
            let relationship = table.relationships[Int(row.relationship)]
            let isEmpty = row.entity < 0
            let isFirst = !resolved[index].isNew && !setAttributes.contains(row.relationship)
            if isFirst {
                setAttributes.append(row.relationship)
                if try loses(of: Int(row.relationship), of: index, in: table, element) {
                    table.losingRelationships.append(Int(row.relationship))
                }
                try noteReplaced(by: Int(row.relationship), of: resolved[index].number, in: table)
            }
            if case .column = relationship.storage, let link = relationship.link {
                table.links[link] = isEmpty ? .null : .row(resolved[child].number)
                if !relationship.isOwning, !relationship.isKeyed { table.comparedLinks.append(link) }
                if !isEmpty, !resolved[child].isNew, relationship.isOneToOne {
                    try release(
                        resolved[child].number, from: Int(row.relationship), of: table, except: resolved[index].number)
                }
            } else if isFirst, isEmpty || relationship.isToMany {
                // The list or null in an element replaces earlier links.
                try clear(Int(row.relationship), of: resolved[index].number, in: table)
            }
            child = Int(resolved[child].nextSibling)
        }
    }

    /// Adds a nested row to its parent's list, if that is a table of links.
    private func addToList(_ index: Int, _ row: Row, of element: ElementRows) throws(StoreError) {
        let parent = Int(row.parent)
        let relationship = tables[Int(element.rows[parent].entity)].relationships[Int(row.relationship)]
        guard let table = relationship.storage.linkTable else { return }
        let list = UInt64(UInt32(bitPattern: row.parent)) << 32 | UInt64(UInt32(bitPattern: row.relationship))
        let position = positions[list, default: 0]
        positions[list] = position + 1
        let (owner, target) = table.isOwner ? (parent, index) : (index, parent)
        try addLink(resolved[owner].number, resolved[target].number, at: position, in: relationship.storage)
    }

    /// Adds a row to a table of links.
    func addLink(
        _ owner: Int64, _ target: Int64, at position: Int64, in storage: RelationshipStorage
    ) throws(StoreError) {
        guard let table = storage.linkTable else { return }
        // In the list of another owner an object has another position; in a set, the first link is kept.
        let isList = if case .linkTable = storage { true } else { false }
        if isList { try makeIndex(table: table.table, column: "target", isUnique: true) }
        let statement = try statement(
            #"INSERT OR \#(isList ? "REPLACE" : "IGNORE") INTO \#(table.name)("owner", "target", "position") VALUES(?, ?, ?)"#
        )
        try statement.bind(owner, at: 1)
        try statement.bind(target, at: 2)
        try statement.bind(position, at: 3)
        try statement.run()
    }

    /// Removes the links of a row in other tables.
    private func clear(_ relationship: Int, of row: Int64, in table: EntityTable) throws(StoreError) {
        let storage = table.relationships[relationship].storage
        let target = tables[table.relationships[relationship].destination]
        switch storage {
        case .column: return
        case .inverseColumn(let inverse), .mirror(of: let inverse), .linkTable(_, let inverse):
            try release(row, from: inverse, of: target, except: 0)
        case .joinTable(let name, let isOwner):
            let column = isOwner ? "owner" : "target"
            if !isOwner { try makeIndex(table: name, column: column) }
            let statement = try statement(#"DELETE FROM \#(Schema.quoted(name)) WHERE "\#(column)" = ?"#)
            try statement.bind(row, at: 1)
            try statement.run()
        }
    }

    /// Clears references to a row in a to-one column, except for one row.
    private func release(
        _ target: Int64, from relationship: Int, of table: EntityTable, except keeper: Int64
    ) throws(StoreError) {
        let column = table.quotedColumn(ofRelationship: relationship)
        try makeIndex(table: table.description.name, column: table.description.relationships[relationship].name)
        let statement = try statement("UPDATE \(table.name) SET \(column) = NULL WHERE \(column) = ? AND \"_id\" <> ?")
        try statement.bind(target, at: 1)
        try statement.bind(keeper, at: 2)
        try statement.run()
        // Rows that lost their link may have a key for another target.
        if database.changes > 0 { table.reopen(relationship) }
    }

    /// Builds an index early, because links are searched for with it.
    private func makeIndex(table: String, column: String, isUnique: Bool = false) throws(StoreError) {
        guard searchedColumns.insert([table, column]).inserted else { return }
        try database.execute(Schema.index(table: table, column: column, isUnique: isUnique))
    }

    // MARK: Keys

    private func linkByKeys(
        _ index: Int, _ slots: RowSlots, of element: ElementRows, _ table: EntityTable
    ) throws(StoreError) {
        let isNew = resolved[index].isNew
        for position in table.wires.indices {
            let wire = table.wires[position]
            guard isNew || wire.isTouched(by: slots) else { continue }
            if wire.isList {
                if !isNew { try clear(wire.relationship, of: resolved[index].number, in: table) }
                table.isOpen[position] = true
                continue
            }
            guard let link = table.relationships[wire.relationship].link, case .absent = table.links[link] else {
                continue
            }
            if let target = try target(of: wire, slots, of: element) {
                table.links[link] = .row(target)
            } else {
                // A link by a former key must be removed; keys are resolved after all rows are known.
                table.links[link] = .null
                if !wire.isWithoutKey(slots, isNew: isNew, defaults: table.defaults) { table.isOpen[position] = true }
            }
        }
    }

    /// Returns the row of a target that is known before all rows are: from the map, or from the file that is updated.
    private func target(
        of wire: Wire, _ slots: RowSlots, of element: ElementRows
    ) throws(StoreError) -> Int64? {
        let destination = tables[wire.destination]
        let key = wire.directKey.flatMap { slots[$0].knownInteger }
        if let key, let row = destination.map?[key] { return row }
        guard isUpdating, let keys = wire.directKeys, keys.allSatisfy({ !slots[$0].isAbsent && !slots[$0].isNull })
        else { return nil }
        let row = try destination.existingRow(by: keys, slots, of: element)
        if let key, let row { destination.map?.insert(key, row: row) }
        return row
    }
}

extension Wire {
    /// Whether an element contains anything that determines the target.
    fileprivate func isTouched(by slots: RowSlots) -> Bool {
        keys.contains { !slots[$0].isAbsent } || conditions.contains { !slots[$0.attribute].isAbsent }
    }

    /// Whether a row is known to have no key.
    fileprivate func isWithoutKey(_ slots: RowSlots, isNew: Bool, defaults: [StoredValue?]) -> Bool {
        keys.allSatisfy { key in
            slots[key].isNull || slots[key].isAbsent && isNew && (defaults[key]?.isNull ?? true)
        }
    }
}

extension EntityTable {
    /// Schedules resolving the keys of a relationship at the end.
    fileprivate func reopen(_ relationship: Int) {
        for (position, wire) in wires.enumerated() where wire.relationship == relationship { isOpen[position] = true }
    }
}
