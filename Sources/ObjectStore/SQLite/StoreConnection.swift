/// What a connection compares in its file after commits of others.
protocol FileCheck: Sendable {
    /// Rejects a file that others have migrated.
    func check(_ connection: StoreConnection) throws(StoreError)

    /// Returns parts of statements that search in indexes of other attributes, with their errors.
    func unusableSearches(in database: SQLiteDatabase) throws(StoreError) -> [(match: String, error: StoreError)]
}

/// A connection with its compiled statements.
final class StoreConnection: @unchecked Sendable {  // guarded by `ConnectionPool`: a connection has one user at a time
    let database: SQLiteDatabase
    /// The open file; `nil` for a reader, and for a database in memory.
    var openFile: OpenFile?
    /// The comparison of the file with the model of its store; `nil` for a database in memory.
    var fileCheck: (any FileCheck)?
    /// SQLite's numbers for commits of others, at which the model was compared, and for the schema, at which the search
    /// indexes were.
    @safe @exclusivity(unchecked) private var checkedVersions: (data: Int64, schema: Int64)?
    @safe @exclusivity(unchecked) private var unusableSearches: [(match: String, error: StoreError)] = []
    /// The counter of commits of others at which a reader compared them.
    @safe @exclusivity(unchecked) private var checkedCounter: UInt32?
    /// Whether the file was opened as if nobody could change it.
    var isImmutable = false
    // Exclusivity unchecked: a connection has one user, and no access outlasts a call.
    @safe @exclusivity(unchecked) private var statements: [String: SQLiteStatement] = [:]
    /// The last used statement: comparing a text with itself is faster than hashing it.
    @safe @exclusivity(unchecked) private var lastStatement: SQLiteStatement?
    @safe @exclusivity(unchecked) private var lastSQL = ""
    /// Some of the statements that were used recently, which a save uses in turn: they are found by length first.
    @safe @exclusivity(unchecked) private var recent: [(sql: String, statement: SQLiteStatement)] = []
    @safe @exclusivity(unchecked) private var recentLengths: [Int] = []
    @safe @exclusivity(unchecked) private var nextRecent = 0
    private static let maximumOfRecent = 8
    /// Every save runs them: they would displace recent statements.
    @safe @exclusivity(unchecked) private var versionStatements: (data: SQLiteStatement?, schema: SQLiteStatement?)
    /// Whether the file has the table of responses, at a version of the schema; see ``LoadRecord/isUsable(_:)``.
    @safe @exclusivity(unchecked) var responseTable: (isUsable: Bool, schema: Int64)?
    /// Limits the number of statements for varying queries.
    private static let maximumOfStatements = 256
    private static let maximumOfBytes = 100_000

    init(_ database: SQLiteDatabase) { self.database = database }

    /// Returns a cached statement, which its user resets.
    ///
    /// - Parameter rule: What a statement of a user may do. Defaults to `nil`: a statement of this package.
    func cached(_ sql: String, as rule: StatementRule? = nil) throws(StoreError) -> SQLiteStatement {
        for search in unusableSearches where sql.contains(search.match) { throw search.error }
        if lastSQL == sql, let lastStatement, rule == nil || rule == lastStatement.rule { return lastStatement }
        let statement: SQLiteStatement
        if let known = recentStatement(sql), rule == nil || rule == known.rule {
            (lastSQL, lastStatement) = (sql, known)
            return known
        }
        if let known = statements[sql], rule == nil || rule == known.rule {
            statement = known
        } else {
            if statements.count >= Self.maximumOfStatements { statements.removeAll() }
            statement = if let rule { try database.prepare(sql, as: rule) } else { try database.prepare(sql) }
            // Queries with thousands of conditions are rarely repeated.
            guard sql.utf8.count < Self.maximumOfBytes else { return statement }
            statements[sql] = statement
        }
        (lastSQL, lastStatement) = (sql, statement)
        noteRecent(sql, statement)
        return statement
    }

    private func recentStatement(_ sql: String) -> SQLiteStatement? {
        let length = sql.utf8.count
        for index in recentLengths.indices where recentLengths[index] == length && recent[index].sql == sql {
            return recent[index].statement
        }
        return nil
    }

    private func noteRecent(_ sql: String, _ statement: SQLiteStatement) {
        if recent.count < Self.maximumOfRecent {
            recent.append((sql, statement))
            recentLengths.append(sql.utf8.count)
        } else {
            recent[nextRecent] = (sql, statement)
            recentLengths[nextRecent] = sql.utf8.count
            nextRecent = (nextRecent + 1) % Self.maximumOfRecent
        }
    }

    /// Returns a cached statement, which must not write.
    func cached(reading sql: String) throws(StoreError) -> SQLiteStatement { try cached(sql, as: .reads) }

