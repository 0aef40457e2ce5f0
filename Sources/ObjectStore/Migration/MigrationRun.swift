import ObjectMapping

/// Changes a file to another model, in the transaction of its caller.
struct MigrationRun {
    let database: SQLiteDatabase
    /// The path in errors.
    let path: String
    let report: (@Sendable (MigrationProgress) -> Void)?
    /// Whether only the statements run, and not the steps.
    private var isRehearsal = false
    /// The tables of entities whose rows steps have changed.
    private(set) var changedTables: Set<String> = []
    private var completed = 0
    private var total = 0

    init(_ database: SQLiteDatabase, path: String, _ report: (@Sendable (MigrationProgress) -> Void)?) {
        self.database = database
        self.path = path
        self.report = report
    }

    /// Returns why the tables, views, triggers and indexes of a file cannot be changed; `nil` if they can.
    ///
    /// The statements run in an empty copy of the schema, in memory.
    static func problem(of migration: Migration, in database: SQLiteDatabase) throws(StoreError) -> String? {
        let copy = try SQLiteDatabase(path: ":memory:", mode: .create)
        defer { copy.close() }
        let objects = try database.prepare(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
                + "AND NOT (type = 'trigger' AND name LIKE '\\_mappingkit\\_%' ESCAPE '\\') "
                + "ORDER BY instr('table index view trigger', type), rowid"
        ).rows([])
        for object in objects {
            // Tables of missing modules, and indexes with functions of other programs, cannot be copied.
            if let sql = object[0].text { try? copy.execute(sql) }
        }
        var run = MigrationRun(copy, path: "", nil)
        run.isRehearsal = true
        do throws(StoreError) {
            try run.run(migration)
        } catch {
            return error.sql.map { "\(error.message), in: \($0)" } ?? error.message
        }
        return nil
    }

