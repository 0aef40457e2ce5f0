import ObjectMapping

/// Relationships that are set by keys, and those whose objects are nested in the payload.
extension ImportWriter {
    // MARK: Connections

    /// Returns the value of a to-one connection in an element.
    func link(
        _ position: Int, _ table: ImportTable, _ slots: RowSlots, of element: ElementRows
    ) throws(StoreError) -> Link {
        let keyed = table.plan.keyed[position]
        guard !keyed.directKeys.isEmpty, keyed.rules.count == 1 else {
            // Rows without a part of it are completed from the file later.
            guard keyed.listType == nil, keyed.attributes.allSatisfy({ isStated($0, table, slots) }) else {
                return .absent
            }
            return try link(keyed, table) { attribute in
                table.rules.slots[attribute].map { element.value(of: slots[$0]) } ?? .null
            }
        }
        for key in keyed.directKeys where slots[key].isAbsent { return .absent }
        for key in keyed.directKeys where slots[key].isNull { return .null }
        let destination = indexes[keyed.destination]
        guard let row = try destination.target(slots, keyed.directKeys, of: element) else {
            return .missing(keyed.directKeys.map { element.value(of: slots[$0]) }, matching: [])
        }
        try RowMarks.check(row, in: destination.entity.name)
        return .row(row)
    }

    private func isStated(_ attribute: Int, _ table: ImportTable, _ slots: RowSlots) -> Bool {
        table.rules.slots[attribute].map { !slots[$0].isAbsent } ?? false
    }

    /// Returns the to-one link of a row with these values of attributes.
    private func link(
        _ keyed: KeyedRelationship, _ table: ImportTable, _ value: (Int) -> StoredValue
    ) throws(StoreError) -> Link {
        guard let key = key(of: keyed, table, value) else { return .null }
        let values = key.attributes.map(value)
        guard !values.contains(.null) else { return .null }
        let lookup = store.entities[keyed.destination].lookup(matching: key.matching)
        return try connection.integer(lookup, values).map { .row($0) } ?? .missing(values, matching: key.matching)
    }

    /// Returns the first key whose conditions are met.
    private func key(
        of keyed: KeyedRelationship, _ table: ImportTable, _ value: (Int) -> StoredValue
    ) -> StoredEntity.Key? {
        keyed.rules.first { rule in
            rule.key.conditions.allSatisfy { value($0.attribute) == $0.value }
                && rule.closures.allSatisfy { isMet in table.scratch.map { isMet($0.object) } ?? true }
        }?.key
    }

    /// Sets relationships without a column in the row, and makes the row wait for missing targets.
    ///
    /// - Returns: Whether a relationship of the row has changed.
    @discardableResult func finish(
        _ position: Int, _ row: Int64, _ slots: RowSlots, of element: ElementRows, _ table: ImportTable, isNew: Bool
    ) throws(StoreError) -> Bool {
        let (keyed, stated) = (table.plan.keyed[position], table.linked[position])
        let source = RowRelationship(entity: table.entity, index: keyed.relationship, row: row)
        var link = stated
        if link.isAbsent {
            guard keyed.needsObject || keyed.attributes.contains(where: { isStated($0, table, slots) }) else {
                return false
            }
            let stored = try values(of: keyed.attributes, source)
            func value(_ attribute: Int) -> StoredValue { stored[attribute] ?? .null }
            if let type = keyed.listType { return try setList(keyed, table, type, source, value, isNew: isNew) }
            link = try self.link(keyed, table, value)
        }
        var isChanged = false
        if table.rules.links.ofConnections[position] == nil || stated.isAbsent {
            isChanged = try relationships.setToOne(source, to: link.row)
            if isChanged, link.row != nil { state.entities[table.entity.index].connected += 1 }
        }
        if case .missing(let key, let names) = link {
            try wait(source, for: [key], matching: names, isNew: isNew)
        } else {
            try wait(source, for: [], isNew: isNew)
        }
        return isChanged
    }

    private func values(of attributes: [Int], _ source: RowRelationship) throws(StoreError) -> [Int: StoredValue] {
        let columns = attributes.map { source.entity.columnNames[$0] }.joined(separator: ", ")
        let sql = "SELECT \(columns) FROM \(source.entity.table) WHERE \"_id\" = ?"
        let values = try connection.cached(sql).rows([.integer(source.row)]).first ?? []
        return Dictionary(zip(attributes, values), uniquingKeysWith: { first, _ in first })
    }

    /// Sets a to-many relationship to the targets of a list of keys, in the order of the keys.
    private func setList(
        _ keyed: KeyedRelationship, _ table: ImportTable, _ type: AttributeType, _ source: RowRelationship,
        _ value: (Int) -> StoredValue, isNew: Bool
    ) throws(StoreError) -> Bool {
        var keys: [StoredValue] = []
        var names: [String] = []
        if let key = key(of: keyed, table, value), let attribute = key.attributes.first {
            names = key.matching
            keys = try self.keys(in: value(attribute), of: attribute, type, source)
        }
        var (targets, positions): ([Int64], [Int]) = ([], [])
        var (known, missing): (Set<StoredValue>, [[StoredValue]]) = ([], [])
        // A relationship contains an object once.
        for key in keys where !key.isNull && known.insert(key).inserted {
            if let target = try connection.integer(store.entities[keyed.destination].lookup(matching: names), [key]) {
                targets.append(target)
                positions.append(known.count - 1)
            } else {
                missing.append([key])
            }
        }
        let isChanged = try relationships.setToMany(source, to: targets, at: positions)
        if isChanged { state.entities[source.entity.index].connected += targets.count }
        try wait(source, for: missing, matching: names, isNew: isNew)
        return isChanged
    }

