import ObjectMapping

/// The numbers of an element's rows, which are known before a row is written: any row can refer to any other.
struct RowNumbers {
    struct Row {
        /// The row's number in its table; 0 for a relationship that is null or empty.
        var number: Int64 = 0
        var isNew = false
        /// The indexes of the row's children and next sibling in the element; -1 for a row without them.
        var firstChild: Int32 = -1
        var lastChild: Int32 = -1
        var nextSibling: Int32 = -1
    }

    /// By index; longer if an earlier element had more rows.
    private var rows: [Row] = []

    subscript(index: Int) -> Row { rows[index] }

    /// Finds or numbers the rows of an element, in their order.
    ///
    /// - Parameters:
    ///   - tables: The tables of the rows' entities.
    ///   - isCached: Whether later elements find new rows in memory.
    mutating func assign(
        to element: ElementRows, in tables: [some RowWriter], isCached: Bool
    ) throws(StoreError) {
        let count = element.rows.count
        if rows.count < count { rows += repeatElement(Row(), count: count - rows.count) }
        if count > 1 {
            for row in element.rows where row.entity >= 0 { tables[Int(row.entity)].index.occurrences += 1 }
        }
        for (index, row) in element.rows.enumerated() {
            guard row.entity >= 0 else {
                rows[index] = Row()
                continue
            }
            let (table, slots) = (tables[Int(row.entity)], RowSlots(of: row, in: element))
            if let known = try table.index.row(slots, table.plan.identity, of: element) {
                rows[index] = Row(number: known)
            } else {
                let number = try table.index.takeRow()
                rows[index] = Row(number: number, isNew: true)
                try table.index.add(number, slots, table.plan.identity, of: element, isCached: isCached)
            }
        }
        guard count > 1 else { return }
        linkTree(of: element)
        for row in element.rows where row.entity >= 0 { tables[Int(row.entity)].index.endElement() }
    }

    private mutating func linkTree(of element: ElementRows) {
        for (index, row) in element.rows.enumerated() where row.parent >= 0 {
            let parent = Int(row.parent)
            if rows[parent].firstChild < 0 {
                rows[parent].firstChild = Int32(index)
            } else {
                rows[Int(rows[parent].lastChild)].nextSibling = Int32(index)
            }
            rows[parent].lastChild = Int32(index)
        }
    }
}
