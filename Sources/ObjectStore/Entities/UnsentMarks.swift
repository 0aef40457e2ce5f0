/// What a server has not accepted yet: the table `_mappingkit_unsent`, in a transaction.
///
/// A row has the name of an entity, the number of an object, the name of an attribute or a to-one relationship, and its
/// value before the last edit. The name is empty for an object that was never sent, and the value is then 1 if the server
/// may have the object nevertheless.
struct UnsentMarks {
    static let table = #""_mappingkit_unsent""#
    /// The name for the object itself.
    static let object = ""

    private let connection: StoreConnection

    /// - Returns: `nil` if the file never had marks.
    init?(_ connection: StoreConnection) throws(StoreError) {
        // Looked up each time: another process may have replaced the content of the file.
        guard try connection.hasTable("_mappingkit_unsent") else { return nil }
        self.connection = connection
    }

    /// Creates the table unless it exists.
    init(creatingIn connection: StoreConnection) throws(StoreError) {
        guard let known = try UnsentMarks(connection) else {
            try connection.database.execute(
                #"CREATE TABLE \#(Self.table)("entity" TEXT, "row" INTEGER, "property" TEXT, "previous", "#
                    + #"PRIMARY KEY("entity", "row", "property")) WITHOUT ROWID"#)
            self.connection = connection
            return
        }
        self = known
    }

    // MARK: Reading

    /// Whether a server has accepted everything.
    static func areEmpty(in connection: StoreConnection) throws(StoreError) -> Bool {
        guard try UnsentMarks(connection) != nil else { return true }
        return try connection.integer("SELECT 1 FROM \(table) LIMIT 1") == nil
    }

    /// Returns the earlier values of the marked properties of an object, by name.
    func values(of row: Int64, _ entity: StoredEntity) throws(StoreError) -> [String: StoredValue] {
        let statement = try connection.cached(
            #"SELECT "property", "previous" FROM \#(Self.table) WHERE "entity" = ? AND "row" = ?"#)
        try statement.bind([.text(entity.name), .integer(row)])
        defer { statement.reset() }
        var values: [String: StoredValue] = [:]
        while try statement.step() {
            if let name = statement.value(at: 0).text { values[name] = statement.value(at: 1) }
        }
        return values
    }

    /// Returns the names of the marked properties of an entity, by row.
    func properties(of entity: StoredEntity) throws(StoreError) -> [Int64: Set<String>] {
        let statement = try connection.cached(#"SELECT "row", "property" FROM \#(Self.table) WHERE "entity" = ?"#)
        try statement.bind([.text(entity.name)])
        defer { statement.reset() }
        var rows: [Int64: Set<String>] = [:]
        while try statement.step() {
            if let name = statement.value(at: 1).text { rows[statement.integer(at: 0), default: []].insert(name) }
        }
        return rows
    }

    /// Returns the earlier values of all marked properties, by the index of the entity, row and name.
    func values(in entities: [StoredEntity]) throws(StoreError) -> [Int: [Int64: [String: StoredValue]]] {
        let indexes = Dictionary(entities.map { ($0.name, $0.index) }) { first, _ in first }
        let statement = try connection.cached(
            #"SELECT "entity", "row", "property", "previous" FROM \#(Self.table)"#)
        defer { statement.reset() }
        var values: [Int: [Int64: [String: StoredValue]]] = [:]
        while try statement.step() {
            guard let entity = statement.value(at: 0).text.flatMap({ indexes[$0] }),
                let name = statement.value(at: 2).text
            else { continue }
            values[entity, default: [:]][statement.integer(at: 1), default: [:]][name] = statement.value(at: 3)
        }
        return values
    }

    // MARK: Writing

    /// Marks properties of a row with their earlier values.
    func add(
        _ properties: [(property: PropertyIndex, previous: StoredValue)], of row: Int64, _ entity: StoredEntity
    ) throws(StoreError) {
        for (property, previous) in properties {
            try connection.run(
                #"INSERT INTO \#(Self.table) VALUES(?, ?, ?, ?) ON CONFLICT DO UPDATE SET "previous" = excluded."previous""#,
                [.text(entity.name), .integer(row), .text(entity.name(of: property)), previous])
        }
    }

    /// Marks rows as never sent.
    func add(_ rows: [Int64], of entity: StoredEntity) throws(StoreError) {
        try connection.run(
            #"INSERT OR REPLACE INTO \#(Self.table) SELECT ?, value, '', NULL FROM json_each(?)"#,
            [.text(entity.name), .rows(rows[...])])
    }

    /// Records whether a server may have an object that counts as never sent.
    func setUnknown(_ isUnknown: Bool, of row: Int64, _ entity: StoredEntity) throws(StoreError) {
        try connection.run(
            #"UPDATE \#(Self.table) SET "previous" = ? WHERE "entity" = ? AND "row" = ? AND "property" = ''"#,
            [isUnknown ? .integer(1) : .null, .text(entity.name), .integer(row)])
    }

    /// Removes the mark of a property, or that of an object.
    func remove(_ name: String, of row: Int64, _ entity: StoredEntity) throws(StoreError) {
        try connection.run(
            #"DELETE FROM \#(Self.table) WHERE "entity" = ? AND "row" = ? AND "property" = ?"#,
            [.text(entity.name), .integer(row), .text(name)])
    }

    /// Removes all marks of rows that are deleted.
    func removeAll(of rows: StoredValue, _ entity: StoredEntity) throws(StoreError) {
        try connection.run(
            #"DELETE FROM \#(Self.table) WHERE "entity" = ? AND "row" IN (SELECT value FROM json_each(?))"#,
            [.text(entity.name), rows])
    }
}
