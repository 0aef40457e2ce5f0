import ObjectMapping

/// What a file stores about its migrations in `_mappingkit`: the steps that ran, and the hashes of its earlier models.
struct MigrationRecord: Equatable {
    private static let keys = (steps: "steps", models: "models")
    private static let selection = #"SELECT "value" FROM "_mappingkit" WHERE "key" = ?"#
    private static let maximumOfModels = 100

    /// The names of the steps that ran, or that the file does not need.
    var steps: [String]
    /// The hashes of its earlier models.
    private(set) var models: [String]

    init(of database: SQLiteDatabase) throws(StoreError) {
        steps = try Self.list(Self.keys.steps, database)
        models = try Self.list(Self.keys.models, database)
    }

    private static func list(_ key: String, _ database: SQLiteDatabase) throws(StoreError) -> [String] {
        let text = try database.value(selection, [.text(key)])?.text
        return text.flatMap { try? JSON($0) }?.array?.compactMap(\.string) ?? []
    }

    /// Adds the steps of a program to a new file.
    static func begin(_ steps: [MigrationStep], in database: SQLiteDatabase) throws(StoreError) {
        guard !steps.isEmpty else { return }
        var record = try MigrationRecord(of: database)
        record.add(steps.map(\.name))
        try record.write(to: database)
    }

    mutating func add(_ names: [String]) { steps += names.filter { !steps.contains($0) } }

    mutating func addModel(_ hash: String) {
        models.removeAll { $0 == hash }
        models = models.suffix(Self.maximumOfModels - 1) + [hash]
    }

    mutating func removeModel(_ hash: String) { models.removeAll { $0 == hash } }

    func write(to database: SQLiteDatabase) throws(StoreError) {
        for (key, names) in [(Self.keys.steps, steps), (Self.keys.models, models)] where !names.isEmpty {
            try database.run(
                #"INSERT OR REPLACE INTO "_mappingkit"("key", "value") VALUES(?, ?)"#,
                [.text(key), .text(JSON.array(names.map { .string($0) }).text)])
        }
    }
}
