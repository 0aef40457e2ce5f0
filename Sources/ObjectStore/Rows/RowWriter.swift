import ObjectMapping

/// Writes the rows of a table by its plan, for seeds and imports.
///
/// Subclasses add how stored rows are found and compared, and what is counted.
class RowWriter {
    final let plan: TablePlan
    final let index: RowIndex
    final let connection: StoreConnection

    // Exclusivity unchecked: one thread writes and no access outlasts a call; the checks took a tenth of the time.
    /// The values of the current row's to-one columns, in the order of the plan.
    @safe @exclusivity(unchecked) final var links: [ColumnLink]
    @safe @exclusivity(unchecked) private final var insertion: SQLiteStatement?
    @safe @exclusivity(unchecked) private final var updates = ColumnStatements()

    init(_ plan: TablePlan, _ index: RowIndex, _ connection: StoreConnection) {
        self.plan = plan
        self.index = index
        self.connection = connection
        links = Array(repeating: .absent, count: plan.links.count)
    }

    final var entity: StoredEntity { plan.entity }

    @inline(__always) final func resetLinks() {
        for index in links.indices { links[index] = .absent }
    }

    func dropStatements() {
        insertion = nil
        updates = ColumnStatements()
        index.dropStatements()
    }

    /// Inserts a row: every column of the plan, absent attributes with their defaults.
    ///
    /// - Returns: Whether it was inserted; false if another row has its identity, and the plan numbers rows.
    final func insertRow(_ row: Int64, _ slots: RowSlots, of element: ElementRows) throws(StoreError) -> Bool {
        let statement = if let insertion { insertion } else { try connection.cached(plan.insertion) }
        insertion = statement
        if plan.isNumbered { try statement.bind(row, at: 1) }
        try plan.bind(slots, of: element, isNew: true, to: statement, from: plan.firstPlace)
        let next = plan.firstPlace + plan.slots.count
        for index in links.indices { try statement.bind(links[index], at: next + index) }
        try plan.classDefaults?.bind(slots, plan, to: statement, from: next + links.count)
        try statement.run()
        return !plan.isNumbered || connection.database.changes > 0
    }

    /// Returns the statements for a set of columns.
    final func statements(for set: ColumnSet) throws(StoreError) -> ColumnUpdate {
        try updates.statements(for: set) { () throws(StoreError) in try ColumnUpdate(of: set, plan, connection) }
    }

    /// Writes columns of an existing row; other columns are unchanged.
    final func writeColumns(
        of row: Int64, _ columns: ColumnUpdate, _ slots: RowSlots, of element: ElementRows
    ) throws(StoreError) {
        try plan.bind(columns.columns, of: row, slots, links, of: element, to: columns.update)
        try plan.classDefaults?.bindReplacingNull(columns.columns, slots, plan, to: columns.update)
        try columns.update.run()
    }
}