    /// Runs a statement with arguments and ignores its rows.
    func run(_ sql: String, _ arguments: [StoredValue] = []) throws(StoreError) {
        let statement = try cached(sql)
        try statement.bind(arguments)
        defer { statement.reset() }
        try statement.run()
    }

    /// Returns the first column of the first row as an integer; `nil` without a row or for null.
    func integer(_ sql: String, _ arguments: [StoredValue] = []) throws(StoreError) -> Int64? {
        let statement = try cached(sql)
        try statement.bind(arguments)
        defer { statement.reset() }
        return try statement.step() ? statement.value(at: 0).integer : nil
    }

    /// Whether the file has a table.
    func hasTable(_ name: String) throws(StoreError) -> Bool {
        try integer("SELECT 1 FROM sqlite_schema WHERE name = ?", [.text(name)]) != nil
    }

    static let dataVersion = "PRAGMA data_version"
    static let schemaVersion = "PRAGMA schema_version"

    /// Returns a number that changes when another connection has committed.
    func dataVersion() throws(StoreError) -> Int64 { try number(Self.dataVersion, &versionStatements.data) }

    /// Returns a number that changes with the tables and their columns.
    ///
    /// A transaction that is rolled back returns to the former number, so another change can have the same number as one
    /// that was rolled back.
    func schemaVersion() throws(StoreError) -> Int64 { try number(Self.schemaVersion, &versionStatements.schema) }

    private func number(_ sql: String, _ compiled: inout SQLiteStatement?) throws(StoreError) -> Int64 {
        let statement = if let compiled { compiled } else { try database.prepare(sql) }
        compiled = statement
        defer { statement.reset() }
        return try statement.step() ? statement.integer(at: 0) : 0
    }

    /// Returns the first column of all rows as integers.
    func rows(_ sql: String, _ arguments: [StoredValue]) throws(StoreError) -> [Int64] {
        let statement = try cached(sql)
        try statement.bind(arguments)
        defer { statement.reset() }
        var rows: [Int64] = []
        while try statement.step() { rows.append(statement.integer(at: 0)) }
        return rows
    }

    /// Calls a closure in a transaction that may write; an error rolls it back.
    ///
    /// A file that others have deleted or replaced is found before the transaction ends, and is the error if a statement
    /// fails because of it.
    ///
    /// - Parameter isShort: Whether it is not worth the time to look for the file before the closure. Defaults to `false`.
    func transaction<Result>(
        isShort: Bool = false, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        if !isShort { try openFile?.check() }
        do throws(StoreError) {
            try run("BEGIN IMMEDIATE")
        } catch {
            try openFile?.check()
            throw error
        }
        do {
            try checkModel()
            let result = try body()
            try openFile?.check()
            try run("COMMIT")
            return result
        } catch {
            // The error may already have ended the transaction.
            try? run("ROLLBACK")
            responseTable = nil
            try openFile?.check()
            throw error
        }
    }

    /// Rejects a file that another process has migrated, and notes search indexes that another one has built.
    ///
    /// - Parameter version: The number of commits of others. Defaults to the current one.
    func checkModel(version: Int64? = nil) throws(StoreError) {
        guard let fileCheck else { return }
        let version = if let version { version } else { try dataVersion() }
        guard version != checkedVersions?.data else { return }
        try fileCheck.check(self)
        let schema = try schemaVersion()
        if schema != checkedVersions?.schema { unusableSearches = try fileCheck.unusableSearches(in: database) }
        checkedVersions = (version, schema)
    }

    /// Calls a closure that reads, and rejects its result if others have migrated the file.
    ///
    /// The statements of the closure notice commits of others: looking for them first would take as long as finding a row.
    /// The closure is called again if another search index was built.
    func reading<Result>(
        _ body: (StoreConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        if checkedCounter == nil {
            try checkModel()
            checkedCounter = database.commitCounter
        }
        while true {
            let result: Swift.Result<Result, StoreError>
            do throws(StoreError) { result = .success(try body(self)) } catch { result = .failure(error) }
            guard database.commitCounter != checkedCounter else { return try result.get() }
            let known = unusableSearches.map(\.error.message)
            try checkModel()
            checkedCounter = database.commitCounter
            if unusableSearches.map(\.error.message) == known { return try result.get() }
        }
    }

    /// Whether statements return what is in the file.
    var isCurrent: Bool { !isImmutable || openFile?.isUnchanged ?? true }

    func close() {
        statements.removeAll()
        (recent, recentLengths, nextRecent) = ([], [], 0)
        (lastStatement, versionStatements) = (nil, (nil, nil))
        database.close()
    }
}