    /// Runs all stages, and records them in the file.
    mutating func run(_ migration: Migration) throws(StoreError) {
        var seeded = try SeededValues(of: database)
        try seeded?.suspend(in: database)
        for (index, stage) in migration.stages.enumerated() {
            let schema = try FileSchema(of: database)
            if index > 0, let problem = try stage.statements(in: schema).problems(in: database).first {
                throw StoreError(
                    .modelMismatch, "cannot migrate '\(path)': \(problem)", advice: "add a step that changes these rows"
                )
            }
            if index == 0, report != nil { total = try size(of: migration, schema) }
            try run(stage, schema, &seeded)
        }
        try seeded?.resume(in: database)
        for (key, value) in Schema(migration.target).metadata where key != "format" {
            try database.run(#"UPDATE "_mappingkit" SET "value" = ? WHERE "key" = ?"#, [value, .text(key)])
        }
        try migration.record.write(to: database)
    }

    // MARK: A stage

    private mutating func run(
        _ stage: Migration.Stage, _ schema: FileSchema, _ seeded: inout SeededValues?
    ) throws(StoreError) {
        let difference = stage.difference
        let statements = stage.statements(in: schema)
        let records = MigrationRecords(difference, in: schema)
        try seeded?.noteLinks(of: difference, in: database)
        try seeded?.markUnchanged(in: database)
        try run(statements.additions + records.renames)
        if difference.stored != difference.target {
            if schema.tables.contains(SaveJournal.name) { try SaveJournal.migrate(by: difference, in: database) }
            // Responses had more than the earlier model stored.
            try database.execute("DROP TABLE IF EXISTS \(LoadRecord.table)")
            try seeded?.migrate(by: difference, in: database)
        }
        let checks = MigrationChecks(database, stage)
        for step in stage.steps where !isRehearsal { try run(step, statements, checks) }
        changedTables.formUnion(checks.changedTables)
        let others = try objects(of: statements.rebuilt)
        try run(statements.removals)
        for sql in others { try database.execute(sql) }
        try run(records.changes)
        if !stage.steps.isEmpty, let problem = try checks.problem() { throw invalid(stage, problem) }
        for index in statements.indexes {
            do throws(StoreError) {
                try run([index])
            } catch {
                let duplicates = try DuplicateValues.error(
                    for: index.sql, of: difference.target, error, in: database, path)
                guard !stage.steps.isEmpty, let violation = duplicates.violation else { throw duplicates }
                throw invalid(stage, violation.text, violation)
            }
        }
        if !stage.steps.isEmpty { try checkReferences(stage.steps.map(\.name)) }
        try seeded?.follow(difference.target, changed: checks.changedColumns, in: database)
    }

    private mutating func run(_ statements: [MigrationStatement]) throws(StoreError) {
        for statement in statements {
            // A view of another program may refer to a table that is written again.
            let isLastRename = statement.sql.hasPrefix(#"ALTER TABLE "_mappingkit_copy""#)
            if isLastRename { try database.execute("PRAGMA legacy_alter_table = ON") }
            defer { if isLastRename { try? database.execute("PRAGMA legacy_alter_table = OFF") } }
            try database.run(statement.sql, statement.arguments)
            try advance(statement.sql, visiting: statement.table)
        }
    }

    /// The triggers, and the indexes of other programs, which are dropped with a table.
    private func objects(of tables: Set<String>) throws(StoreError) -> [String] {
        guard !tables.isEmpty else { return [] }
        let rows = try database.prepare(
            "SELECT tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND (type = 'trigger' OR type = 'index' "
                + #"AND name NOT LIKE '\_mappingkit\_%' ESCAPE '\')"#
        ).rows([])
        return rows.compactMap { row in row[0].text.flatMap { tables.contains($0) ? row[1].text : nil } }
    }

    // MARK: Progress

    private func size(of migration: Migration, _ schema: FileSchema) throws(StoreError) -> Int {
        var (schema, size) = (schema, 0)
        for (index, stage) in migration.stages.enumerated() {
            let all = stage.statements(in: schema)
            let records = MigrationRecords(stage.difference, in: schema)
            for statement in all.additions + records.renames + all.removals + records.changes + all.indexes {
                // The name in the file before the first stage.
                let table = migration.stages[...index].reversed().reduce(statement.table) { name, stage in
                    name.flatMap { stage.difference.storedName(ofEntity: $0) }
                }
                size += try rows(of: table)
            }
            size += stage.steps.count
            schema.setIndexes(of: stage.difference.target)
        }
        return size
    }

    private func rows(of table: String?) throws(StoreError) -> Int {
        guard let table else { return 1 }
        return 1 + Int(try database.integer("SELECT max(\"_id\") FROM \(Schema.quoted(table))"))
    }

    private mutating func advance(_ text: String, visiting table: String?) throws(StoreError) {
        guard let report else { return }
        completed += try rows(of: table)
        total = max(total, completed)
        report(MigrationProgress(completed: completed, total: total, description: text))
    }

    // MARK: Steps

    private mutating func run(
        _ step: MigrationStep, _ statements: MigrationStatements, _ checks: MigrationChecks
    ) throws(StoreError) {
        let tables = try tables(statements)
        let (before, links) = (try rows(of: tables), try links(of: statements.target))
        let context = MigrationContext(database, columns: tables, checks)
        defer { context.end() }
        do {
            try step.body(context)
        } catch {
            let reason = (error as? StoreError)?.description ?? String(describing: error)
            throw StoreError(
                .migrationFailed, "the step '\(step.name)' of the migration of '\(path)' failed: \(reason)",
                advice: "correct the step; the file is unchanged", code: (error as? StoreError)?.code ?? 0,
                entity: (error as? StoreError)?.entity, violation: (error as? StoreError)?.violation)
        }
        guard !step.deletesRows else { return }
        func check(_ lost: Int, of count: Int, _ noun: String, of name: String, _ entity: String) throws(StoreError) {
            guard lost > 0 else { return }
            throw StoreError(
                .migrationFailed,
                "the step '\(step.name)' of the migration of '\(path)' has deleted \(lost) of \(count) \(noun) of '\(name)'",
                advice: "correct the step, or declare deletesRows: true; the file is unchanged", entity: entity)
        }
        let after = try rows(of: tables)
        for (table, rows) in before.sorted(by: { $0.key < $1.key }) {
            let count = rows.count
            try check(count - rows.commonCount(with: after[table] ?? RowRuns()), of: count, "rows", of: table, table)
        }
        for (old, new) in zip(links, try self.links(of: statements.target)) {
            try check(old.count - new.count, of: old.count, "links", of: "\(old.entity).\(old.name)", old.entity)
        }
        try advance("the step '\(step.name)'", visiting: nil)
    }

    /// The columns of the tables of all entities, also of those that are removed afterwards.
    private func tables(_ statements: MigrationStatements) throws(StoreError) -> [String: [String]] {
        var tables: [String: [String]] = [:]
        let names =
            statements.renamed.entities.map { statements.table($0.name) } + statements.target.entities.map(\.name)
        for name in Set(names) {
            let rows = try database.prepare("SELECT name FROM pragma_table_info(?) WHERE name <> '_id'").rows([
                .text(name)
            ])
            tables[name] = rows.compactMap(\.first?.text)
        }
        return tables
    }

    /// Returns the row numbers of tables: rows that were replaced have other ones.
    private func rows(of tables: [String: [String]]) throws(StoreError) -> [String: RowRuns] {
        var all: [String: RowRuns] = [:]
        for name in tables.keys {
            let table = Schema.quoted(name)
            let bounds = try database.prepare(
                "SELECT (SELECT count(*) FROM \(table)), (SELECT min(\"_id\") FROM \(table)), "
                    + "(SELECT max(\"_id\") FROM \(table))"
            ).rows([])[0]
            guard let count = bounds[0].integer, let first = bounds[1].integer, let last = bounds[2].integer else {
                continue
            }
            var runs = RowRuns()
            // Without gaps in most tables.
            if last.subtractingReportingOverflow(first) == (count - 1, false) {
                runs = RowRuns(first...last)
            } else {
                let statement = try database.prepare("SELECT \"_id\" FROM \(table) ORDER BY \"_id\"")
                while try statement.step() { runs.append(statement.integer(at: 0)) }
            }
            all[name] = runs
        }
        return all
    }

    /// Returns the numbers of links in the tables of a model.
    private func links(
        of model: ObjectModel
    ) throws(StoreError) -> [(entity: String, name: String, count: Int)] {
        var all: [(entity: String, name: String, count: Int)] = []
        for (index, entity) in model.entities.enumerated() {
            for relationship in entity.relationships.indices {
                let place = RelationshipPlace(entity: index, relationship: relationship)
                guard let table = model.linkTable(at: place), table.isOwner else { continue }
                let count = Int(try database.integer("SELECT count(*) FROM \(table.name)"))
                all.append((entity.name, entity.relationships[relationship].name, count))
            }
        }
        return all
    }

    private func invalid(
        _ stage: Migration.Stage, _ reason: String, _ violation: UniqueViolation? = nil
    ) -> StoreError {
        let names = stage.steps.map { "'\($0.name)'" }.joined(separator: ", ")
        return StoreError(
            .migrationFailed, "the migration of '\(path)' by \(names) leaves an invalid file: \(reason)",
            advice: "correct the step; the file is unchanged", entity: violation?.entity, violation: violation)
    }

    private func checkReferences(_ steps: [String]) throws(StoreError) {
        let rows = try database.prepare("PRAGMA foreign_key_check").rows([])
        guard let first = rows.first else { return }
        throw StoreError(
            .migrationFailed,
            "the migration of '\(path)' by \(steps.map { "'\($0)'" }.joined(separator: ", ")) leaves \(rows.count) "
                + "\(rows.count == 1 ? "reference" : "references") to rows that do not exist, the first one in '\(first[0].text ?? "")' to "
                + "'\(first[2].text ?? "")'",
            advice: "correct the step; the file is unchanged")
    }
}

extension ModelDifference {
    /// Returns the name of an entity in the file; `nil` if the file does not have it.
    func storedName(ofEntity name: String) -> String? { renamed.index(of: name).map { stored.entities[$0].name } }
}
