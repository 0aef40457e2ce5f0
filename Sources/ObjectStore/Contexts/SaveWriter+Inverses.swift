/// Relationships of rows that others changed as well: each side is a value, of which either may have been kept.
extension SaveWriter {
    /// Returns the changes of link tables without those of objects whose owner others have set, and is kept.
    func winning(
        _ links: [ChangeSet.Link], _ outcome: SaveOutcome
    ) throws(StoreError) -> [ChangeSet.Link] {
        guard !outcome.merged.isEmpty else { return links }
        let merged = Set(outcome.merged.map { [Int64($0.entity), $0.row] })
        var winning: [ChangeSet.Link] = []
        for link in links {
            let relationship = store.entities[link.entity].relationships[link.relationship]
            if relationship.hasOneOwner, merged.contains([Int64(relationship.destination), link.target]) {
                let owner = link.owner < 0 ? outcome.rows[link.owner] ?? 0 : link.owner
                guard try self.owner(of: link.target, in: relationship) == (owner == 0 ? nil : owner) else { continue }
            }
            winning.append(link)
        }
        return winning
    }

    /// Returns the owner in the column of a row in a list.
    private func owner(of row: Int64, in list: StoredEntity.Relationship) throws(StoreError) -> Int64? {
        guard let inverse = list.inverse else { return nil }
        let target = store.entities[list.destination]
        return try connection.integer(
            "SELECT \(target.relationships[inverse].column) FROM \(target.table) WHERE \"_id\" = ?", [.integer(row)])
    }

    /// Clears the columns of one-to-one relationships whose target refers to another object.
    func alignInverses(
        of changes: ChangeSet, _ outcome: inout SaveOutcome, _ deletion: inout RowDeletion
    ) throws(StoreError) {
        guard !outcome.merged.isEmpty || !outcome.adopted.isEmpty else { return }
        var written: [Int: Set<Int64>] = [:]
        for update in changes.updates where update.changes.contains(where: \.isRelationship) {
            written[update.entity, default: []].insert(update.row)
        }
        for insertion in changes.insertions {
            if let row = outcome.rows[insertion.temporary] { written[insertion.entity, default: []].insert(row) }
        }
        for entity in store.entities {
            for (index, relationship) in entity.relationships.enumerated() {
                let other = store.entities[relationship.destination]
                guard let inverse = relationship.inverse, !relationship.isToMany,
                    !other.relationships[inverse].isToMany
                else { continue }
                let rows = [entity, other].map { StoredValue.rows((written[$0.index] ?? []).sorted()[...]) }
                let column = "\(entity.table).\(relationship.column)"
                let cleared = try connection.rows(
                    """
                    UPDATE \(entity.table) SET \(relationship.column) = NULL \
                    WHERE ("_id" IN (SELECT value FROM json_each(?)) OR \(column) IN (SELECT value FROM json_each(?))) \
                    AND \(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(other.table) AS "_mappingkit_other" \
                    WHERE "_mappingkit_other"."_id" = \(column) \
                    AND "_mappingkit_other".\(other.relationships[inverse].column) = \(entity.table)."_id") \
                    RETURNING "_id"
                    """, rows)
                for row in cleared {
                    deletion.didClear(RowRelationship(entity: entity, index: index, row: row))
                    outcome.merged.append(ChangeSet.RowID(entity: entity.index, row: row))
                }
            }
        }
    }
}
