import ObjectMapping

/// A table while it is filled: its statements, row numbers and known rows.
final class EntityTable: NumberedTable {
    let plan: TablePlan
    let index: RowIndex

    // Exclusivity unchecked: one thread fills the store and no access outlasts a call; the checks took a tenth of the time.
    /// For each relationship with keys, whether there may be rows with a key and without a target.
    @safe @exclusivity(unchecked) var isOpen: [Bool]
    /// For the current row, the values of its to-one columns in the element.
    @safe @exclusivity(unchecked) var links: [ColumnLink]
    /// The to-one columns of the current row whose earlier target is replaced if the element has another one.
    @safe @exclusivity(unchecked) var comparedLinks: [Int] = []
    /// The nested relationships of the current row that lose objects because of the element.
    @safe @exclusivity(unchecked) var losingRelationships: [Int] = []
    /// Whether objects of the entity occurred separately, and not only nested in others.
    @safe @exclusivity(unchecked) var hasTopLevelRows = false
    @safe @exclusivity(unchecked) private(set) var inserted = 0
    @safe @exclusivity(unchecked) private(set) var merged = 0
    /// The number of merged rows that replaced a value with a different one.
    private(set) var conflicts = 0
    private(set) var removed = 0

    private let connection: StoreConnection
    /// The first row that is not in the existing file.
    private var firstNewRow: Int64 = 1
    /// The columns, then the relationships, of existing rows that this build's elements have set.
    @safe @exclusivity(unchecked) private var setColumns: SetColumns
    @safe @exclusivity(unchecked) private var insertion: SQLiteStatement?
    private var equality: SQLiteStatement?
    @safe @exclusivity(unchecked) private var updates = ColumnStatements<ColumnUpdate>()

    init(_ entity: StoredEntity, of model: ObjectModel, _ connection: StoreConnection, usesLookups: Bool) {
        plan = TablePlan(entity, of: model)
        index = RowIndex(entity, connection, usesLookups: usesLookups)
        self.connection = connection
        setColumns = SetColumns(width: entity.columnCount + entity.relationships.count)
        links = Array(repeating: .absent, count: entity.toOnes.count)
        isOpen = Array(repeating: false, count: plan.keyed.count)
    }

    var entity: StoredEntity { plan.entity }

    /// Continues after the existing rows.
    func continueAfterExistingRows() throws(StoreError) {
        firstNewRow = try index.nextRow()
        // Rows whose keys led nowhere are in the table of pending connections: without any, no table is searched for them.
        for (index, keyed) in plan.keyed.enumerated() {
            isOpen[index] =
                try connection.integer(
                    #"SELECT 1 FROM "_mappingkit_pending" WHERE "entity" = ? AND "relationship" = ? LIMIT 1"#,
                    [.text(entity.name), .text(entity.relationships[keyed.relationship].name)]) != nil
        }
    }

    /// Returns the rows that were inserted by this build; `nil` if there are none.
    func newRows() throws(StoreError) -> ClosedRange<Int64>? {
        let next = try index.nextRow()
        return next > firstNewRow ? firstNewRow...next - 1 : nil
    }

    /// Whether a row was inserted by this build.
    func isNew(_ row: Int64) -> Bool { row >= firstNewRow }

    /// Whether an earlier element of this build has set a relationship of a row; records that this one does.
    func isSetAgain(relationship: Int, of row: Int64) -> Bool {
        // Every column of a new row has been set, by an element or with a default.
        isNew(row) || !setColumns.insert([entity.columnCount + relationship], of: row).isEmpty
    }

    func resetComparisons() {
        if !comparedLinks.isEmpty { comparedLinks.removeAll(keepingCapacity: true) }
        if !losingRelationships.isEmpty { losingRelationships.removeAll(keepingCapacity: true) }
    }

    /// Records that rows were deleted, of the existing ones and of the new ones.
    func didRemove(_ count: Int) { removed += count }

    // MARK: Statements

    func dropStatements() {
        insertion = nil
        index.dropStatements()
        equality = nil
        updates = ColumnStatements()
    }

