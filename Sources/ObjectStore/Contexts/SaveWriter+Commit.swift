/// What a save has written, for other contexts.
extension SaveWriter {
    func commit(of changes: ChangeSet, _ outcome: SaveOutcome) -> CommitChanges {
        var commit = outcome.touched
        let notesProperties = store.commits.hasEarlierLoad(than: author)
        func saved(_ row: Int64) -> Int64 { row < 0 ? outcome.rows[row] ?? 0 : row }
        /// Notes the list of a to-one relationship's target.
        func noteInverse(of index: Int, of entity: StoredEntity, target: StoredValue) {
            guard let row = target.integer, row != 0,
                let list = store.entities.inverseList(of: entity.relationships[index])
            else {
                return
            }
            commit.changeList(list, of: saved(row), entity.relationships[index].destination)
        }
        for (number, insertion) in changes.insertions.enumerated() {
            let entity = store.entities[insertion.entity]
            guard let row = outcome.rows[insertion.temporary] else { continue }
            if outcome.adopted.contains(insertion.temporary) {
                commit.update(row, entity.index)
            } else {
                commit.insert(row...row, entity.index)
            }
            if notesProperties {
                commit.note(changes.assigned[number].columns.map(entity.property(ofColumn:)), of: row, entity.index)
            }
            for (place, index) in entity.toOnes.enumerated() {
                let position = insertion.start + entity.columnNames.count + place
                noteInverse(of: index, of: entity, target: changes.values[position])
            }
        }
        for update in changes.updates {
            commit.update(update.row, update.entity)
            if notesProperties { commit.note(update.changes.map(\.property), of: update.row, update.entity) }
            for change in update.changes {
                guard case .relationship(let index) = change.property else { continue }
                for target in [change.old, change.new] {
                    noteInverse(of: index, of: store.entities[update.entity], target: target)
                }
            }
        }
        for link in changes.links {
            let relationship = store.entities[link.entity].relationships[link.relationship]
            commit.changeList(link.relationship, of: saved(link.owner), link.entity)
            if let list = store.entities.inverseList(of: relationship) {
                commit.changeList(list, of: saved(link.target), relationship.destination)
            }
        }
        // A response to a request that began earlier is older than what the server has accepted.
        for object in changes.accepted where object.row > 0 && !object.values.isEmpty {
            commit.update(object.row, object.entity)
        }
        for row in changes.deletions { commit.delete(CollectionOfOne(row.row), row.entity) }
        for (entity, rows) in outcome.cascaded { commit.delete(rows, entity) }
        for (entity, identities) in outcome.deletedIdentities { commit.delete(identities, entity) }
        // Others have changed these rows as well: their earlier relationships are unknown.
        for row in outcome.merged { commit.update(row.row, row.entity) }
        for entity in Set(outcome.merged.map(\.entity)) {
            commit.changeLists(around: store.entities[entity], in: store.entities)
        }
        return commit
    }
}
