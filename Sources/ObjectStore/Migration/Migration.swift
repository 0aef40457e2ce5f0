import ObjectMapping

/// The way of a file to the model with which it is opened: one stage for each version with steps, and one for the rest.
struct Migration {
    /// A change to one model, with the steps that need it.
    struct Stage {
        let difference: ModelDifference
        let steps: [MigrationStep]

        var provided: Set<String> { steps.reduce(into: []) { $0.formUnion($1.provided) } }

        /// The changes that are not possible.
        var obstacles: [ModelChange] { difference.obstacles(providing: provided) }

        var isEmpty: Bool { difference.stored == difference.target && steps.isEmpty }

        /// Whether an entity and its searchable attributes remain, with their names, types and values.
        func keepsTexts(of name: String) -> Bool {
            guard difference.renames.entity(name) == name, let old = difference.renamed.entity(named: name),
                let new = difference.target.entity(named: name), let before = difference.stored.entity(named: name)
            else { return false }
            let texts = new.attributes.filter(\.isSearchable)
            return before.attributes.filter(\.isSearchable).map(\.name) == texts.map(\.name)
                && texts.allSatisfy { attribute in
                    guard let known = old.attribute(named: attribute.name) else { return false }
                    return known.isSearchable && known.type == attribute.type
                        && !(known.isOptional && attribute.replacesNull)
                        && !provided.contains("\(name).\(attribute.name)")
                }
        }

        func statements(in schema: FileSchema) -> MigrationStatements {
            MigrationStatements(difference, in: schema, providing: provided)
        }
    }

    let stored: ObjectModel
    let stages: [Stage]
    /// What the file records afterwards.
    let record: MigrationRecord
    private let storedRecord: MigrationRecord
    /// Whether the file has a later version of the model, or had this one before it was changed.
    let isFromFuture: Bool
    private let steps: [MigrationStep]

    /// - Parameters:
    ///   - stored: The model of the file.
    ///   - model: The model; `nil` for that of the file.
    ///   - options: The steps and the version of the program.
    init(
        from stored: ObjectModel, to model: ObjectModel?, _ options: ManagedObjectStore.Options,
        in database: SQLiteDatabase
    ) throws(StoreError) {
        let (steps, version) = (options.migrationSteps, Int64(options.modelVersion))
        self.stored = stored
        self.steps = steps
        storedRecord = try MigrationRecord(of: database)
        var record = storedRecord
        guard let model else {
            let difference = ModelDifference(from: stored, to: stored)
            (stages, isFromFuture, self.record) = ([Stage(difference: difference, steps: [])], false, record)
            return
        }
        let last = ModelDifference(from: stored, to: model)
        // A later version can have a model that the file had before.
        isFromFuture =
            !last.isCompatible && version <= record.version
            && (version < record.version || record.models.contains(model.hash))
        record.version = max(record.version, version)
        let isUsed = try FileHeader.isIdentified(database)
        let pending = Self.pending(
            steps, of: stored, done: record.steps, hasLastModel: !isUsed && last.isCompatible)
        record.add(steps.map(\.name))
        var stages: [Stage] = []
        var (current, waiting): (ObjectModel, [MigrationStep]) = (stored, [])
        for step in pending {
            waiting.append(step)
            guard let target = step.target else { continue }
            let stage = Stage(difference: ModelDifference(from: current, to: target), steps: waiting)
            stages.append(stage)
            (current, waiting) = (stage.difference.target, [])
        }
        let difference = stages.isEmpty ? last : ModelDifference(from: current, to: model)
        stages.append(Stage(difference: difference, steps: waiting))
        for stage in stages where !stage.difference.isCompatible { record.addModel(stage.difference.stored.hash) }
        record.removeModel(stages.last?.difference.target.hash ?? "")
        self.stages = stages
        self.record = record
    }

    /// Returns the steps that a file needs.
    ///
    /// - Parameter hasLastModel: Whether it is new, and has the model of the program already: a seed.
    private static func pending(
        _ steps: [MigrationStep], of stored: ObjectModel, done: [String], hasLastModel: Bool
    ) -> [MigrationStep] {
        if hasLastModel { return [] }
        // A file with the model of a step does not need it, or the steps before.
        let reached = steps.lastIndex { step in
            step.target.map { ModelDifference(from: stored, to: $0).isCompatible } ?? false
        }
        return steps.dropFirst(reached.map { $0 + 1 } ?? 0).filter { !done.contains($0.name) }
    }