    /// Returns the keys in a list, which another program may have written.
    private func keys(
        in list: StoredValue, of attribute: Int, _ type: AttributeType, _ source: RowRelationship
    ) throws(StoreError) -> [StoredValue] {
        if list.isNull { return [] }
        let elements = StorageForm.json(of: list, as: type)?.array
        let keys = elements?.compactMap { StorageForm.value(of: $0, as: AttributeType(type.scalar)) }
        if let keys, keys.count == elements?.count { return keys }
        throw StoreError(
            .corrupt,
            "row \(source.row) of '\(source.entity.name)': the value of the column "
                + "'\(source.entity.description.attributes[attribute].name)' cannot be read as \(type)",
            advice: "correct the value", entity: source.entity.name)
    }

    // MARK: Nested objects

    /// Sets the columns of a numbered row to the rows of the element, where writing the row is sufficient.
    func linkNumbered(_ place: Int, of element: ElementRows, _ table: ImportTable) {
        let parent = Int(element.rows[place].parent)
        guard isSingle(place, of: element) else { return }
        if parent >= 0, numbers[place].isNew, isSingle(parent, of: element),
            let inverse = nested(place, of: element).inverse, let link = table.plan.roles[inverse].link,
            link >= table.rules.links.firstOfParents
        {
            table.links[link] = .row(numbers[parent].number)
            if outcomes[parent] == .unchanged { outcomes[parent] = .updated }
            // Other rows can be in the list of a stored row.
            isLinked[place] = numbers[parent].isNew
        }
        var next = Int(numbers[place].firstChild)
        while next >= 0 {
            let child = next
            next = Int(numbers[child].nextSibling)
            let (isRow, nested) = (element.rows[child].entity >= 0, nested(child, of: element))
            guard let link = nested.link, numbers[place].isNew || link < table.rules.links.compared else { continue }
            isLinked[child] = true
            if isRow {
                table.links[link] = .row(numbers[child].number)
            } else if table.links[link].isAbsent, nested.policy != .union {
                table.links[link] = .null
            }
        }
    }

    /// The rows in a relationship of a row, whether they are linked with it, and the index of the last of them.
    private typealias NestedTargets = (parent: Int, link: Int, rows: [Int64], isLinked: Bool, lastPlace: Int)

    /// Returns the relationship of a row's parent that contains the row.
    private func nested(_ place: Int, of element: ElementRows) -> ImportPlan.Nested {
        let row = element.rows[place]
        return tables[Int(element.rows[Int(row.parent)].entity)].rules.nested[Int(row.relationship)]
    }

    /// Sets the relationships of an element to its nested rows, except for those that are written with the rows.
    func linkNested(_ element: ElementRows) throws(StoreError) {
        let places = (0..<element.rows.count).filter { element.rows[$0].parent >= 0 }
        guard places.contains(where: { !isLinked[$0] }) else { return }
        var targets: [NestedTargets] = []
        var known: [[Int]: Int] = [:]
        for index in places {
            let row = element.rows[index]
            let key = [Int(row.parent), Int(row.relationship)]
            let place = known[key] ?? targets.count
            if place == targets.count {
                known[key] = place
                targets.append((key[0], key[1], [], true, index))
            }
            targets[place].lastPlace = index
            if !isLinked[index] { targets[place].isLinked = false }
            let number = numbers[index].number
            if row.entity >= 0, !targets[place].rows.contains(number) { targets[place].rows.append(number) }
        }
        for (parent, link, stated, isLinked, _) in ordered(targets, in: element)
        where !isLinked && !outcomes[parent].endsTree {
            let table = tables[Int(element.rows[parent].entity)]
            let (index, policy) = (table.rules.nested[link].relationship, table.rules.nested[link].policy)
            let source = RowRelationship(entity: table.entity, index: index, row: numbers[parent].number)
            if !source.isToMany, policy == .union, stated.isEmpty { continue }
            let isChanged =
                source.isToMany
                ? try relationships.setToMany(source, to: stated, policy)
                : try relationships.setToOne(source, to: stated.last, policy)
            if isChanged, outcomes[parent] == .unchanged { outcomes[parent] = .updated }
        }
    }

    /// Returns the relationships of an element in the order in which mappings to objects set them: after those of the objects
    /// in them, so that an element keeps the owner whose list does not have it.
    private func ordered(_ targets: [NestedTargets], in element: ElementRows) -> [NestedTargets] {
        guard targets.count > 1 else { return targets }
        // The last row inside of each row.
        var ends = Array(0..<element.rows.count)
        for index in ends.indices.reversed() where element.rows[index].parent >= 0 {
            ends[Int(element.rows[index].parent)] = max(ends[Int(element.rows[index].parent)], ends[index])
        }
        return targets.sorted { first, second in
            let (firstEnd, secondEnd) = (ends[first.lastPlace], ends[second.lastPlace])
            return firstEnd == secondEnd ? first.parent > second.parent : firstEnd < secondEnd
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
            if let first, let next = indexes[index].next { rows[index] = [first...next - 1] }
        }
        for (index, changed) in changedRows { rows[index, default: []] += changed.map { $0...$0 } }
        guard !rows.isEmpty else { return }
        let counts = try state.pending.connect(
            to: rows, with: &relationships, countingAfter: firstPending ?? .max)
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
