import ObjectMapping

/// Writes the rows of elements in a transaction: rows are found by their identity, inserted or updated.
final class ImportWriter {
    /// The result for a row.
    enum Outcome { case inserted, updated, unchanged, outdated }

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
        var isAbsent: Bool { if case .absent = self { true } else { false } }
        /// Whether writing the column of the row is sufficient.
        var isDone: Bool {
            switch self {
            case .null, .row: true
            case .absent, .missing: false
            }
        }
    }

    /// The changes of an element other than to the file.
    struct State {
        var entities: [ImportReport.Entity]
        var nextRows: [Int64?]
        /// The first rows that this batch has inserted, by entity.
        var firstRows: [Int64?]
        /// The rows whose unique attributes were updated, by entity.
        var changedRows: [Int: [Int64]] = [:]
        /// The written rows with required relationships, by table.
        var rowsToCheck: [Int: [Int64]] = [:]
        var relationships: RelationshipWriter
        var pending: PendingConnections
    }

    let store: ManagedObjectStore
    let connection: StoreConnection
    let tables: [ImportTable]
    // Exclusivity unchecked: one thread imports and no access outlasts a call; the checks cost every row.
    /// The last row of the table of unresolved connections before the import; `nil` if it is not known yet.
    @safe @exclusivity(unchecked) var firstPending: Int64?
    @safe @exclusivity(unchecked) var state: State
    @safe @exclusivity(unchecked) private var lookups: [SQLiteStatement?]
    /// The statements that find the targets of connections, by entity.
    @safe @exclusivity(unchecked) var targetLookups: [SQLiteStatement?]
    /// A cache of the rows of targets with an integer identity, by entity.
    @safe @exclusivity(unchecked) private(set) var targets: [IdentityMap] = []
    @safe @exclusivity(unchecked) private var insertions: [SQLiteStatement?]
    @safe @exclusivity(unchecked) private var updates: [[ColumnSet: SQLiteStatement]]
    /// The rows of the element, by their index in it.
    @safe @exclusivity(unchecked) var rows: [Int64] = []
    @safe @exclusivity(unchecked) var outcomes: [Outcome] = []
    /// A new object with the defaults of the current row; `nil` until it is needed.
    @safe @exclusivity(unchecked) private var fresh: ManagedObject?
    /// The values of the current row's connections.
    @safe @exclusivity(unchecked) private var linked: [Link] = []

    init(
        _ store: ManagedObjectStore, _ connection: StoreConnection, _ tables: [ImportTable],
        _ entities: [ImportReport.Entity], firstPending: Int64?
    ) {
        self.store = store
        self.connection = connection
        self.tables = tables
        self.firstPending = firstPending
        state = State(
            entities: entities, nextRows: Array(repeating: nil, count: store.entities.count),
            firstRows: Array(repeating: nil, count: store.entities.count),
            relationships: RelationshipWriter(store, connection), pending: PendingConnections(store, connection))
        lookups = Array(repeating: nil, count: tables.count)
        insertions = lookups
        targetLookups = Array(repeating: nil, count: store.entities.count)
        updates = Array(repeating: [:], count: tables.count)
        forgetTargets()
    }

    /// Empties the cache of targets.
    func forgetTargets() {
        let budget = IdentityMap.Budget(bytes: 1 << 20)
        targets = store.entities.map { _ in IdentityMap(budget: budget, isComplete: false) }
    }

    /// Completes a batch.
    func finish() throws(StoreError) {
        try connectArrived()
        for (index, count) in try state.relationships.deleteReplaced() { state.entities[index].deleted += count }
        for (index, rows) in state.rowsToCheck { try checkRequired(tables[index], rows) }
    }

    /// Rejects rows without a required object: at the end of a batch, because it can follow its owner.
    private func checkRequired(_ table: ImportTable, _ rows: [Int64]) throws(StoreError) {
        let entity = table.entity
        for index in table.required.relationships {
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
    /// - Throws: `StoreError`, or `RejectedObject`.
    func write(_ element: ElementRows) throws {
        // Most elements are a single row.
        if element.rows.count == 1, element.rows[0].entity >= 0 {
            let (number, outcome) = try write(element.rows[0], of: element)
            count(outcome, number, Int(element.rows[0].entity))
            return
        }
        rows.removeAll(keepingCapacity: true)
        outcomes.removeAll(keepingCapacity: true)
        for index in 0..<element.rows.count {
            let row = element.rows[index]
            guard row.entity >= 0 else {
                rows.append(0)
                outcomes.append(.unchanged)
                continue
            }
            let (number, outcome) = try write(row, of: element)
            rows.append(number)
            outcomes.append(outcome)
        }
        if rows.count > 1 { try linkNested(element) }
        for index in outcomes.indices where element.rows[index].entity >= 0 {
            count(outcomes[index], rows[index], Int(element.rows[index].entity))
        }
    }

    /// Counts a row of a table.
    private func count(_ outcome: Outcome, _ row: Int64, _ index: Int) {
        let entity = tables[index].entity.index
        switch outcome {
        case .inserted: state.entities[entity].inserted += 1
        case .updated: state.entities[entity].updated += 1
        case .unchanged, .outdated:
            state.entities[entity].unchanged += 1
            return
        }
        if !tables[index].required.relationships.isEmpty { state.rowsToCheck[index, default: []].append(row) }
    }

    // MARK: Rows

    private func write(_ row: Row, of element: ElementRows) throws -> (row: Int64, Outcome) {
        let index = Int(row.entity)
        let (table, slots) = (tables[index], RowSlots(of: row, in: element))
        if let rules = table.objectRules {
            try rules.scratch.load(slots, of: element, table, rules.attributes, from: connection)
        }
        while linked.count < table.layouts.count { linked.append(.absent) }
        for position in table.layouts.indices { linked[position] = try link(position, table, slots, of: element) }
        if table.isGrowing, missingColumn(of: slots, table) == nil,
            let number = try insertUnlessKnown(slots, of: element, index)
        {
            return (number, .inserted)
        }
        guard let statement = try find(slots, of: element, index) else {
            try check(row, table)
            table.isGrowing = table.objectRules == nil
            return (try insert(slots, of: element, index), .inserted)
        }
        table.isGrowing = false
        let number = statement.integer(at: 0)
        try RowMarks.check(number, in: table.entity.name)
        let isOutdated = statement.integer(at: 1) != 0
        let changed = changes(of: slots, table, in: statement)
        statement.reset()
        guard !isOutdated else { return (number, .outdated) }
        try check(row, table)
        var outcome = Outcome.unchanged
        if !changed.isEmpty {
            try update(number, changed, slots, of: element, index)
            outcome = .updated
        }
        for position in table.layouts.indices {
            let layout = table.layouts[position]
            if layout.written != nil, linked[position].isDone,
                state.pending.isResolved(layout.relationship, ofEntityAt: table.entity.index)
            {
                continue
            }
            let (connection, link) = (table.connections[position], linked[position])
            if try finish(connection, link, number, slots, of: element, table, isNew: false) { outcome = .updated }
        }
        return (number, outcome)
    }

    /// Returns the columns that differ from those of the row that a statement has found.
    private func changes(of slots: RowSlots, _ table: ImportTable, in statement: SQLiteStatement) -> ColumnSet {
        var changed = ColumnSet()
        for group in 0..<(table.statements.names.count + ImportTable.groupSize - 1) / ImportTable.groupSize {
            let bits = statement.integer(at: 2 + group)
            guard bits != 0 else { continue }
            let first = group * ImportTable.groupSize
            for position in first..<min(first + ImportTable.groupSize, table.statements.names.count)
            where bits & (1 << Int64(position - first)) != 0 {
                let isStated =
                    position < table.slots.count
                    ? !slots[table.slots[position]].isAbsent
                    : table.connections.indices.contains { index in
                        table.connections[index].written == position - table.slots.count && !linked[index].isAbsent
                    }
                if isStated { changed.append(position) }
            }
        }
        return changed
    }

    /// Validates the object of a row.
    private func check(_ row: Row, _ table: ImportTable) throws(RejectedObject) {
        for check in table.objectRules?.checks ?? [] {
            do { try check() } catch { throw RejectedObject(cause: error, offset: row.offset) }
        }
    }

    /// Returns the statement at the row with the identity in these slots; `nil` if no row has it.
    private func find(
        _ slots: RowSlots, of element: ElementRows, _ index: Int
    ) throws(StoreError) -> SQLiteStatement? {
        guard let lookup = tables[index].statements.lookup else { return nil }
        let statement = if let known = lookups[index] { known } else { try connection.cached(lookup) }
        lookups[index] = statement
        try bind(slots, of: element, tables[index], to: statement, from: 1)
        return try statement.step() ? statement : nil
    }

    /// Binds all compared columns.
    private func bind(
        _ slots: RowSlots, of element: ElementRows, _ table: ImportTable, to statement: SQLiteStatement,
        from first: Int, isNew: Bool = false
    ) throws(StoreError) {
        for position in table.slots.indices {
            let slot = slots[table.slots[position]]
            if isNew, table.defaults.areVarying, let attribute = table.columns[position].varying,
                slot.isAbsent || slot.isNull && !attribute.isOptional
            {
                try statement.bind(freshDefault(of: attribute, table), at: first + position)
            } else if isNew, slot.isAbsent {
                try statement.bind(table.columns[position].defaultValue, at: first + position)
            } else {
                try statement.bind(slot, of: element, at: first + position)
            }
        }
        for index in table.layouts.indices {
            guard let written = table.layouts[index].written else { continue }
            let place = first + table.slots.count + written
            if case .row(let row) = linked[index] {
                try statement.bind(row, at: place)
            } else {
                try statement.bindNull(at: place)
            }
        }
    }

    /// Returns the default of an attribute for the current row.
    private func freshDefault(of attribute: ManagedAttribute, _ table: ImportTable) -> StoredValue {
        let object = fresh ?? table.entity.type.type.init()
        fresh = object
        return attribute.storedValue(of: object) ?? .null
    }

    private func insert(_ slots: RowSlots, of element: ElementRows, _ index: Int) throws(StoreError) -> Int64 {
        let table = tables[index]
        if let column = missingColumn(of: slots, table) { throw required(column, table) }
        guard let row = try insertUnlessKnown(slots, of: element, index) else {
            throw StoreError(.constraint, "the identity of an object is in use", entity: table.entity.name)
        }
        return row
    }

    /// Returns a column that a new row requires and these slots lack.
    private func missingColumn(of slots: RowSlots, _ table: ImportTable) -> ImportTable.Column? {
        guard !table.required.columns.isEmpty else { return nil }
        return table.required.columns.first { slots[$0.slot].isAbsent || slots[$0.slot].isNull }
    }

    /// Inserts a row and connects it; returns `nil` if one with its identity exists.
    private func insertUnlessKnown(
        _ slots: RowSlots, of element: ElementRows, _ index: Int
    ) throws(StoreError) -> Int64? {
        let table = tables[index]
        let entity = table.entity.index
        let known = state.nextRows[entity]
        let row = if let known { known } else { try connection.firstFreeRow(of: table.entity) }
        let statement =
            if let known = insertions[index] { known } else { try connection.cached(table.statements.insertion) }
        insertions[index] = statement
        try statement.bind(row, at: 1)
        try bind(slots, of: element, table, to: statement, from: 2, isNew: true)
        for (position, value) in table.defaults.values.enumerated() {
            try statement.bind(value, at: 2 + table.statements.names.count + position)
        }
        for (position, attribute) in table.defaults.varying.enumerated() {
            let place = 2 + table.statements.names.count + table.defaults.values.count + position
            try statement.bind(freshDefault(of: attribute, table), at: place)
        }
        fresh = nil
        do throws(StoreError) {
            try statement.run()
        } catch {
            throw notUnique(error, slots, of: element, table)
        }
        guard connection.database.changes > 0 else { return nil }
        state.nextRows[entity] = row + 1
        if state.firstRows[entity] == nil { state.firstRows[entity] = row }
        for position in table.layouts.indices {
            if table.layouts[position].written != nil, linked[position].isDone {
                if case .row = linked[position] { state.entities[entity].connected += 1 }
                continue
            }
            let (connection, link) = (table.connections[position], linked[position])
            if link.isAbsent, connection.written != nil, connection.rules.count == 1 { continue }
            try finish(connection, link, row, slots, of: element, table, isNew: true)
        }
        return row
    }

    private func update(
        _ row: Int64, _ changed: ColumnSet, _ slots: RowSlots, of element: ElementRows, _ index: Int
    ) throws(StoreError) {
        let table = tables[index]
        let positions = changed.columns
        if !table.unique.isEmpty, positions.contains(where: table.unique.contains) {
            state.changedRows[table.entity.index, default: []].append(row)
        }
        for position in positions where position < table.slots.count {
            let column = table.columns[position]
            if column.isRequired, slots[column.slot].isNull { throw required(column, table) }
        }
        let known = updates[index][changed]
        let statement =
            if let known { known } else {
                try connection.cached(
                    "UPDATE \(table.entity.table) SET "
                        + "\(positions.map { "\(table.statements.names[$0]) = ?" }.joined(separator: ", ")) WHERE \"_id\" = ?"
                )
            }
        updates[index][changed] = statement
        for (place, position) in positions.enumerated() {
            if position < table.slots.count {
                try statement.bind(slots[table.slots[position]], of: element, at: place + 1)
            } else {
                let written = position - table.slots.count
                let link = table.connections.firstIndex { $0.written == written }.map { linked[$0] }
                if link?.row != nil { state.entities[table.entity.index].connected += 1 }
                try statement.bind(.row(link?.row), at: place + 1)
            }
        }
        try statement.bind(row, at: positions.count + 1)
        do throws(StoreError) {
            try statement.run()
        } catch {
            throw notUnique(error, slots, of: element, table)
        }
    }

    /// Returns the error for values that another row has.
    private func notUnique(
        _ error: StoreError, _ slots: RowSlots, of element: ElementRows, _ table: ImportTable
    ) -> StoreError {
        let call = "cannot import an object of '\(table.entity.name)'"
        return table.entity.uniqueViolation(error, call) { (property) throws(StoreError) in
            guard let column = table.columns.first(where: { .attribute($0.attribute) == property }) else { return nil }
            let statement = try connection.cached("SELECT ?")
            try statement.bind(slots[column.slot], of: element, at: 1)
            defer { statement.reset() }
            return try statement.step() ? statement.value(at: 0) : nil
        }
    }

    private func required(_ column: ImportTable.Column, _ table: ImportTable) -> StoreError {
        StoreError(
            .invalidObjects,
            "cannot import an object of \(table.entity.name): \(table.entity.description.attributes[column.attribute].name) is required",
            entity: table.entity.name)
    }
}
