/// A connection with the statements that were compiled for it.
final class StoreConnection: @unchecked Sendable {  // guarded by `ConnectionPool`: a connection has one user at a time
    let database: SQLiteDatabase
    private var statements: [String: SQLiteStatement] = [:]
    /// The one that was used last: comparing a text with itself takes less than hashing it.
    private var last: (sql: String, statement: SQLiteStatement)?
    /// Queries that differ from one another must not fill the memory with statements.
    private static let maximumOfStatements = 256

    init(_ database: SQLiteDatabase) { self.database = database }

    /// A compiled statement, which is kept for the next time; its user resets it.
    func cached(_ sql: String) throws(StoreError) -> SQLiteStatement {
        if let last, last.sql == sql { return last.statement }
        let statement: SQLiteStatement
        if let known = statements[sql] {
            statement = known
        } else {
            if statements.count >= Self.maximumOfStatements { statements.removeAll() }
            statement = try database.prepare(sql)
            statements[sql] = statement
        }
        last = (sql, statement)
        return statement
    }

    /// Runs a statement with arguments and drops its rows.
    func run(_ sql: String, _ arguments: [StoredValue] = []) throws(StoreError) {
        let statement = try cached(sql)
        try statement.bind(arguments)
        defer { statement.reset() }
        try statement.run()
    }

    /// Returns the first column of the first row as an integer; nil if there is no row or it is null.
    func integer(_ sql: String, _ arguments: [StoredValue] = []) throws(StoreError) -> Int64? {
        let statement = try cached(sql)
        try statement.bind(arguments)
        defer { statement.reset() }
        return try statement.step() ? statement.value(at: 0).integer : nil
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

    /// Calls a closure within a transaction that may write; an error rolls it back.
    func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // The error may have ended the transaction already.
            try? run("ROLLBACK")
            throw error
        }
    }

    func close() {
        statements.removeAll()
        last = nil
        database.close()
    }
}