    /// Writes a new row: every column, absent attributes with their defaults.
    ///
    /// Rows must be inserted in the order of their numbers.
    func insert(_ row: Int64, _ slots: RowSlots, of element: ElementRows) throws(StoreError) {
        let statement = if let insertion { insertion } else { try connection.database.prepare(plan.appending) }
        insertion = statement
        try bind(slots, of: element, to: statement)
        for index in links.indices { try statement.bind(links[index], at: plan.slots.count + index + 1) }
        try statement.run()
        // Only the first one after deleted rows: SQLite numbers the following rows.
        if connection.database.lastInsertedRow != row {
            try connection.run(
                "UPDATE \(entity.table) SET \"_id\" = ? WHERE \"_id\" = ?",
                [.integer(row), .integer(connection.database.lastInsertedRow)])
        }
        inserted += 1
    }

    /// Writes the values of an element to an existing row; other columns are unchanged.
    ///
    /// - Returns: The attributes and relationships that get a different value than earlier elements of this build had.
    func update(_ row: Int64, _ slots: RowSlots, of element: ElementRows) throws(StoreError) -> [String] {
        merged += 1
        let attributes = plan.slots.count
        var present = ColumnSet()
        for index in plan.slots.indices where !slots[plan.slots[index]].isAbsent && !entity.identity.contains(index) {
            present.append(index)
        }
        for (index, link) in links.enumerated() {
            if case .absent = link { continue }
            present.append(attributes + index)
        }
        var replaced = losingRelationships.map { entity.relationships[$0].name }
        defer { if !replaced.isEmpty { conflicts += 1 } }
        guard !present.isEmpty else { return replaced }
        let update = try updates.statements(for: present) { () throws(StoreError) in
            try ColumnUpdate(of: present, plan, connection)
        }
        let (columns, comparison) = (update.columns, update.comparison)
        let setAgain = isNew(row) ? columns : setColumns.insert(columns, of: row)
        try bind(columns, row, slots, of: element, to: comparison)
        for (position, value) in update.defaults.enumerated() {
            try comparison.bind(value, at: columns.count + position + 2)
        }
        // Most repeated objects are equal: then nothing is written.
        guard try comparison.step() else { return replaced }
        let differences = columns.indices.map { comparison.integer(at: $0) }
        comparison.reset()
        for (column, difference) in zip(columns, differences) where difference > 1 && setAgain.contains(column) {
            let link = column - attributes
            guard link < 0 || comparedLinks.contains(link) else { continue }
            replaced.append(entity.name(of: entity.property(ofColumn: column)))
        }
        try bind(columns, row, slots, of: element, to: update.update)
        try update.update.run()
        return replaced
    }

    /// Whether the attributes of a row are equal to those of an element's row.
    func isRow(_ row: Int64, equalTo slots: RowSlots, of element: ElementRows) throws(StoreError) -> Bool {
        guard !plan.slots.isEmpty else { return true }
        let statement = if let equality { equality } else { try prepareEquality() }
        equality = statement
        try bind(slots, of: element, to: statement)
        try statement.bind(row, at: plan.slots.count + 1)
        defer { statement.reset() }
        return try statement.step()
    }

    /// Binds all attributes, absent ones with their defaults.
    private func bind(_ slots: RowSlots, of element: ElementRows, to statement: SQLiteStatement) throws(StoreError) {
        for index in plan.slots.indices {
            let slot = slots[plan.slots[index]]
            if slot.isAbsent, let value = plan.defaults[index] {
                try statement.bind(value, at: index + 1)
            } else {
                try statement.bind(slot, of: element, at: index + 1)
            }
        }
    }

    private func bind(
        _ columns: [Int], _ row: Int64, _ slots: RowSlots, of element: ElementRows, to statement: SQLiteStatement
    ) throws(StoreError) {
        for (position, column) in columns.enumerated() {
            if column < plan.slots.count {
                try statement.bind(slots[plan.slots[column]], of: element, at: position + 1)
            } else {
                try statement.bind(links[column - plan.slots.count], at: position + 1)
            }
        }
        try statement.bind(row, at: columns.count + 1)
    }

    private func prepareEquality() throws(StoreError) -> SQLiteStatement {
        let columns = entity.columnNames
        let parameters = repeatElement("?", count: columns.count).joined(separator: ", ")
        return try connection.database.prepare(
            "SELECT 1 FROM \(entity.table) WHERE (\(columns.joined(separator: ", "))) IS (\(parameters)) AND \"_id\" = ?"
        )
    }
}
