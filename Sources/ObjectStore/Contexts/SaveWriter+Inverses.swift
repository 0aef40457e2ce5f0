/// Relationships of rows that others changed as well: each side is a value, of which either may have been kept.
extension SaveWriter {
    /// Returns the changes of link tables without those of objects whose owner others have set, and is kept.
    func winning(
        _ links: [SaveBatch.Link], _ outcome: SaveBatch.Outcome
    ) throws(StoreError) -> [SaveBatch.Link] {
        guard !outcome.merged.isEmpty else { return links }
        let merged = Set(outcome.merged.map { [Int64($0.entity), $0.row] })
        var winning: [SaveBatch.Link] = []
        for link in links {
            if link.isUnique, merged.contains([Int64(link.targetEntity), link.target]) {
                let owner = link.owner < 0 ? outcome.rows[link.owner] ?? 0 : link.owner
                guard try self.owner(of: link) == (owner == 0 ? nil : owner) else { continue }
            }
            winning.append(link)
        }
        return winning
    }

    /// Returns the owner in the column of the target of a link.
    private func owner(of link: SaveBatch.Link) throws(StoreError) -> Int64? {
        let lists = store.entities[link.ownerEntity].relationships
        let (target, inverse) = (
            store.entities[link.targetEntity], lists.first { $0.storage.linkTable?.name == link.table.name }?.inverse
        )
        guard let inverse else { return nil }
        return try connection.integer(
            "SELECT \(target.relationships[inverse].column) FROM \(target.table) WHERE \"_id\" = ?",
            [.integer(link.target)])
    }

    /// Clears the columns of one-to-one relationships whose target refers to another object.
    func alignInverses(
        of batch: SaveBatch, _ outcome: inout SaveBatch.Outcome, _ deletion: inout RowDeletion
    ) throws(StoreError) {
        guard !outcome.merged.isEmpty || !outcome.adopted.isEmpty else { return }
        var written: [Int: Set<Int64>] = [:]
        for update in batch.updates where update.cells.contains(where: \.isRow) {
            written[update.entity, default: []].insert(update.row)
        }
        for insertion in batch.insertions {
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
                    outcome.merged.append(SaveBatch.Deletion(entity: entity.index, row: row))
                }
            }
        }
    }
}
