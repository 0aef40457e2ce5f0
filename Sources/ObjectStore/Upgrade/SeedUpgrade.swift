import ObjectMapping

/// An upgrade of a file to a new seed, in a transaction to which a copy of that seed is attached.
///
/// Rows of the new seed and of the file are matched first, for all entities. Rows that the user has not changed are then
/// written by statements for all of them, the others one at a time.
struct SeedUpgrade {
    /// The attached seed.
    static let schema = #""_mappingkit_seed""#

    let store: ManagedObjectStore
    let connection: StoreConnection
    let policy: SeedConflictPolicy
    var report: SeedUpgradeReport
    var kept: SeededValues
    /// The entities of the attached seed, whose tables of links can have other names.
    let seedEntities: [StoredEntity]
    /// The rows of objects that the user has deleted and created again, by entity and former row.
    var recreated: [Int: [Int64: Int64]] = [:]
    private let file: ObjectModel

    var database: SQLiteDatabase { connection.database }
    var entities: [StoredEntity] { store.entities }

    init(
        _ store: ManagedObjectStore, _ connection: StoreConnection, _ policy: SeedConflictPolicy,
        _ report: SeedUpgradeReport
    ) throws(StoreError) {
        self.store = store
        self.connection = connection
        self.policy = policy
        self.report = report
        let path = store.url?.path ?? ""
        file = try FileHeader.model(of: connection.database, path: path).declaring(store.model)
        let text = try connection.database.value(
            "SELECT \"value\" FROM \(Self.schema).\"_mappingkit\" WHERE \"key\" = 'model'")
        guard let kept = try SeededValues(of: connection.database), let json = text?.text.flatMap({ try? JSON($0) }),
            let seed = try? ObjectModel(json: json)
        else { throw StoreError(.corrupt, "the values of the earlier seed in '\(path)' cannot be read") }
        self.kept = kept
        let model = store.model
        seedEntities = model.entities.indices.map { StoredEntity($0, of: model, in: seed.declaring(model)) }
    }

    mutating func run() throws(StoreError) -> SeedUpgradeReport {
        try kept.suspend(in: database)
        try SeededValues.supportOwnRows(in: database)
        // Rows without an identity are compared by the objects that they refer to.
        let ordered = entities.filter { !$0.identity.isEmpty } + entities.filter { $0.identity.isEmpty }
        for entity in entities { try createTables(for: entity) }
        for entity in ordered { try match(entity) }
        for entity in entities { recreated[entity.index] = try recreatedRows(of: entity) }
        let unique = try dropUniqueIndexes()
        try selectRemovedRows()
        for entity in entities { try insertRows(of: entity) }
        for entity in entities { try updateUnchangedRows(of: entity) }
        for entity in entities { try mergeChangedRows(of: entity) }
        try mergeLists()
        // Last: it also removes references, which must not look like changes of the user.
        try removeRows()
        try completeOneToOnes()
        try connectPending()
        try restore(unique)
        try finish()
        if policy == .throwConflict, let first = report.conflicts.first {
            throw StoreError(
                .conflict,
                "the upgrade has \(report.conflicts.count) \(report.conflicts.count == 1 ? "conflict" : "conflicts") and "
                    + "was not made: \(first)",
                advice: "upgrade with the policy .userWins or .seedWins", entity: first.object.entity,
                conflicts: report.conflicts.map { conflict in
                    AttributeConflict(
                        object: conflict.object, property: conflict.property ?? "", base: conflict.base,
                        mine: conflict.user, theirs: conflict.seed, reason: conflict.description)
                })
        }
        return report
    }

    mutating func note(
        _ kind: SeedConflict.Kind, _ row: Int64, _ entity: StoredEntity, _ property: String? = nil,
        base: StoredValue? = nil, user: StoredValue = .null, seed: StoredValue = .null
    ) {
        let id = ObjectID(entity: entity.name, row: row, store: store.identity)
        report.conflicts.append(SeedConflict(kind, id, property, base: base, user: user, seed: seed))
    }

    // MARK: Names

    /// The temporary table of an entity with the row of each row of the seed.
    func map(_ entity: StoredEntity) -> String { "temp.\"_mappingkit_map_\(entity.index)\"" }

    /// The temporary table of an entity with the rows that the seed no longer has.
    func gone(_ entity: StoredEntity) -> String { "temp.\"_mappingkit_gone_\(entity.index)\"" }

    /// The temporary table of an entity with the rows that received values of the seed.
    func written(_ entity: StoredEntity) -> String { "temp.\"_mappingkit_written_\(entity.index)\"" }

    func noteWritten(_ row: Int64, _ entity: StoredEntity) throws(StoreError) {
        try connection.run("INSERT OR IGNORE INTO \(written(entity)) VALUES(?)", [.integer(row)])
    }

