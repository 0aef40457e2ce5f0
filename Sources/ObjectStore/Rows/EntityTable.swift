import ObjectMapping

/// A table of a seed: what its elements have set and replaced.
final class EntityTable: RowWriter {
    /// What the element replaces in the row that is being written.
    struct CurrentRow {
        /// The to-one columns whose earlier target is replaced if the element has another one.
        var comparedLinks: [Int] = []
        /// The nested relationships that lose objects because of the element.
        var losingRelationships: [Int] = []

        mutating func reset() {
            if !comparedLinks.isEmpty { comparedLinks.removeAll(keepingCapacity: true) }
            if !losingRelationships.isEmpty { losingRelationships.removeAll(keepingCapacity: true) }
        }
    }

    /// The numbers of rows.
    struct Counts {
        var inserted = 0
        var merged = 0
        /// The merged rows that replaced a value with a different one.
        var conflicts = 0
        /// The deleted rows, of the existing ones and of the new ones.
        var removed = 0
    }

    // Exclusivity unchecked: one thread fills the store and no access outlasts a call; the checks took a tenth of the time.
    /// For each relationship with keys, whether there may be rows with a key and without a target.
    @safe @exclusivity(unchecked) var isOpen: [Bool]
    @safe @exclusivity(unchecked) var current = CurrentRow()
    /// Whether objects of the entity occurred separately, and not only nested in others.
    @safe @exclusivity(unchecked) var hasTopLevelRows = false
    @safe @exclusivity(unchecked) private(set) var counts = Counts()

    /// The first row that is not in the existing file.
    private var firstNewRow: Int64 = 1
    /// The columns, then the relationships, of existing rows that this build's elements have set.
    @safe @exclusivity(unchecked) private var setColumns: SetColumns
    private var equality: SQLiteStatement?

    init(_ entity: StoredEntity, of entities: [StoredEntity], _ connection: StoreConnection, usesLookups: Bool) {
        let plan = TablePlan(entity, of: entities)
        setColumns = SetColumns(width: entity.columnCount + entity.relationships.count)
        isOpen = Array(repeating: false, count: plan.keyed.count)
        super.init(plan, RowIndex(entity, connection, usesLookups: usesLookups), connection)
    }

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

    /// Records that rows were deleted.
    func didRemove(_ count: Int) { counts.removed += count }

    // MARK: Statements

    override func dropStatements() {
        super.dropStatements()
        equality = nil
    }

    /// Writes a new row.
    ///
    /// Rows must be inserted in the order of their numbers.
    func insert(_ row: Int64, _ slots: RowSlots, of element: ElementRows) throws(StoreError) {
        _ = try insertRow(row, slots, of: element)
        // Only the first one after deleted rows: SQLite numbers the following rows.
        if connection.database.lastInsertedRow != row {
            try connection.run(
                "UPDATE \(entity.table) SET \"_id\" = ? WHERE \"_id\" = ?",
                [.integer(row), .integer(connection.database.lastInsertedRow)])
        }
        counts.inserted += 1
    }

    /// Writes the values of an element to an existing row; other columns are unchanged.
    ///
    /// - Returns: The attributes and relationships that get a different value than earlier elements of this build had.
    func update(_ row: Int64, _ slots: RowSlots, of element: ElementRows) throws(StoreError) -> [String] {
        counts.merged += 1
        let attributes = plan.slots.count
        var present = ColumnSet()
        for index in plan.slots.indices where !slots[plan.slots[index]].isAbsent && !entity.identity.contains(index) {
            present.append(index)
        }
        for index in links.indices where !links[index].isAbsent { present.append(attributes + index) }
        var replaced = current.losingRelationships.map { entity.relationships[$0].name }
        defer { if !replaced.isEmpty { counts.conflicts += 1 } }
        guard !present.isEmpty else { return replaced }
        let update = try statements(for: present)
        let (columns, comparison) = (update.columns, try update.comparison(connection))
        let setAgain = isNew(row) ? columns : setColumns.insert(columns, of: row)
        try plan.bind(columns, of: row, slots, links, of: element, to: comparison)
        for (position, value) in update.defaults.enumerated() {
            try comparison.bind(value, at: columns.count + position + 2)
        }
        // Most repeated objects are equal: then nothing is written.
        guard try comparison.step() else { return replaced }
        let differences = columns.indices.map { comparison.integer(at: $0) }
        comparison.reset()
        for (column, difference) in zip(columns, differences) where difference > 1 && setAgain.contains(column) {
            let link = column - attributes
            guard link < 0 || current.comparedLinks.contains(link) else { continue }
            replaced.append(entity.name(of: entity.property(ofColumn: column)))
        }
        try writeColumns(of: row, update, slots, of: element)
        return replaced
    }

    /// Whether the attributes of a row are equal to those of an element's row.
    func isRow(_ row: Int64, equalTo slots: RowSlots, of element: ElementRows) throws(StoreError) -> Bool {
        guard !plan.slots.isEmpty else { return true }
        let statement = if let equality { equality } else { try prepareEquality() }
        equality = statement
        try plan.bind(slots, of: element, isNew: true, to: statement, from: 1)
        try statement.bind(row, at: plan.slots.count + 1)
        defer { statement.reset() }
        return try statement.step()
    }

    private func prepareEquality() throws(StoreError) -> SQLiteStatement {
        let columns = entity.columnNames
        let parameters = repeatElement("?", count: columns.count).joined(separator: ", ")
        return try connection.database.prepare(
            "SELECT 1 FROM \(entity.table) WHERE (\(columns.joined(separator: ", "))) IS (\(parameters)) AND \"_id\" = ?"
        )
    }
}
