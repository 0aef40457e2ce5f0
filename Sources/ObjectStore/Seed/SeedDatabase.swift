public import ObjectMapping

/// A database file of this package, opened for reading without classes.
///
/// ```swift
/// let seed = try SeedDatabase(at: url)
/// let open = try seed.value(sql: "SELECT count(*) FROM Task WHERE assignedUser IS NULL")?.integer
/// ```
public struct SeedDatabase {
    /// The entities, attributes and relationships of the file.
    public let model: ObjectModel
    private let database: SQLiteDatabase

    /// Opens a file for reading only.
    ///
    /// - Parameter url: The file.
    /// - Throws: `StoreError`, of kind `cannotOpen` if the file does not exist, `foreign` for a file of another
    ///   program, `corrupt` for a damaged file or one that is not a database, `newerFormat` for a file of a newer
    ///   version.
    public init(at url: URL) throws(StoreError) {
        let file = try StoreFile(url, ManagedObjectStore.Options())
        let path = url.path
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError(.cannotOpen, "there is no file '\(path)'")
        }
        guard try !file.isMissing() else { throw FileHeader.empty(path) }
        database = try file.openReader().database
        try FileHeader.check(database, path: path)
        model = try FileHeader.model(of: database, path: path)
    }

    /// The names of the entities, in the order of the model.
    public var entities: [String] { model.entities.map(\.name) }

    /// Returns the number of rows of an entity.
    ///
    /// - Throws: `StoreError`, of kind `unknownEntity` with a suggestion if the entity does not exist.
    public func count(of entity: String) throws(StoreError) -> Int {
        Int(try database.integer("SELECT count(*) FROM \(try model.table(of: entity))"))
    }

    /// Returns the rows of an entity in the order in which their objects first appeared.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - limit: The maximum number of rows; `nil` for all rows, which are held in memory. Defaults to `nil`.
    /// - Throws: `StoreError`, of kind `unknownEntity` with a suggestion if the entity does not exist.
    public func rows(of entity: String, limit: Int? = nil) throws(StoreError) -> [SeedRow] {
        // A negative limit means no limit in SQLite.
        try rows(
            sql: "SELECT * FROM \(try model.table(of: entity)) ORDER BY \"_id\" LIMIT ?",
            arguments: [.integer(limit.map { Int64(max(0, $0)) } ?? -1)])
    }

    /// Returns the first column of the first row of a query; `nil` without a row.
    ///
    /// - Parameters:
    ///   - sql: One statement that reads; tables and columns have the names of entities and attributes.
    ///   - arguments: The values of its parameters, in order.
    /// - Throws: `StoreError`, of kind `misuse` if SQLite rejects the statement, or if the number of arguments is
    ///   wrong.
    public func value(sql: String, arguments: [StoredValue] = []) throws(StoreError) -> StoredValue? {
        let statement = try database.prepare(sql, as: .reads)
        try statement.bind(arguments)
        return try statement.step() ? statement.value(at: 0) : nil
    }

    /// Returns the rows of a query, all of them in memory.
    ///
    /// ```swift
    /// let sql = "SELECT name, hours FROM Task WHERE hours > ? ORDER BY name"
    /// for row in try seed.rows(sql: sql, arguments: [5]) { print(row["name"]?.text ?? "-", row["hours"]?.double ?? 0) }
    /// ```
    ///
    /// - Parameters:
    ///   - sql: One statement that reads; tables and columns have the names of entities and attributes.
    ///   - arguments: The values of its parameters, in order.
    /// - Throws: `StoreError`, of kind `misuse` if SQLite rejects the statement, or if the number of arguments is
    ///   wrong.
    public func rows(sql: String, arguments: [StoredValue] = []) throws(StoreError) -> [SeedRow] {
        let statement = try database.prepare(sql, as: .reads)
        try statement.bind(arguments)
        let columns = statement.columnNames
        var rows: [SeedRow] = []
        while try statement.step() {
            rows.append(SeedRow(columns: columns, values: columns.indices.map { statement.value(at: $0) }))
        }
        return rows
    }

    /// Returns a compiled query, for reading its rows one by one.
    package func statement(_ sql: String) throws(StoreError) -> SQLiteStatement { try database.prepare(sql) }

    /// Returns the unresolved connections of the file.
    package func unresolvedConnections() throws(StoreError) -> [UnresolvedConnections] {
        try UnresolvedConnections.all(in: database, model)
    }

    /// Returns the problems found by SQLite's checks of pages and references; empty without problems.
    package func damages() throws(StoreError) -> [String] {
        var found: [String] = []
        for row in try rows(sql: "PRAGMA integrity_check") {
            if let text = row.values.first?.text, text != "ok" { found.append(text) }
        }
        for row in try rows(sql: "PRAGMA foreign_key_check") {
            found.append(
                "row \(row.values[1]) of \(row.values[0]) refers to a row of \(row.values[2]) that does not exist")
        }
        return found
    }
}

extension ObjectModel {
    /// Returns the quoted table of an entity.
    ///
    /// - Throws: `StoreError` of kind `unknownEntity` with a suggestion.
    func table(of entity: String) throws(StoreError) -> String {
        guard index(of: entity) != nil else { throw unknownEntity(entity) }
        return Schema.quoted(entity)
    }

    /// Returns the error for a name that is not the name of an entity.
    func unknownEntity(_ name: String) -> StoreError {
        let nearest = nearestNames(to: name, among: entities.map(\.name)).first
        return StoreError(
            .unknownEntity, "unknown entity '\(name)'", advice: nearest.map { "did you mean '\(printable($0))'?" },
            entity: name)
    }
}
