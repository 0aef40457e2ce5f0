import ObjectMapping

/// Completes the file after the last element.
extension RowStore {
    /// Builds the indexes, connects rows by keys, stores unresolved connections and metadata, commits and closes.
    ///
    /// Nothing can be inserted afterwards. The file is not yet synchronized to the disk.
    ///
    /// - Parameter announce: Called before each stage.
    package func finish(announce: (FinishingStage) -> Void = { _ in }) throws(StoreError) -> StoreSummary {
        announce(.indexing)
        try buildIdentityIndexes()
        announce(.wiring)
        try retryForeignPending()
        try removeReplaced()
        for table in tables { try followKeys(of: table) }
        announce(.indexing)
        for index in schema.relationshipIndexes { try database.execute(index) }
        announce(.wiring)
        for table in tables { try completeOneToOnes(of: table) }
        for table in tables { try completeLists(of: table) }
        for table in tables { try rememberPending(of: table) }
        try writeMetadata()
        let summary = try summary()
        try database.execute("COMMIT")
        close()
        return summary
    }

    private func buildIdentityIndexes() throws(StoreError) {
        guard !isUpdating else { return }
        for table in tables where !table.index.usesLookups {
            guard let index = schema.identityIndex(of: table.entity.description) else { continue }
            do {
                try database.execute(index)
            } catch  where error.kind == .constraint {
                throw .repeatedIdentity(in: table.entity)
            }
        }
    }

    // MARK: Keys

    private func followKeys(of table: EntityTable) throws(StoreError) {
        var columns: [WireSQL] = []
        for (position, wire) in table.plan.wires.enumerated() where table.isOpen[position] {
            let destination = tables[wire.destination]
            let sql = WireSQL(wire, of: table, to: destination)
            switch table.entity.relationships[wire.relationship].storage {
            case .column, .mirror: columns.append(sql)
            case .joinTable(let name, let isOwner):
                try database.run(sql.listInsertion(into: name, isOwner: isOwner), sql.arguments)
            case .inverseColumn(let inverse), .linkTable(_, let inverse):
                // Row by row: if two lists contain the same key, the first row keeps it, independent of SQLite's plan.
                let column = destination.quotedColumn(ofRelationship: inverse)
                let update = try database.prepare(
                    "UPDATE \(destination.entity.table) SET \(column) = ? WHERE \"_id\" = ? AND \(column) IS NULL")
                let links = try database.prepare(sql.listLinks)
                try links.bind(sql.arguments)
                while try links.step() {
                    try update.bind(links.integer(at: 0), at: 1)
                    try update.bind(links.integer(at: 1), at: 2)
                    try update.run()
                    guard let list = table.entity.relationships[wire.relationship].linkTable else { continue }
                    try addLink(
                        links.integer(at: 0), links.integer(at: 1), at: links.integer(at: 2), in: list, isList: true)
                }
            }
        }
        guard !columns.isEmpty else { return }
        let arguments = columns.flatMap(\.arguments)
        try database.run(WireSQL.update(columns), arguments + arguments)
    }

    /// Keeps the last row for each target of a one-to-one relationship, and sets the column of the other side.
    private func completeOneToOnes(of table: EntityTable) throws(StoreError) {
        for (index, relationship) in table.entity.relationships.enumerated() where table.plan.roles[index].isOneToOne {
            let destination = tables[relationship.destination]
            let mirror = destination.entity.relationships.firstIndex {
                $0.storage == .mirror(of: index) && tables[$0.destination] === table
            }
            guard let mirror else { continue }
            let column = table.quotedColumn(ofRelationship: index)
            let back = destination.quotedColumn(ofRelationship: mirror)
            try database.execute(
                """
                UPDATE \(table.entity.table) AS "_mappingkit_row" SET \(column) = NULL WHERE \(column) IS NOT NULL AND EXISTS \
                (SELECT 1 FROM \(table.entity.table) AS "_mappingkit_other" WHERE "_mappingkit_other".\(column) = \
                "_mappingkit_row".\(column) AND "_mappingkit_other"."_id" > "_mappingkit_row"."_id")
                """)
            let holder = """
                (SELECT "_mappingkit_other"."_id" FROM \(table.entity.table) AS "_mappingkit_other" \
                WHERE "_mappingkit_other".\(column) = "_mappingkit_row"."_id")
                """
            try database.execute(
                """
                UPDATE \(destination.entity.table) AS "_mappingkit_row" SET \(back) = \(holder) \
                WHERE "_mappingkit_row".\(back) IS NOT \(holder)
                """)
        }
    }

    /// Updates the tables of ordered lists with the columns of their objects, and appends missing ones.
    private func completeLists(of table: EntityTable) throws(StoreError) {
        for relationship in table.entity.relationships {
            guard case .linkTable(let name, let inverse) = relationship.storage else { continue }
            let list = Schema.quoted(name)
            let target = tables[relationship.destination]
            let owner = "\(target.entity.table).\(target.quotedColumn(ofRelationship: inverse))"
            let isSame = "\(target.entity.table).\"_id\" = \(list).\"target\" AND \(owner) = \(list).\"owner\""
            try database.execute(
                "DELETE FROM \(list) WHERE NOT EXISTS (SELECT 1 FROM \(target.entity.table) WHERE \(isSame))")
            try database.execute(
                """
                INSERT INTO \(list)("owner", "target", "position") SELECT \(owner), \(target.entity.table)."_id", \
                coalesce((SELECT max("position") + 1 FROM \(list) WHERE "owner" = \(owner)), 0) \
                - 1 + row_number() OVER (PARTITION BY \(owner) ORDER BY \(target.entity.table)."_id") \
                FROM \(target.entity.table) WHERE \(owner) IS NOT NULL \
                AND NOT EXISTS (SELECT 1 FROM \(list) WHERE \(isSame))
                """)
        }
    }

