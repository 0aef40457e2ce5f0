/// Lists of new objects that took over existing rows: assigned ones replace those of the rows, others are added to them.
extension SaveWriter {
    /// Makes the rows of new objects known by their temporary IDs, before others can read them.
    func remember(_ outcome: SaveOutcome, of insertions: [ChangeSet.Insertion]) {
        for insertion in insertions where insertion.hasSharedID {
            store.identity.remember(outcome.rows[insertion.temporary], for: insertion.temporary)
        }
    }

    /// Returns the changes of link tables; those of objects that were added by their own side follow the existing ones.
    func links(of changes: ChangeSet, _ outcome: SaveOutcome) -> [ChangeSet.Link] {
        guard !outcome.adopted.isEmpty else { return changes.links }
        return changes.links.compactMap { link in
            guard outcome.adopted.contains(link.owner), case .add(position: .some) = link.change,
                changes.assignedLists[link.owner]?.contains(link.relationship) != true
            else { return link }
            // The objects of such a list are added by their own relationship.
            if store.entities[link.entity].relationships[link.relationship].hasOneOwner { return nil }
            return ChangeSet.Link(
                entity: link.entity, relationship: link.relationship, owner: link.owner, target: link.target,
                change: .add(position: nil), order: link.order)
        }
    }

    /// Replaces the lists of existing rows by those that were assigned, after all links were written.
    func replaceLists(of changes: ChangeSet, _ outcome: inout SaveOutcome) throws(StoreError) {
        guard !outcome.adopted.isEmpty, !changes.assignedLists.isEmpty else { return }
        var relationships = RelationshipWriter(store, connection)
        for insertion in changes.insertions where outcome.adopted.contains(insertion.temporary) {
            guard let row = outcome.rows[insertion.temporary] else { continue }
            for index in (changes.assignedLists[insertion.temporary] ?? []).sorted() {
                let list = RowRelationship(entity: store.entities[insertion.entity], index: index, row: row)
                let targets = targets(of: list, insertion.temporary, changes, outcome)
                _ = try relationships.setToMany(list, to: targets)
            }
        }
        // Rejects objects that lose an owner that they require.
        _ = try relationships.deleteReplaced()
        outcome.touched.formUnion(relationships.touched)
        for (entity, rows) in relationships.touched.rows {
            outcome.merged += rows.updated.map { ChangeSet.RowID(entity: entity, row: $0) }
        }
    }

    /// Returns the rows of an assigned list, in its order.
    private func targets(
        of list: RowRelationship, _ temporary: Int64, _ changes: ChangeSet, _ outcome: SaveOutcome
    ) -> [Int64] {
        func saved(_ row: Int64) -> Int64 { row < 0 ? outcome.rows[row] ?? row : row }
        if list.relationship.linkTable != nil {
            var positions: [Int64: Int] = [:]
            for link in changes.links
            where link.entity == list.entity.index && link.relationship == list.index && link.owner == temporary {
                // Objects can be added by their own relationship as well.
                guard case .add(let position) = link.change else { continue }
                positions[saved(link.target)] = position ?? positions[saved(link.target)] ?? .max
            }
            return positions.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        }
        guard let inverse = list.relationship.inverse else { return [] }
        let destination = store.entities[list.relationship.destination]
        var rows: [Int64] = []
        if let position = destination.position(of: .relationship(inverse)) {
            for insertion in changes.insertions where insertion.entity == destination.index {
                guard changes.values[insertion.start + position] == .integer(temporary) else { continue }
                rows.append(saved(insertion.temporary))
            }
        }
        for update in changes.updates where update.entity == destination.index {
            let isMember = update.changes.contains {
                $0.property == .relationship(inverse) && $0.new == .integer(temporary)
            }
            if isMember { rows.append(update.row) }
        }
        return rows
    }
}
