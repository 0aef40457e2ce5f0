import ObjectMapping

/// What a file stores about its migrations in `_mappingkit`: the steps that ran, the hashes of its earlier models, and the
/// version of its model.
struct MigrationRecord: Equatable {
    private static let keys = (steps: "steps", models: "models", version: "version")
    private static let selection = #"SELECT "value" FROM "_mappingkit" WHERE "key" = ?"#
    private static let maximumOfModels = 100

    /// The names of the steps that ran, or that the file does not need.
    var steps: [String]
    /// The hashes of its earlier models.
    private(set) var models: [String]
    /// The version of its model; 0 if programs have not declared any.
    var version: Int64

    init(of database: SQLiteDatabase) throws(StoreError) {
        steps = try Self.list(Self.keys.steps, database)
        models = try Self.list(Self.keys.models, database)
        version = try database.integer(Self.selection, [.text(Self.keys.version)])
    }

    private static func list(_ key: String, _ database: SQLiteDatabase) throws(StoreError) -> [String] {
        let text = try database.value(selection, [.text(key)])?.text
        return text.flatMap { try? JSON($0) }?.array?.compactMap(\.string) ?? []
    }

    /// Adds the steps and the version of a program to a new file.
    static func begin(_ options: ManagedObjectStore.Options, in database: SQLiteDatabase) throws(StoreError) {
        var record = try MigrationRecord(of: database)
        record.add(options.migrationSteps.map(\.name))
        record.version = Int64(options.modelVersion)
        try record.write(to: database)
    }

    mutating func add(_ names: [String]) { steps += names.filter { !steps.contains($0) } }

    mutating func addModel(_ hash: String) {
        models.removeAll { $0 == hash }
        models = models.suffix(Self.maximumOfModels - 1) + [hash]
    }

    mutating func removeModel(_ hash: String) { models.removeAll { $0 == hash } }

    func write(to database: SQLiteDatabase) throws(StoreError) {
        var values = [(Self.keys.steps, steps), (Self.keys.models, models)].compactMap { key, names in
            names.isEmpty ? nil : (key, StoredValue.text(JSON.array(names.map { .string($0) }).text))
        }
        if version > 0 { values.append((Self.keys.version, .integer(version))) }
        for (key, value) in values {
            try database.run(
                #"INSERT OR REPLACE INTO "_mappingkit"("key", "value") VALUES(?, ?)"#, [.text(key), value])
        }
    }
}