    /// The model of the file afterwards.
    var target: ObjectModel { stages.last?.difference.target ?? stored }

    /// Whether nothing has to be changed, except for indexes.
    var isEmpty: Bool { stages.allSatisfy(\.isEmpty) && record == storedRecord }

    /// The text of all differences that change the storage.
    var text: String { stages.map(\.difference.text).filter { !$0.isEmpty }.joined(separator: "; ") }

    /// The entities whose searchable texts change at most by steps.
    var unchangedSearches: Set<String> {
        let names = stored.entities.map(\.name)
        return Set(names.filter { name in stages.allSatisfy { $0.keepsTexts(of: name) } })
    }

    // MARK: Refusing

    /// Rejects a migration that is not possible.
    func check(in database: SQLiteDatabase, path: String) throws(StoreError) {
        try checkSteps()
        if isFromFuture { throw fromFuture(path) }
        let obstacles = stages.flatMap(\.obstacles)
        guard obstacles.isEmpty else {
            let advice = "change the classes so that they match the file, or open another file; this one is unchanged"
            let names = obstacles.filter(\.canBeProvided).map { "\($0.entity ?? "").\($0.property ?? "")" }
            throw StoreError(
                .modelMismatch, "the model of '\(path)' differs from the classes: \(text)",
                advice: names.isEmpty
                    ? advice
                    : "\(advice). A MigrationStep can provide \(names.map { "'\($0)'" }.joined(separator: ", "))")
        }
        if let problem = try problems(in: database).first {
            throw StoreError(
                .modelMismatch, "cannot migrate '\(path)': \(problem)",
                advice: "change these rows with the previous version of the classes; the file is unchanged")
        }
        if let problem = try schemaProblem(in: database) {
            throw StoreError(
                .modelMismatch, "cannot migrate '\(path)': \(problem)",
                advice:
                    "remove or rename what other programs have added to the file: tables, columns, views, triggers or "
                    + "indexes; the file is unchanged")
        }
    }

    private func fromFuture(_ path: String) -> StoreError {
        StoreError(
            .modelMismatch,
            storedRecord.models.contains(stages.last?.difference.target.hash ?? "")
                ? "'\(path)' had the model of this program, and was migrated to a later one: \(text)"
                : "'\(path)' has version \(storedRecord.version) of the model, which is later than that of this program: "
                    + "\(text)",
            advice: "use the newer version of the program, or declare a later modelVersion; this file is unchanged")
    }

    /// Rejects steps that would not run, or that provide nothing.
    private func checkSteps() throws(StoreError) {
        let names = steps.map(\.name)
        if let name = names.enumerated().first(where: { names[..<$0.offset].contains($0.element) })?.element {
            throw StoreError(
                .misuse, "two steps of a migration have the name '\(name)'", advice: "rename the second one")
        }
        for stage in stages {
            let known = stage.difference.target.entities.flatMap { entity in
                (entity.attributes.map(\.name) + entity.relationships.map(\.name)).map { "\(entity.name).\($0)" }
            }
            for step in stage.steps {
                guard let unknown = step.provided.sorted().first(where: { !known.contains($0) }) else { continue }
                let nearest = nearestNames(to: unknown, among: known).first
                throw StoreError(
                    .misuse, "the step '\(step.name)' provides '\(unknown)', which the model does not have",
                    advice: nearest.map { "did you mean '\($0)'?" })
            }
        }
    }

    /// Returns the reasons in the rows of the file why the first stage is refused.
    private func problems(in database: SQLiteDatabase) throws(StoreError) -> [String] {
        guard let stage = stages.first, stage.difference.stored != stage.difference.target else { return [] }
        return try stage.statements(in: FileSchema(of: database)).problems(in: database)
    }

    /// Returns why the schema of the file cannot be changed.
    private func schemaProblem(in database: SQLiteDatabase) throws(StoreError) -> String? {
        guard stages.contains(where: { $0.difference.stored != $0.difference.target }) else { return nil }
        return try MigrationRun.problem(of: self, in: database)
    }

    // MARK: Describing