    // MARK: Pending connections

    private func rememberPending(of table: EntityTable) throws(StoreError) {
        for (position, wire) in table.plan.wires.enumerated() {
            let place = table.place(of: wire.relationship)
            if isUpdating {
                try database.run(
                    #"DELETE FROM "_mappingkit_pending" WHERE "entity" = ? AND "relationship" = ?"#, place)
            }
            let isOneToOne = table.plan.roles[wire.relationship].isOneToOne
            guard table.isOpen[position] || isOneToOne else { continue }
            let sql = WireSQL(wire, of: table, to: tables[wire.destination])
            for statement in wire.isList ? [sql.listPending] : sql.pending {
                try database.run(statement, place + sql.arguments)
            }
        }
    }

    /// Retries the unresolved connections from other writers, for relationships that are not connected by key here.
    private func retryForeignPending() throws(StoreError) {
        guard isUpdating else { return }
        // Columns are qualified: the target can have attributes of the same names.
        let pending = #""_mappingkit_pending""#
        for table in tables {
            for (index, relationship) in table.entity.relationships.enumerated()
            where !table.plan.wires.contains(where: { $0.relationship == index }) {
                let target = tables[relationship.destination]
                guard !target.entity.identity.isEmpty else { continue }
                let place = table.place(of: index)
                let matches = target.entity.identity.enumerated().map { position, attribute in
                    "\(target.entity.table).\(target.quotedColumn(ofAttribute: attribute)) = json_extract(\(pending).\"key\", '$[\(position)]')"
                }.joined(separator: " AND ")
                let links = try database.prepare(
                    #"SELECT \#(pending)."row", \#(target.entity.table)."_id" FROM \#(pending) CROSS JOIN \#(target.entity.table)"#
                        + #" WHERE \#(pending)."entity" = ? AND \#(pending)."relationship" = ? AND \#(matches)"#
                        + " ORDER BY \(pending).rowid")
                try links.bind(place)
                while try links.step() {
                    try link(links.integer(at: 0), to: links.integer(at: 1), by: index, of: table)
                }
                try database.run(
                    #"DELETE FROM "_mappingkit_pending" WHERE "entity" = ? AND "relationship" = ?"#
                        + " AND EXISTS (SELECT 1 FROM \(target.entity.table) WHERE \(matches))", place)
            }
        }
    }

    /// Links two rows, unless the target is already linked.
    private func link(_ row: Int64, to target: Int64, by index: Int, of table: EntityTable) throws(StoreError) {
        let relationship = table.entity.relationships[index]
        let destination = tables[relationship.destination]
        func fill(_ table: EntityTable, _ index: Int, _ row: Int64, _ value: Int64) throws(StoreError) {
            let column = table.quotedColumn(ofRelationship: index)
            let statement = try connection.cached(
                "UPDATE \(table.entity.table) SET \(column) = ? WHERE \"_id\" = ? AND \(column) IS NULL")
            try statement.bind([.integer(value), .integer(row)])
            try statement.run()
        }
        switch relationship.storage {
        case .column: try fill(table, index, row, target)
        case .inverseColumn(let inverse), .mirror(of: let inverse), .linkTable(_, let inverse):
            try fill(destination, inverse, target, row)
        case .joinTable(let name, let isOwner):
            let (owner, owned) = isOwner ? (row, target) : (target, row)
            let list = Schema.quoted(name)
            let statement = try connection.cached(
                #"INSERT OR IGNORE INTO \#(list)("owner", "target", "position") "#
                    + #"SELECT ?1, ?2, count(*) FROM \#(list) WHERE "\#(isOwner ? "owner" : "target")" = ?3"#)
            try statement.bind([.integer(owner), .integer(owned), .integer(row)])
            try statement.run()
        }
    }

    // MARK: Metadata

    private func writeMetadata() throws(StoreError) {
        if isUpdating { try database.execute("PRAGMA user_version = \(Schema.formatVersion)") }
        let metadata = isUpdating ? schema.metadata.filter { $0.key != "hash" } : schema.metadata
        var marks: [(key: String, value: StoredValue)] = []
        for table in tables {
            let last = try table.index.nextRow() - 1
            if last > 0 { marks.append((RowMarks.key(of: table.entity.name), .integer(last))) }
        }
        for (key, value) in metadata + marks {
            try database.run(
                #"INSERT OR REPLACE INTO "_mappingkit"("key", "value") VALUES(?, ?)"#, [.text(key), value])
        }
    }

    private func summary() throws(StoreError) -> StoreSummary {
        var counts: [StoreSummary.EntityCount] = []
        for table in tables {
            let rows =
                isUpdating
                ? Int(try database.integer("SELECT count(*) FROM \(table.entity.table)"))
                : table.inserted - table.removed
            counts.append(
                StoreSummary.EntityCount(
                    entity: table.entity.name, rows: rows, inserted: table.inserted, merged: table.merged,
                    conflicts: table.conflicts))
        }
        return StoreSummary(entities: counts, unresolved: try UnresolvedConnections.all(in: database, schema.model))
    }
}

extension EntityTable {
    /// The names of entity and relationship, as stored in the table of unresolved connections.
    fileprivate func place(of relationship: Int) -> [StoredValue] {
        [.text(entity.name), .text(entity.relationships[relationship].name)]
    }
}
