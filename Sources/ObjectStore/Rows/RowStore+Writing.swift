import ObjectMapping

/// Second pass over an element: writes every row, with the links in the element and by keys.
extension RowStore {
    func write(_ index: Int, of element: ElementRows) throws(StoreError) {
        let row = element.rows[index]
        let table = tables[Int(row.entity)]
        let slots = RowSlots(of: row, in: element)
        table.resetLinks()
        table.current.reset()
        try linkToParent(index, of: element, table)
        try linkToChildren(index, of: element, table)
        try linkByKeys(index, slots, of: element, table)
        if numbers[index].isNew {
            try table.insert(numbers[index].number, slots, of: element)
        } else {
            let replaced = try table.update(numbers[index].number, slots, of: element)
            if !replaced.isEmpty {
                conflicts.append(MergeConflict(entity: table.entity.name, names: replaced, offset: row.offset))
            }
        }
        if row.parent >= 0 { try addToList(index, row, of: element) } else { table.hasTopLevelRows = true }
    }

    // MARK: Nested rows

    private func linkToParent(_ index: Int, of element: ElementRows, _ table: EntityTable) throws(StoreError) {
        let row = element.rows[index]
        guard row.parent >= 0 else { return }
        let parent = Int(row.parent)
        switch tables[Int(element.rows[parent].entity)].entity.relationships[Int(row.relationship)].storage {
        case .inverseColumn(let inverse), .mirror(of: let inverse), .linkTable(_, let inverse):
            let role = table.plan.roles[inverse]
            guard let link = role.link else { return }
            table.links[link] = .row(numbers[parent].number)
            // A row determined by a key may not be known yet.
            if !role.isKeyed { table.current.comparedLinks.append(link) }
            if role.isOneToOne, !numbers[parent].isNew {
                try release(numbers[parent].number, from: inverse, of: table, except: numbers[index].number)
            }
        case .column, .joinTable: return
        }
    }

    private func linkToChildren(_ index: Int, of element: ElementRows, _ table: EntityTable) throws(StoreError) {
        var child = Int(numbers[index].firstChild)
        var setAttributes: [Int32] = []
        while child >= 0 {
            let row = element.rows[child]
            let (relationship, role) = (Int(row.relationship), table.plan.roles[Int(row.relationship)])
            let isEmpty = row.entity < 0
            let isFirst = !numbers[index].isNew && !setAttributes.contains(row.relationship)
            if isFirst {
                setAttributes.append(row.relationship)
                if try loses(of: relationship, of: index, in: table, element) {
                    table.current.losingRelationships.append(relationship)
                }
                try noteReplaced(by: relationship, of: numbers[index].number, in: table)
            }
            if case .column = table.entity.relationships[relationship].storage, let link = role.link {
                table.links[link] = isEmpty ? .null : .row(numbers[child].number)
                if !role.isOwning, !role.isKeyed { table.current.comparedLinks.append(link) }
                if !isEmpty, !numbers[child].isNew, role.isOneToOne {
                    try release(numbers[child].number, from: relationship, of: table, except: numbers[index].number)
                }
            } else if isFirst, isEmpty || role.link == nil {
                // The list or null in an element replaces earlier links.
                try clear(relationship, of: numbers[index].number, in: table)
            }
            child = Int(numbers[child].nextSibling)
        }
    }

    /// Adds a nested row to its parent's list, if that is a table of links.
    private func addToList(_ index: Int, _ row: Row, of element: ElementRows) throws(StoreError) {
        let parent = Int(row.parent)
        let owning = tables[Int(element.rows[parent].entity)].entity
        guard let table = owning.relationships[Int(row.relationship)].linkTable else { return }
        let list = UInt64(UInt32(bitPattern: row.parent)) << 32 | UInt64(UInt32(bitPattern: row.relationship))
        let position = positions[list, default: 0]
        positions[list] = position + 1
        let (owner, target) = table.isOwner ? (parent, index) : (index, parent)
        try addLink(
            numbers[owner].number, numbers[target].number, at: position, in: table,
            isList: owning.relationships[Int(row.relationship)].hasOneOwner)
    }

