/// Tables of links, whose positions are those of objects in lists.
extension SaveWriter {
    /// Renumbers the rows of changed lists without gaps and equal positions, because the positions of changes assume it.
    func closeGaps(in links: [ChangeSet.Link]) throws(StoreError) {
        var known: Set<[String]> = []
        for link in links where link.owner > 0 {
            guard let links = store.entities[link.entity].relationships[link.relationship].linkTable, links.isOwner
            else { continue }
            let table = links.name
            guard known.insert([table, String(link.owner)]).inserted,
                try connection.integer(
                    "SELECT max(\"position\") >= count(*) OR count(DISTINCT \"position\") < count(*) FROM \(table) "
                        + "WHERE \"owner\" = ?", [.integer(link.owner)])
                    == 1
            else { continue }
            try connection.run(
                """
                UPDATE \(table) SET "position" = "_mappingkit_list"."new" FROM (SELECT "target" AS "row", \
                row_number() OVER (ORDER BY "position", "target") - 1 AS "new" FROM \(table) WHERE "owner" = ?1) \
                AS "_mappingkit_list" WHERE "owner" = ?1 AND "target" = "_mappingkit_list"."row"
                """, [.integer(link.owner)])
        }
    }

    /// The positions after the last object of lists, by table and owner: the table has no index for them.
    typealias ListEnds = [String: [StoredValue: Int64]]

    func write(
        _ link: ChangeSet.Link, _ outcome: SaveOutcome, _ ends: inout ListEnds
    ) throws(StoreError) {
        func saved(_ row: Int64) -> StoredValue { .integer(row < 0 ? outcome.rows[row] ?? row : row) }
        let relationship = store.entities[link.entity].relationships[link.relationship]
        guard let table = relationship.linkTable else { return }
        let (owner, target, isUnique) = (saved(link.owner), saved(link.target), relationship.hasOneOwner)
        let ownerRow = table.isOwner ? owner : target
        switch link.change {
        case .remove:
            let condition = isUnique ? "" : " AND \(table.source) = ?"
            try connection.run(
                "DELETE FROM \(table.name) WHERE \(table.target) = ?\(condition)",
                [target] + (isUnique ? [] : [owner]))
        case .add(let position):
            if isUnique { try connection.run("DELETE FROM \(table.name) WHERE \(table.target) = ?", [target]) }
            var place = position.map { Int64($0) }
            if place == nil {
                let end = ends[table.name]?[ownerRow]
                place =
                    if let end { end } else {
                        try connection.integer(
                            "SELECT max(\"position\") + 1 FROM \(table.name) WHERE \"owner\" = ?", [ownerRow]) ?? 0
                    }
            }
            ends[table.name, default: [:]][ownerRow] = position == nil ? place.map { $0 + 1 } : nil
            try connection.run(
                "INSERT INTO \(table.name)(\"owner\", \"target\", \"position\") VALUES(?, ?, ?) "
                    // The other side may have added the link at the end.
                    + (position == nil
                        ? "ON CONFLICT DO NOTHING" : "ON CONFLICT DO UPDATE SET \"position\" = excluded.\"position\""),
                [ownerRow, table.isOwner ? target : owner, .row(place)])
        case .move(let position):
            ends[table.name]?[ownerRow] = nil
            try connection.run(
                "UPDATE \(table.name) SET \"position\" = ? WHERE \(table.source) = ? AND \(table.target) = ?",
                [.integer(Int64(position)), owner, target])
        }
    }

    // MARK: Lists that others changed

    /// A list that others changed since it was read, and its new order.
    struct MergedList {
        let list: ChangeSet.List
        let rows: [Int64]
    }

    /// Compares changed lists with the file, and returns those that others changed since they were read.
    ///
    /// Each object that others added or removed is added or removed. The order is a value: if both sides changed it, the
    /// merge policy decides, and if one side did, that order is kept.
    func mergeLists(
        of changes: ChangeSet, _ conflicts: inout [AttributeConflict]
    ) throws(StoreError) -> [MergedList] {
        var merged: [MergedList] = []
        for list in changes.lists {
            let stored = try storedRows(of: list)
            guard stored != list.old else { continue }
            let (before, now, others) = (Set(list.old), Set(list.new), Set(stored))
            let mine = list.new.filter { before.contains($0) && others.contains($0) }
            let theirs = stored.filter { before.contains($0) && now.contains($0) }
            let common = list.old.filter { now.contains($0) && others.contains($0) }
            let entity = store.entities[list.entity]
            let isOrdered = entity.relationships[list.relationship].isOrdered
            let isConflict = isOrdered && mine != common && theirs != common && mine != theirs
            if isConflict, policy == .throwConflict {
                conflicts.append(
                    AttributeConflict(
                        object: ObjectID(entity: entity.name, row: list.owner, store: store.identity),
                        property: entity.relationships[list.relationship].name, base: .rows(list.old[...]),
                        mine: .rows(list.new[...]), theirs: .rows(stored[...])))
            }
            var rows: [Int64]
            if isConflict ? policy == .storeWins : mine == common {
                // New objects keep their place before the next object of the list.
                var (added, places): ([Int64], [Int64: [Int64]]) = ([], [:])
                for row in list.new {
                    if !before.contains(row), !others.contains(row) {
                        added.append(row)
                    } else if !added.isEmpty {
                        places[row] = added
                        added = []
                    }
                }
                rows =
                    stored.filter { now.contains($0) || !before.contains($0) }
                    .flatMap { (places[$0] ?? []) + [$0] } + added
            } else {
                rows = list.new.filter { others.contains($0) || !before.contains($0) }
                rows += stored.filter { !before.contains($0) && !now.contains($0) }
            }
            merged.append(MergedList(list: list, rows: rows))
        }
        return merged
    }

    /// Numbers the rows of a list after all links were written.
    func write(_ merged: MergedList, _ outcome: inout SaveOutcome) throws(StoreError) {
        let list = merged.list
        guard let table = store.entities[list.entity].relationships[list.relationship].linkTable else { return }
        let stored = try storedRows(of: list)
        let rows = merged.rows.map { $0 < 0 ? outcome.rows[$0] ?? $0 : $0 }
        let (known, existing) = (Set(rows), Set(stored))
        let order = rows.filter(existing.contains) + stored.filter { !known.contains($0) }
        for (position, row) in order.enumerated() {
            try connection.run(
                "UPDATE \(table.name) SET \"position\" = ?1 WHERE \"owner\" = ?2 AND \"target\" = ?3 "
                    + "AND \"position\" IS NOT ?1",
                [.integer(Int64(position)), .integer(list.owner), .integer(row)])
        }
        outcome.merged.append(ChangeSet.RowID(entity: list.entity, row: list.owner))
    }

    /// Returns the rows of a list in the file, in their order.
    private func storedRows(of list: ChangeSet.List) throws(StoreError) -> [Int64] {
        guard let table = store.entities[list.entity].relationships[list.relationship].linkTable else { return [] }
        return try connection.rows(
            "SELECT \"target\" FROM \(table.name) WHERE \"owner\" = ? ORDER BY \"position\", \"target\"",
            [.integer(list.owner)])
    }
}
