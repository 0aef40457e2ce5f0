import ObjectMapping

/// Writes the rows of elements in a transaction: rows are found by their identity, inserted or updated.
final class ImportWriter {
    /// The result for a row.
    enum Outcome {
        case inserted, updated, unchanged, outdated
        /// It is nested in an outdated row.
        case skipped

        /// Whether nothing that is nested in the row is written.
        var endsTree: Bool { self == .outdated || self == .skipped }
    }

    /// The value of a connection's column in an element.
    enum Link {
        /// It is unknown: not all keys are in the element.
        case absent
        /// There is no key.
        case null
        case row(Int64)
        /// The row of this key does not exist.
        ///
        /// The names are those of the unique attributes that the key belongs to; empty for the identity.
        case missing([StoredValue], matching: [String])

        var row: Int64? { if case .row(let row) = self { row } else { nil } }
        /// The value of the relationship's column.
        var column: ColumnLink {
            switch self {
            case .absent: .absent
            case .null, .missing: .null
            case .row(let row): .row(row)
            }
        }
        var isAbsent: Bool { if case .absent = self { true } else { false } }
        /// Whether writing the column of the row is sufficient.
        var isDone: Bool {
            switch self {
            case .null, .row: true
            case .absent, .missing: false
            }
        }
    }

    /// What is restored if an element is undone; its size depends on the model only, because it is copied per element.
    struct State {
        var entities: [ImportReport.Entity]
        /// The lowest rows that this batch has inserted, by entity.
        var firstRows: [Int64?]
        var pending: PendingConnections
    }

    let store: ManagedObjectStore
    let connection: StoreConnection
    let tables: [ImportTable]
    /// The rows of each entity.
    let indexes: [RowIndex]
    // Exclusivity unchecked: one thread imports and no access outlasts a call; the checks cost every row.
    /// The last row of the table of unresolved connections before the import; `nil` if it is not known yet.
    @safe @exclusivity(unchecked) var firstPending: Int64?
    @safe @exclusivity(unchecked) var state: State
    @safe @exclusivity(unchecked) var relationships: RelationshipWriter
    /// The rows whose unique attributes were updated, also by undone elements, by entity.
    @safe @exclusivity(unchecked) var changedRows: [Int: [Int64]] = [:]
    /// The rows that lost unique values to others in this batch.
    @safe @exclusivity(unchecked) var released = ReleasedRows()
    /// Whether an element that is rejected is skipped, instead of ending the import.
    let skipsInvalidElements: Bool
    /// The written rows with required relationships, by table.
    @safe @exclusivity(unchecked) private var rowsToCheck: [Int: [Int64]] = [:]
    /// The rows of an element with several rows, by their index in it.
    @safe @exclusivity(unchecked) var numbers = RowNumbers()
    @safe @exclusivity(unchecked) var outcomes: [Outcome] = []
    /// Whether each nested row is linked with its parent by columns that are written with the rows.
    @safe @exclusivity(unchecked) var isLinked: [Bool] = []
    /// The rows that occur several times in the current element: the last occurrence decides, so each is written in turn.
    @safe @exclusivity(unchecked) private var seen = (
        repeated: Set<ChangeSet.RowID>(), occurring: Set<ChangeSet.RowID>()
    )

    init(
        _ store: ManagedObjectStore, _ connection: StoreConnection, _ plans: [ImportPlan],
        _ scratch: [Int: ScratchObject], _ entities: [ImportReport.Entity], firstPending: Int64?,
        skipsInvalidElements: Bool
    ) {
        self.skipsInvalidElements = skipsInvalidElements
        self.store = store
        self.connection = connection
        let indexes = store.entities.map { RowIndex($0, connection) }
        self.indexes = indexes
        tables = plans.map { plan in
            let scratch = plan.objectRules == nil ? nil : scratch[plan.entity.index]
            return ImportTable(plan, indexes[plan.entity.index], connection, scratch)
        }
        let replacing = plans.flatMap { plan in
            plan.nested.filter { $0.policy == .replace }.map { plan.entity.relationships[$0.relationship].destination }
        }
        self.firstPending = firstPending
        state = State(
            entities: entities, firstRows: Array(repeating: nil, count: store.entities.count),
            pending: PendingConnections(store, connection))
        relationships = RelationshipWriter(store, connection)
        relationships.stated = Dictionary(uniqueKeysWithValues: Set(replacing).map { ($0, []) })
        forgetTargets()
    }

    /// Empties the cache of targets.
    func forgetTargets() {
        let budget = IdentityMap.Budget(bytes: 1 << 20)
        for index in indexes where index.hasIntegerIdentity {
            index.map = IdentityMap(budget: budget, isComplete: false)
        }
    }

    /// Completes a batch.
    func finish() throws(StoreError) {
        try connectArrived()
        for (index, count) in try relationships.deleteReplaced() { state.entities[index].deleted += count }
        for (index, rows) in rowsToCheck { try checkRequired(tables[index], rows) }
    }