    /// Adds a row to a table of links.
    ///
    /// - Parameter isList: Whether a target has one owner: in the list of another one it has another position. In a set,
    ///   the first link is kept.
    func addLink(
        _ owner: Int64, _ target: Int64, at position: Int64, in table: RelationshipStorage.LinkTable, isList: Bool
    ) throws(StoreError) {
        if isList { try makeIndex(table: table.table, column: "target", isUnique: true) }
        let statement = try connection.cached(
            #"INSERT OR \#(isList ? "REPLACE" : "IGNORE") INTO \#(table.name)("owner", "target", "position") VALUES(?, ?, ?)"#
        )
        try statement.bind(owner, at: 1)
        try statement.bind(target, at: 2)
        try statement.bind(position, at: 3)
        try statement.run()
    }

    /// Removes the links of a row in other tables.
    private func clear(_ relationship: Int, of row: Int64, in table: EntityTable) throws(StoreError) {
        let storage = table.entity.relationships[relationship].storage
        let target = tables[table.entity.relationships[relationship].destination]
        switch storage {
        case .column: return
        case .inverseColumn(let inverse), .mirror(of: let inverse), .linkTable(_, let inverse):
            try release(row, from: inverse, of: target, except: 0)
        case .joinTable(let name, let isOwner):
            let column = isOwner ? "owner" : "target"
            if !isOwner { try makeIndex(table: name, column: column) }
            let statement = try connection.cached(#"DELETE FROM \#(Schema.quoted(name)) WHERE "\#(column)" = ?"#)
            try statement.bind(row, at: 1)
            try statement.run()
        }
    }

    /// Clears references to a row in a to-one column, except for one row.
    private func release(
        _ target: Int64, from relationship: Int, of table: EntityTable, except keeper: Int64
    ) throws(StoreError) {
        let column = table.entity.relationships[relationship].column
        try makeIndex(table: table.entity.name, column: table.entity.relationships[relationship].name)
        let statement = try connection.cached(
            "UPDATE \(table.entity.table) SET \(column) = NULL WHERE \(column) = ? AND \"_id\" <> ?")
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
        let isNew = numbers[index].isNew
        for position in table.plan.keyed.indices {
            let keyed = table.plan.keyed[position]
            guard isNew || keyed.attributes.contains(where: { !slots[$0].isAbsent }) else { continue }
            if keyed.listType != nil {
                if !isNew { try clear(keyed.relationship, of: numbers[index].number, in: table) }
                table.isOpen[position] = true
                continue
            }
            guard let link = table.plan.roles[keyed.relationship].link, case .absent = table.links[link] else {
                continue
            }
            if let target = try target(of: keyed, slots, of: element) {
                table.links[link] = .row(target)
            } else {
                // A link by a former key must be removed; keys are resolved after all rows are known.
                table.links[link] = .null
                let hasKey = keyed.keys.contains { key in
                    let isDefault = slots[key].isAbsent && isNew && (table.plan.defaults[key]?.isNull ?? true)
                    return !slots[key].isNull && !isDefault
                }
                if hasKey { table.isOpen[position] = true }
            }
        }
    }

    /// Returns the row of a target that is known before all rows are: from the map, or from the file that is updated.
    private func target(
        of keyed: KeyedRelationship, _ slots: RowSlots, of element: ElementRows
    ) throws(StoreError) -> Int64? {
        let (destination, keys) = (tables[keyed.destination].index, keyed.directKeys)
        guard isUpdating else {
            return keys.count == 1 ? slots[keys[0]].knownInteger.flatMap { destination.map?[$0] } : nil
        }
        guard !keys.isEmpty, keys.allSatisfy({ !slots[$0].isAbsent && !slots[$0].isNull }) else { return nil }
        return try destination.target(slots, keys, of: element)
    }
}

extension EntityTable {
    /// Schedules resolving the keys of a relationship at the end.
    fileprivate func reopen(_ relationship: Int) {
        for (position, keyed) in plan.keyed.enumerated() where keyed.relationship == relationship {
            isOpen[position] = true
        }
    }
}
