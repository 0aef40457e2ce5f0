import ObjectMapping

/// A table of an import in one batch: how its rows are found, and the values of the current row's keys.
final class ImportTable: RowWriter {
    let rules: ImportPlan
    /// The object with which rules are evaluated; `nil` if no rule requires one.
    let scratch: ScratchObject?

    // Exclusivity unchecked: one thread imports and no access outlasts a call; the checks cost every row.
    /// Whether the last row was new: then the next one is inserted without searching for it.
    @safe @exclusivity(unchecked) var isGrowing = false
    /// The values of the current row's connections.
    @safe @exclusivity(unchecked) var linked: [ImportWriter.Link]
    @safe @exclusivity(unchecked) private var finding: SQLiteStatement?

    init(_ rules: ImportPlan, _ index: RowIndex, _ connection: StoreConnection, _ scratch: ScratchObject?) {
        self.rules = rules
        self.scratch = scratch
        linked = Array(repeating: .absent, count: rules.plan.keyed.count)
        super.init(rules.plan, index, connection)
    }

    /// Returns the statement at the row with the identity in these slots, with the comparison of its columns; `nil` if no
    /// row has it.
    func find(_ slots: RowSlots, of element: ElementRows) throws(StoreError) -> SQLiteStatement? {
        guard let sql = rules.finding else { return nil }
        let statement = if let finding { finding } else { try connection.cached(sql) }
        finding = statement
        try plan.bind(slots, of: element, isNew: false, to: statement, from: 1)
        for index in 0..<rules.links.compared { try statement.bind(links[index], at: plan.slots.count + index + 1) }
        return try statement.step() ? statement : nil
    }

    /// Returns the columns that differ from those of the row that a statement has found.
    func changes(of slots: RowSlots, in statement: SQLiteStatement) -> ColumnSet {
        var changed = ColumnSet()
        let count = plan.slots.count + rules.links.compared
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