    /// Rejects rows without a required object: at the end of a batch, because it can follow its owner.
    private func checkRequired(_ table: ImportTable, _ rows: [Int64]) throws(StoreError) {
        let entity = table.entity
        for index in table.rules.required.relationships {
            let relationship = entity.relationships[index]
            let found = try connection.integer(
                "SELECT \"_id\" FROM \(entity.table) WHERE \"_id\" IN (SELECT value FROM json_each(?)) "
                    + "AND +\(relationship.column) IS NULL LIMIT 1", [.rows(rows[...])])
            guard let row = found else { continue }
            let names = entity.identity.map { entity.columnNames[$0] }
            let identity =
                try connection.cached(
                    "SELECT \((names.isEmpty ? ["\"_id\""] : names).joined(separator: ", ")) FROM \(entity.table) "
                        + "WHERE \"_id\" = ?"
                ).rows([.integer(row)]).first ?? []
            throw StoreError(
                .invalidObjects,
                "cannot import \(entity.name) \(identity.map(\.description).joined(separator: ", ")): "
                    + "\(relationship.name) is required, and its object is not in the store",
                advice: "import its objects before, or in the same batch", entity: entity.name)
        }
    }

    /// Writes the rows of an element.
    ///
    /// - Returns: The number of the only row; 0 for an element with several rows.
    /// - Throws: `StoreError`, or `RejectedObject`.
    @discardableResult func write(_ element: ElementRows) throws -> Int64 {
        // Most elements are a single row.
        if element.rows.count == 1, element.rows[0].entity >= 0 {
            let (number, outcome) = try write(0, of: element, isNumbered: false)
            count(outcome, number, Int(element.rows[0].entity))
            return number
        }
        try numbers.assign(to: element, in: tables, isCached: false)
        noteRepeatedRows(of: element)
        outcomes.removeAll(keepingCapacity: true)
        isLinked.removeAll(keepingCapacity: true)
        isLinked += repeatElement(false, count: element.rows.count)
        for index in 0..<element.rows.count {
            let (isRow, parent) = (element.rows[index].entity >= 0, Int(element.rows[index].parent))
            // A payload that is older than the stored object says nothing of the objects in it either.
            let isSkipped = parent >= 0 && outcomes[parent].endsTree
            outcomes.append(
                isSkipped ? .skipped : isRow ? try write(index, of: element, isNumbered: true).1 : .unchanged)
        }
        try linkNested(element)
        for index in outcomes.indices where element.rows[index].entity >= 0 {
            count(outcomes[index], numbers[index].number, Int(element.rows[index].entity))
        }
        return 0
    }

    private func noteRepeatedRows(of element: ElementRows) {
        if !seen.repeated.isEmpty { seen.repeated.removeAll() }
        seen.occurring.removeAll(keepingCapacity: true)
        for index in 0..<element.rows.count where element.rows[index].entity >= 0 {
            let row = rowID(index, of: element)
            if !seen.occurring.insert(row).inserted { seen.repeated.insert(row) }
        }
    }

    /// Whether a row occurs once in its element.
    func isSingle(_ place: Int, of element: ElementRows) -> Bool {
        seen.repeated.isEmpty || !seen.repeated.contains(rowID(place, of: element))
    }

    private func rowID(_ place: Int, of element: ElementRows) -> ChangeSet.RowID {
        ChangeSet.RowID(entity: tables[Int(element.rows[place].entity)].entity.index, row: numbers[place].number)
    }

    /// Counts a row of a table.
    private func count(_ outcome: Outcome, _ row: Int64, _ index: Int) {
        let entity = tables[index].entity.index
        if !relationships.stated.isEmpty, outcome != .skipped { relationships.stated[entity]?.insert(row) }
        switch outcome {
        case .inserted: state.entities[entity].inserted += 1
        case .updated:
            state.entities[entity].updated += 1
            relationships.touched.update(row, entity)
        case .unchanged, .outdated:
            state.entities[entity].unchanged += 1
            return
        case .skipped: return
        }
        if !tables[index].rules.required.relationships.isEmpty { rowsToCheck[index, default: []].append(row) }
    }

    // MARK: Rows

    /// - Parameter isNumbered: Whether the row's number is known, and whether the row is new.
    private func write(_ place: Int, of element: ElementRows, isNumbered: Bool) throws -> (row: Int64, Outcome) {
        let row = element.rows[place]
        let (table, slots) = (tables[Int(row.entity)], RowSlots(of: row, in: element))
        let isNew = isNumbered && numbers[place].isNew
        if let rules = table.rules.objectRules {
            try table.scratch?.load(slots, of: element, table, rules.attributes, from: connection)
        }
        table.resetLinks()
        for position in table.linked.indices {
            let link = try link(position, table, slots, of: element)
            table.linked[position] = link
            if let written = table.rules.links.ofConnections[position] { table.links[written] = link.column }
        }
        if isNumbered { linkNumbered(place, of: element, table) }
        if !isNumbered, table.isGrowing, table.missingColumn(of: slots) == nil,
            let number = try insertUnlessKnown(try table.index.nextRow(), slots, of: element, table)
        {
            return (number, .inserted)
        }
        guard !isNew, let statement = try table.find(slots, of: element) else {
            try check(row, table)
            table.isGrowing = table.rules.objectRules == nil
            // The row of an identity that occurs before in an outdated row was numbered, and not written.
            let number = isNumbered ? numbers[place].number : try table.index.nextRow()
            return (try insert(number, slots, of: element, table), .inserted)
        }
        table.isGrowing = false
        let number = statement.integer(at: 0)
        try RowMarks.check(number, in: table.entity.name)
        let isOutdated = statement.integer(at: 1) != 0
        let changed = table.changes(of: slots, in: statement)
        statement.reset()
        guard !isOutdated else { return (number, .outdated) }
        var outcome = Outcome.unchanged
        if !released.rows.isEmpty, forgetReleased(of: number, slots, table) { outcome = .updated }
        try check(row, table)
        if !changed.isEmpty {
            try update(number, changed, slots, of: element, table)
            outcome = .updated
        }
        for position in table.linked.indices {
            if table.rules.links.ofConnections[position] != nil, table.linked[position].isDone,
                state.pending.isResolved(table.plan.keyed[position].relationship, ofEntityAt: table.entity.index)
            {
                continue
            }
            if try finish(position, number, slots, of: element, table, isNew: false) { outcome = .updated }
        }
        return (number, outcome)
    }

    /// Validates the object of a row.
    private func check(_ row: Row, _ table: ImportTable) throws(RejectedObject) {
        guard let object = table.scratch?.object else { return }
        for check in table.rules.objectRules?.checks ?? [] {
            do { try check(object) } catch { throw RejectedObject(cause: error, offset: row.offset) }
        }
    }

    private func insert(
        _ number: Int64, _ slots: RowSlots, of element: ElementRows, _ table: ImportTable
    ) throws(StoreError) -> Int64 {
        if let column = table.missingColumn(of: slots) { throw required(column, table) }
        guard let row = try insertUnlessKnown(number, slots, of: element, table) else {
            throw StoreError(.constraint, "the identity of an object is in use", entity: table.entity.name)
        }
        return row
    }

    /// Inserts a row and connects it; returns `nil` if one with its identity exists.
    private func insertUnlessKnown(
        _ row: Int64, _ slots: RowSlots, of element: ElementRows, _ table: ImportTable
    ) throws(StoreError) -> Int64? {
        let entity = table.entity.index
        let isInserted = try writingUnique(nil, slots, of: element, table) { () throws(StoreError) in
            try table.insertRow(row, slots, of: element)
        }
        guard isInserted else { return nil }
        table.index.next = max(row + 1, try table.index.nextRow())
        state.firstRows[entity] = min(state.firstRows[entity] ?? row, row)
        for (link, list) in zip(table.links, table.rules.links.lists) {
            if let list, case .row(let target) = link { relationships.touched.changeList(list, of: target) }
        }
        for position in table.linked.indices {
            let (link, isWritten) = (table.linked[position], table.rules.links.ofConnections[position] != nil)
            if isWritten, link.isDone {
                if case .row = link { state.entities[entity].connected += 1 }
                continue
            }
            if link.isAbsent, isWritten, table.plan.keyed[position].rules.count == 1 { continue }
            try finish(position, row, slots, of: element, table, isNew: true)
        }
        return row
    }

    private func update(
        _ row: Int64, _ changed: ColumnSet, _ slots: RowSlots, of element: ElementRows, _ table: ImportTable
    ) throws(StoreError) {
        let update = try table.statements(for: changed)
        let positions = update.columns
        if !table.rules.unique.isEmpty, positions.contains(where: table.rules.unique.contains) {
            changedRows[table.entity.index, default: []].append(row)
        }
        for position in positions where position < table.plan.slots.count {
            let column = table.rules.columns[position]
            guard column.isRequired, slots[column.slot].isNull,
                table.plan.classDefaults?.replacingNull[position] == nil
            else { continue }
            throw required(column, table)
        }
        for position in positions where position >= table.plan.slots.count {
            let link = position - table.plan.slots.count
            try noteList(of: link, row, table)
            if case .row = table.links[link], table.rules.links.ofConnections.contains(link) {
                state.entities[table.entity.index].connected += 1
            }
        }
        try writingUnique(row, slots, of: element, table) { () throws(StoreError) in
            try table.writeColumns(of: row, update, slots, of: element)
        }
    }

    /// Records the lists of the targets that a row is about to lose and receive.
    private func noteList(of link: Int, _ row: Int64, _ table: ImportTable) throws(StoreError) {
        guard let list = table.rules.links.lists[link] else { return }
        let source = RowRelationship(entity: table.entity, index: table.plan.links[link], row: row)
        if let old = try relationships.target(of: source) { relationships.touched.changeList(list, of: old) }
        if case .row(let new) = table.links[link] { relationships.touched.changeList(list, of: new) }
    }

    private func required(_ column: ImportPlan.Column, _ table: ImportTable) -> StoreError {
        StoreError(
            .invalidObjects,
            "cannot import an object of \(table.entity.name): \(table.entity.description.attributes[column.attribute].name) is required",
            entity: table.entity.name)
    }
}
