import ObjectMapping

/// Finds the nested objects that a merge would lose.
extension RowStore {
    /// Whether a row loses objects of earlier elements in this build when an element sets a nested relationship again.
    ///
    /// A growing list loses nothing. Objects without an identity are compared by their attributes.
    func loses(
        of relationship: Int, of index: Int, in table: EntityTable, _ element: ElementRows
    ) throws(StoreError) -> Bool {
        let role = table.plan.roles[relationship]
        guard role.isOwning || role.link == nil, !role.isKeyed,
            table.isSetAgain(relationship: relationship, of: numbers[index].number)
        else { return false }
        let (column, source, owner) = place(of: relationship, in: table)
        let objects = try connection.cached(
            "SELECT \(column) FROM \(source) WHERE \(owner) = ? AND \(column) IS NOT NULL ORDER BY \(column)")
        try objects.bind(numbers[index].number, at: 1)
        var rows: [Int64] = []
        while try objects.step() { rows.append(objects.integer(at: 0)) }
        guard !rows.isEmpty else { return false }
        var children: [Int] = []
        var child = Int(numbers[index].firstChild)
        while child >= 0 {
            if element.rows[child].relationship == relationship, element.rows[child].entity >= 0 {
                children.append(child)
            }
            child = Int(numbers[child].nextSibling)
        }
        guard role.isOwning else { return !Set(rows).isSubset(of: children.map { numbers[$0].number }) }
        guard rows.count <= children.count else { return true }
        let target = tables[table.entity.relationships[relationship].destination]
        for (row, child) in zip(rows, children) {
            if try !target.isRow(row, equalTo: RowSlots(of: element.rows[child], in: element), of: element) {
                return true
            }
        }
        return false
    }

    /// The location of a nested relationship's rows: their column, its table, and the column of the owner.
    func place(of relationship: Int, in table: EntityTable) -> (column: String, source: String, owner: String) {
        let description = table.entity.relationships[relationship]
        switch description.storage {
        case .mirror(of: let inverse), .linkTable(_, let inverse):
            // Their own columns and tables are completed at the end.
            let target = entities[description.destination]
            return (#""_id""#, target.table, target.relationships[inverse].column)
        case .column, .inverseColumn, .joinTable:
            let links = table.entity.links(of: relationship, in: entities)
            return (links.target, links.table, links.source)
        }
    }
}
