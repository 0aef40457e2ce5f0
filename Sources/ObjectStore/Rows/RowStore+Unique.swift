import ObjectMapping

/// Attributes other than the identity whose values are unique.
extension RowStore {
    /// Removes the indexes of unique attributes: while rows are updated, two of them can have the same values.
    func dropUniqueIndexes() throws(StoreError) {
        for table in tables {
            for index in matchedIndexes(of: table) {
                try database.execute("DROP INDEX IF EXISTS \(Schema.name(of: index, of: table.entity.description))")
            }
        }
    }

    /// Builds the indexes of the attributes that keys are compared with, and verifies that the values of all unique
    /// attributes are.
    ///
    /// - Throws: An error of kind `constraint`.
    func buildUniqueIndexes() throws(StoreError) {
        for table in tables {
            let matched = matchedIndexes(of: table)
            for names in table.entity.description.uniqueSets {
                let index = ObjectIndex(attributes: names, isUnique: true)
                if matched.contains(index) {
                    do {
                        try database.execute(Schema.index(index, of: table.entity.description))
                        continue
                    } catch  where error.kind == .constraint {}
                }
                try checkUniqueness(of: names, in: table)
            }
        }
    }

    /// The unique indexes of a table's attributes that keys of relationships are compared with.
    private func matchedIndexes(of table: EntityTable) -> [ObjectIndex] {
        let matched = tables.flatMap(\.plan.keyed).filter { tables[$0.destination] === table }
            .flatMap { $0.rules.map { Set($0.key.matching) } }
        return table.entity.description.uniqueSets.filter { matched.contains(Set($0)) }
            .map { ObjectIndex(attributes: $0, isUnique: true) }
    }

    private func checkUniqueness(of names: [String], in table: EntityTable) throws(StoreError) {
        let attributes = names.compactMap { name in table.entity.description.attributes.firstIndex { $0.name == name } }
        // Relationships are not set yet.
        guard attributes.count == names.count else { return }
        let columns = attributes.map { table.entity.columnNames[$0] }
        let found = try database.prepare(
            """
            SELECT \(columns.joined(separator: ", ")) FROM \(table.entity.table) \
            WHERE \(columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) \
            GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1
            """)
        guard try found.step() else { return }
        let values = columns.indices.map { found.value(at: $0) }
        let entity = table.entity.name
        throw StoreError(
            .constraint,
            "several objects of '\(entity)' have the same \(names.count == 1 ? "value" : "values") of "
                + names.map { "'\($0)'" }.joined(separator: ", ") + ", which must be unique", entity: entity,
            violation: UniqueViolation(entity: entity, attributes: names, values: values))
    }
}
