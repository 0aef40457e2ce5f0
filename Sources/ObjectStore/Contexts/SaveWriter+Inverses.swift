/// Relationships of rows that others changed as well: each side is a value, of which either may have been kept.
extension SaveWriter {
    /// A to-one relationship of a row.
    private struct Reference: Hashable {
        let entity: Int
        let relationship: Int
        let row: Int64
    }

    /// Returns the to-one relationships that updates write.
    private func references(of changes: ChangeSet) -> [Reference: StoredValue] {
        var references: [Reference: StoredValue] = [:]
        for update in changes.updates {
            for change in update.changes {
                guard case .relationship(let index) = change.property else { continue }
                references[Reference(entity: update.entity, relationship: index, row: update.row)] = change.new
            }
        }
        return references
    }

    /// Returns the changes of link tables without those of objects that have another owner in the file: others have set
    /// it, and it is kept.
    func winning(
        _ links: [ChangeSet.Link], of changes: ChangeSet, _ outcome: inout SaveOutcome
    ) throws(StoreError) -> [ChangeSet.Link] {
        let merged = Set(outcome.merged)
        var written: [Reference: StoredValue]?
        var winning: [ChangeSet.Link] = []
        for link in links {
            let relationship = store.entities[link.entity].relationships[link.relationship]
            // A new object that took over a row has the columns that were kept.
            let isAdopted = outcome.adopted.contains(link.target)
            let row = link.target > 0 ? link.target : isAdopted ? outcome.rows[link.target] ?? 0 : 0
            let target = ChangeSet.RowID(entity: relationship.destination, row: row)
            guard relationship.hasOneOwner, let inverse = relationship.inverse, row > 0 else {
                winning.append(link)
                continue
            }
            // The column of a row that only this save has changed is known.
            let references = written ?? references(of: changes)
            written = references
            let reference = Reference(entity: target.entity, relationship: inverse, row: row)
            if merged.contains(target) || link.change.isAddition && references[reference] == nil {
                let owner = link.owner < 0 ? outcome.rows[link.owner] ?? 0 : link.owner
                guard try self.owner(of: row, in: relationship) == (owner == 0 ? nil : owner) else {
                    outcome.merged.append(target)
                    continue
                }
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

    /// Whether a save changes a one-to-one relationship on one side only: the other one had the new value, before others
    /// changed it.
    private func hasOneSide(_ changes: ChangeSet) -> Bool {
        var written: [Reference: StoredValue]?
        func isWritten(_ target: StoredValue, _ index: Int, of entity: StoredEntity) -> Bool {
            let relationship = entity.relationships[index]
            guard let row = target.integer, row > 0, let inverse = relationship.inverse,
                !store.entities[relationship.destination].relationships[inverse].isToMany
            else { return true }
            let references = written ?? references(of: changes)
            written = references
            return references[Reference(entity: relationship.destination, relationship: inverse, row: row)] != nil
        }
        for update in changes.updates {
            for change in update.changes {
                guard case .relationship(let index) = change.property else { continue }
                let entity = store.entities[update.entity]
                if !isWritten(change.new, index, of: entity) || !isWritten(change.old, index, of: entity) {
                    return true
                }
            }
        }
        for insertion in changes.insertions {
            let entity = store.entities[insertion.entity]
            for (place, index) in entity.toOnes.enumerated() {
                let value = changes.values[insertion.start + entity.columnNames.count + place]
                if !isWritten(value, index, of: entity) { return true }
            }
        }
        return false
    }

    /// Clears the columns of one-to-one relationships whose target refers to another object.
    func alignInverses(
        of changes: ChangeSet, _ outcome: inout SaveOutcome, _ deletion: inout RowDeletion
    ) throws(StoreError) {
        guard !outcome.merged.isEmpty || !outcome.adopted.isEmpty || hasOneSide(changes) else { return }
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
