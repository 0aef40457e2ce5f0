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
        try buildUniqueIndexes()
        announce(.wiring)
        try connectForeignPending()
        try removeReplaced()
        for table in tables { try followKeys(of: table) }
        announce(.indexing)
        for index in schema.relationshipIndexes { try database.execute(index) }
        announce(.wiring)
        for table in tables { try completeOneToOnes(of: table) }
        for table in tables { try completeLists(of: table) }
        for table in tables { try rememberPending(of: table) }
        for index in SearchIndex.all(of: schema.model) { try index.create(in: database, isFinal: true) }
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
        for (position, keyed) in table.plan.keyed.enumerated() where table.isOpen[position] {
            let destination = tables[keyed.destination]
            let sql = WireSQL(keyed, of: table.entity, in: entities)
            switch table.entity.relationships[keyed.relationship].storage {
            case .column, .mirror: columns.append(sql)
            case .joinTable(let name, let isOwner):
                try database.run(sql.listInsertion(into: name, isOwner: isOwner), sql.arguments)
            case .inverseColumn(let inverse), .linkTable(_, let inverse):
                // Row by row: if two lists contain the same key, the first row keeps it, independent of SQLite's plan.
                let column = destination.entity.relationships[inverse].column
                let update = try database.prepare(
                    "UPDATE \(destination.entity.table) SET \(column) = ? WHERE \"_id\" = ? AND \(column) IS NULL")
                let links = try database.prepare(sql.listLinks)
                try links.bind(sql.arguments)
                while try links.step() {
                    try update.bind(links.integer(at: 0), at: 1)
                    try update.bind(links.integer(at: 1), at: 2)
                    try update.run()
                    guard let list = table.entity.relationships[keyed.relationship].linkTable else { continue }
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
            let column = table.entity.relationships[index].column
            let back = destination.entity.relationships[mirror].column
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
            let owner = "\(target.entity.table).\(target.entity.relationships[inverse].column)"
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
        for (position, keyed) in table.plan.keyed.enumerated() {
            let place = table.place(of: keyed.relationship)
            if isUpdating {
                try database.run(
                    #"DELETE FROM "_mappingkit_pending" WHERE "entity" = ? AND "relationship" = ?"#, place)
            }
            let isOneToOne = table.plan.roles[keyed.relationship].isOneToOne
            guard table.isOpen[position] || isOneToOne else { continue }
            let sql = WireSQL(keyed, of: table.entity, in: entities)
            for statement in keyed.listType != nil ? [sql.listPending] : sql.pending {
                try database.run(statement, place + sql.arguments)
            }
        }
    }

    /// Sets the connections from other writers that wait for new rows, for relationships that are not connected by key here.
    private func connectForeignPending() throws(StoreError) {
        guard isUpdating else { return }
        var rows: [Int: [ClosedRange<Int64>]] = [:]
        for (index, table) in tables.enumerated() where !table.entity.identity.isEmpty {
            rows[index] = try table.newRows().map { [$0] }
        }
        var (pending, relationships) = (PendingConnections(self, connection), RelationshipWriter(self, connection))
        try pending.connect(to: rows, with: &relationships, where: \.keys.isEmpty)
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
                : table.counts.inserted - table.counts.removed
            counts.append(
                StoreSummary.EntityCount(
                    entity: table.entity.name, rows: rows, inserted: table.counts.inserted, merged: table.counts.merged,
                    conflicts: table.counts.conflicts))
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
