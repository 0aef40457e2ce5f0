import ObjectMapping

/// A table of an import in one batch: its statements, and the values of the current row.
final class ImportTable: NumberedTable {
    let rules: ImportPlan
    let plan: TablePlan
    let index: RowIndex
    /// The object with which rules are evaluated; `nil` if no rule requires one.
    let scratch: ScratchObject?

    // Exclusivity unchecked: one thread imports and no access outlasts a call; the checks cost every row.
    /// Whether the last row was new: then the next one is inserted without searching for it.
    @safe @exclusivity(unchecked) var isGrowing = false
    /// The values of the current row's connections.
    @safe @exclusivity(unchecked) var linked: [ImportWriter.Link]
    /// The columns of the current row's to-one relationships.
    @safe @exclusivity(unchecked) var links: [ColumnLink]
    @safe @exclusivity(unchecked) private var lookup: SQLiteStatement?
    @safe @exclusivity(unchecked) private var insertion: SQLiteStatement?
    @safe @exclusivity(unchecked) private var updates = ColumnStatements<SQLiteStatement>()

    init(_ rules: ImportPlan, _ index: RowIndex, _ scratch: ScratchObject?) {
        self.rules = rules
        plan = rules.plan
        self.index = index
        self.scratch = scratch
        linked = Array(repeating: .absent, count: plan.keyed.count)
        links = Array(repeating: .absent, count: rules.links.relationships.count)
    }

    var entity: StoredEntity { plan.entity }

    // MARK: Statements

    /// Returns the statement that finds the row of an identity and compares its columns; `nil` without identity.
    func finding(in connection: StoreConnection) throws(StoreError) -> SQLiteStatement? {
        if let lookup { return lookup }
        guard let sql = rules.statements.lookup else { return nil }
        lookup = try connection.cached(sql)
        return lookup
    }

    func inserting(in connection: StoreConnection) throws(StoreError) -> SQLiteStatement {
        let statement = if let insertion { insertion } else { try connection.cached(rules.statements.insertion) }
        insertion = statement
        return statement
    }

    func updating(_ columns: ColumnSet, in connection: StoreConnection) throws(StoreError) -> SQLiteStatement {
        try updates.statements(for: columns) { () throws(StoreError) in
            try connection.cached(rules.entity.update(of: columns.columns.map { rules.statements.names[$0] }))
        }
    }

    // MARK: Values

    /// Returns the columns that differ from those of the row that a statement has found.
    func changes(of slots: RowSlots, in statement: SQLiteStatement) -> ColumnSet {
        var changed = ColumnSet()
        let count = rules.statements.names.count
        for group in 0..<(count + ImportPlan.groupSize - 1) / ImportPlan.groupSize {
            let bits = statement.integer(at: 2 + group)
            guard bits != 0 else { continue }
            let first = group * ImportPlan.groupSize
            for position in first..<min(first + ImportPlan.groupSize, count)
            where bits & (1 << Int64(position - first)) != 0 {
                let isStated =
                    position < plan.slots.count
                    ? !slots[plan.slots[position]].isAbsent : !links[position - plan.slots.count].isAbsent
                if isStated { changed.append(position) }
            }
        }
        return changed
    }

    /// Returns a column that a new row requires and these slots lack.
    func missingColumn(of slots: RowSlots) -> ImportPlan.Column? {
        guard !rules.required.columns.isEmpty else { return nil }
        return rules.required.columns.first { slots[$0.slot].isAbsent || slots[$0.slot].isNull }
    }
}