    func seedTable(_ entity: StoredEntity) -> String { "\(Self.schema).\(entity.table)" }

    static func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

    /// All columns without that of the row: the attributes, then the to-one relationships.
    func columns(_ entity: StoredEntity) -> [String] {
        entity.columnNames + entity.toOnes.map { entity.relationships[$0].column }
    }

    /// Returns the columns of the kept values of an entity, in the order of `columns`; "NULL" for one that is not kept.
    func baseColumns(_ entity: StoredEntity) -> [String] {
        let names = kept.table(named: entity.name)?.columns ?? []
        return columns(entity).map { column in
            names.firstIndex { Schema.quoted($0) == column }.map { "\"v\($0 + 1)\"" } ?? "NULL"
        }
    }

    /// The last seeded row of an entity.
    func lastRow(_ entity: StoredEntity) -> Int64 { kept.table(named: entity.name)?.lastRow ?? 0 }

    /// Returns the condition that kept values exist for a row, or that it is one of the user.
    func hasRecord(_ row: String, _ table: String) -> String {
        SeededValues.hasRecord(row, table)
    }

    /// Returns the condition that a row is one of the user.
    func isOwn(_ row: String, _ entity: StoredEntity) -> String {
        "(\(row) > \(lastRow(entity)) OR \(SeededValues.hasRecord(row, entity.name, isOwn: true)))"
    }

    /// Returns the condition that a row was added or changed by the user, after the rows of the seed were added.
    func isOfUser(_ row: String, _ entity: StoredEntity) -> String {
        "(\(row) > \(lastRow(entity)) AND NOT EXISTS (SELECT 1 FROM \(map(entity)) WHERE \"row\" = \(row)) "
            + "OR \(hasRecord(row, entity.name)))"
    }

    /// Returns the values of a row of the seed, which has the alias `s`, in the order of `columns`.
    ///
    /// - Parameter keepsDeleted: Whether relationships to objects that the user deleted have the rows of these.
    func seedValues(_ entity: StoredEntity, keepsDeleted: Bool = false) -> [String] {
        entity.columnNames.map { "s.\($0)" }
            + entity.toOnes.map { index in
                let relationship = entity.relationships[index]
                return "(SELECT \"row\" FROM \(map(entities[relationship.destination])) "
                    + "WHERE \"seed\" = s.\(relationship.column)\(keepsDeleted ? "" : " AND \"kind\" <> 2"))"
            }
    }

    // MARK: The end

    /// Marks the rows of the user, and keeps the values of the new seed for the next upgrade.
    private mutating func finish() throws(StoreError) {
        var lastRows: [String: Int64] = [:]
        for entity in entities {
            let name = Self.literal(entity.name)
            let isMapped =
                "EXISTS (SELECT 1 FROM \(map(entity)) WHERE \"row\" = \(entity.table).\"_id\" AND \"kind\" <> 2)"
            try database.execute(
                """
                DELETE FROM \(SeededValues.table) WHERE "table" = \(name) AND NOT EXISTS \
                (SELECT 1 FROM \(entity.table) WHERE "_id" = \(SeededValues.table)."row") \
                AND (\(SeededValues.isOwn) IS NOT NULL OR "row" IN (SELECT "row" FROM \(gone(entity))));
                INSERT OR REPLACE INTO \(SeededValues.table)("table", "row", \(SeededValues.isOwn)) \
                SELECT \(name), "_id", 1 FROM \(entity.table) WHERE NOT \(isMapped)
                """)
            for relationship in entity.relationships {
                guard let list = relationship.linkTable, list.isOwner else { continue }
                try database.execute(
                    """
                    DELETE FROM \(SeededValues.table) WHERE "table" = \(Self.literal(list.table)) AND NOT EXISTS \
                    (SELECT 1 FROM \(map(entity)) AS m WHERE m."row" = \(SeededValues.table)."row" AND m."kind" <> 2)
                    """)
            }
            lastRows[entity.name] = try connection.firstFreeRow(of: entity) - 1
            report.entities[entity.index].updated = Int(
                try database.integer(
                    """
                    SELECT count(*) FROM \(written(entity)) AS w JOIN \(entity.table) AS e ON e."_id" = w."row" WHERE NOT EXISTS \
                    (SELECT 1 FROM \(map(entity)) AS m WHERE m."row" = w."row" AND m."kind" = 4)
                    """))
        }
        try kept.renew(in: database, file, lastRows: lastRows)
        for entity in entities {
            try database.execute("DROP TABLE \(map(entity)); DROP TABLE \(gone(entity)); DROP TABLE \(written(entity))")
        }
    }
}