    /// Returns the plan, for a file that is only read.
    func plan(in database: SQLiteDatabase, path: String) throws(StoreError) -> MigrationPlan {
        var schema = try FileSchema(of: database)
        var (changes, statements, problems): ([MigrationPlan.Change], [String], [String]) = ([], [], [])
        do throws(StoreError) { try checkSteps() } catch { problems.append(error.message) }
        if isFromFuture { problems.append(fromFuture(path).message) }
        for (index, stage) in stages.enumerated() {
            let obstacles = Set(stage.obstacles)
            changes += stage.difference.changes.map { change in
                MigrationPlan.Change(
                    entity: change.entity, property: change.property, description: change.action,
                    losesValues: change.losesValues, obstacle: obstacles.contains(change) ? change.obstacle : nil)
            }
            guard stage.obstacles.isEmpty else { break }
            let all = stage.statements(in: schema)
            if index == 0 {
                problems += try all.problems(in: database)
                // A step can remove duplicates.
                if stage.steps.isEmpty { problems += try all.duplicates(in: database, path: path) }
            }
            let records = MigrationRecords(stage.difference, in: schema)
            statements += (all.additions + records.renames).map(\.text)
            statements += stage.steps.map { "-- the step '\($0.name)'" }
            statements += (all.removals + records.changes + all.indexes).map(\.text)
            schema.setIndexes(of: stage.difference.target)
        }
        if stages.allSatisfy(\.obstacles.isEmpty), let problem = try schemaProblem(in: database) {
            problems.append(problem)
        }
        return MigrationPlan(
            changes: changes, steps: stages.flatMap(\.steps).map(\.name), statements: statements,
            problems: problems + changes.compactMap(\.problem))
    }
}

extension MigrationStatements {
    /// Returns the reasons in the rows of the file why it cannot be changed.
    func problems(in database: SQLiteDatabase) throws(StoreError) -> [String] {
        var found: [String] = []
        for check in checks {
            let count = try database.integer(check.sql)
            if count > 0 { found.append("\(count) \(check.noun)\(count == 1 ? "" : "s") of \(check.reason)") }
        }
        return try found + unreadable(in: database)
    }

    /// Returns the attributes with converted values that the type of the class refuses, such as an enumeration without them.
    private func unreadable(in database: SQLiteDatabase) throws(StoreError) -> [String] {
        var found: [String] = []
        for case .changedAttribute(let name, let entity, let old, let new) in difference.changes
        where !provided.contains("\(entity).\(name)") {
            guard let widening = TypeWidening(from: old, to: new),
                let attribute = target.classes.first(where: { $0.name == entity })?.attributes.first(where: {
                    $0.name == name && $0.direct == nil
                }), let stored = difference.storedNames(of: name, in: entity)
            else { continue }
            let column = Schema.quoted(stored.property)
            let values = try database.prepare(
                "SELECT DISTINCT \(widening.expression(column)) FROM \(Schema.quoted(stored.entity)) "
                    + "WHERE \(column) IS NOT NULL")
            var (count, example): (Int, StoredValue?) = (0, nil)
            while try values.step() {
                let value = values.value(at: 0)
                // Values that were invalid before are not those of the conversion.
                guard StorageForm.isValid(value, new), attribute.canonical(value) == nil else { continue }
                count += 1
                example = example ?? value
            }
            guard let example else { continue }
            found.append(
                "\(count) \(count == 1 ? "value" : "values") of '\(entity).\(name)' cannot be read as "
                    + "\(attribute.typeName), such as \(example); a MigrationStep can provide '\(entity).\(name)'")
        }
        return found
    }

    /// Returns the rows with equal values of what becomes unique.
    func duplicates(in database: SQLiteDatabase, path: String) throws(StoreError) -> [String] {
        var found: [String] = []
        for entity in target.entities {
            let old = renamed.entity(named: entity.name)
            for names in [entity.identity] + entity.uniqueSets where !names.isEmpty {
                guard let old, old.identity != names, !old.uniqueSets.contains(names) else { continue }
                let stored = names.compactMap { difference.storedNames(of: $0, in: entity.name) }
                guard stored.count == names.count, let table = stored.first?.entity else { continue }
                let count = try DuplicateValues.count(in: table, stored.map(\.property), database)
                if count > 0 { found.append(DuplicateValues.message(count, of: names, entity, path)) }
            }
        }
        return found
    }
}
