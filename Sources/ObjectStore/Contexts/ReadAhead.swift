import Dispatch

/// A statement that reads, and its arguments.
struct ReadStatement: Hashable, Sendable {
    let sql: String
    let arguments: [StoredValue]
}

/// The rows of a read whose statements run on another thread.
struct ReadAhead {
    /// Distinguishes newer rows from older ones.
    let number: Int
    fileprivate var rows: [ReadStatement: [[StoredValue]]] = [:]
    /// The statement whose rows are missing, at which the read stopped.
    fileprivate(set) var missing: ReadStatement?

    fileprivate init(number: Int) { self.number = number }

    /// Returns the rows of a statement.
    ///
    /// - Throws: An error if they are missing; it is not visible to the caller of the read.
    mutating func rows(of statement: ReadStatement) throws(StoreError) -> BufferedRows {
        if missing == nil, let rows = rows[statement] { return BufferedRows(rows) }
        missing = missing ?? statement
        try check()
        return BufferedRows([])
    }

    /// Throws if a statement was met whose rows are missing: the caller does not see the error, and reads again.
    func check() throws(StoreError) {
        guard let missing else { return }
        throw StoreError(.interrupted, "the rows of the statement were not read yet", sql: missing.sql)
    }
}

/// Reads whose statements run on another thread.
extension ContextCore {
    /// Repeats a function that reads until the rows of all its statements are available.
    ///
    /// Each call stops at the first statement whose rows are missing; another thread then reads them. The last call
    /// does not suspend, so its result includes the changes that were made meanwhile.
    ///
    /// - Parameter statements: Returns statements whose rows are read before the first call. Defaults to none.
    nonisolated(nonsending) func reading<Result>(
        after statements: () -> [ReadStatement] = { [] }, _ read: () throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        // Calls that ended early may have left objects.
        defer { awakeFetched() }
        var ahead = ReadAhead(number: nextReadNumber())
        while true {
            await waitForSave()
            // Others have read or saved since: the objects may have newer values.
            if ahead.number < lastRead { ahead = ReadAhead(number: nextReadNumber()) }
            // The context may have changed while other statements were read.
            let first = statements().filter { ahead.rows[$0] == nil }
            guard first.isEmpty else {
                for (statement, rows) in zip(first, try await rows(of: first).get()) { ahead.rows[statement] = rows }
                continue
            }
            // A hook can start a task that reads immediately.
            let outer = readAhead
            readAhead = ahead
            let result = Swift.Result { () throws(StoreError) in try read() }
            ahead = readAhead ?? ahead
            readAhead = outer
            guard let statement = ahead.missing else {
                lastRead = max(lastRead, ahead.number)
                return try result.get()
            }
            ahead.missing = nil
            ahead.rows[statement] = try await rows(of: [statement]).get().first
        }
    }

    nonisolated(nonsending) private func rows(
        of statements: [ReadStatement]
    ) async -> Swift.Result<[[[StoredValue]]], StoreError> {
        let store = store
        return await withCheckedContinuation { continuation in
            readingQueue.async {
                let rows = Swift.Result { () throws(StoreError) in
                    try store.read { (connection) throws(StoreError) in
                        var rows: [[[StoredValue]]] = []
                        for statement in statements {
                            rows.append(try connection.cached(reading: statement.sql).rows(statement.arguments))
                        }
                        return rows
                    }
                }
                continuation.resume(returning: rows)
            }
        }
    }

    /// Calls a closure with the rows of a statement.
    func read<Result>(
        _ sql: String, _ arguments: some Collection<StoredValue>, _ body: (StatementRows) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let outer = hook
        if outer == nil { hook = .reading }
        defer {
            readRenewedLists()
            leave(to: outer)
        }
        if let rows = try readAhead?.rows(of: ReadStatement(sql: sql, arguments: Array(arguments))) {
            return try body(.buffered(rows))
        }
        lastRead = nextReadNumber()
        return try store.read(ifOpenIn: self) { (connection) throws(StoreError) in
            let statement = try connection.cached(reading: sql)
            try statement.bind(arguments)
            defer { statement.reset() }
            return try body(.statement(statement))
        }
    }
}
