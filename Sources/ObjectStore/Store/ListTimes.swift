import Dispatch

/// When lists were loaded: rows of the table `_mappingkit_lists`.
enum ListTimes {
    static let name = "_mappingkit_lists"
    static let table = "\"\(name)\""
    /// The number of lists that are kept: those that were loaded last.
    static let limit = 1000
}

extension ManagedObjectStore {
    /// Returns when a list was loaded, in milliseconds since 1970; `nil` if it was not.
    ///
    /// SQL runs on another thread.
    package func loadTime(ofList list: String) async throws(StoreError) -> Int64? {
        try await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Result { () throws(StoreError) in try self.readLoadTime(of: list) })
            }
        }.get()
    }

    private func readLoadTime(of list: String) throws(StoreError) -> Int64? {
        try read { (connection) throws(StoreError) in
            guard try connection.hasTable(ListTimes.name) else { return nil }
            let statement = try connection.cached(#"SELECT "time" FROM \#(ListTimes.table) WHERE "list" = ?"#)
            return try statement.rows([.text(list)]).first?[0].integer
        }
    }

    /// Records when a list was loaded.
    ///
    /// - Parameter time: Milliseconds since 1970; `nil` to forget it.
    package func setLoadTime(_ time: Int64?, ofList list: String) async throws(StoreError) {
        try await writing { (connection) throws(StoreError) in
            try connection.transaction(isShort: true) { () throws(StoreError) in
                try connection.run(
                    #"CREATE TABLE IF NOT EXISTS \#(ListTimes.table)("list" TEXT PRIMARY KEY, "time" INTEGER) "#
                        + "WITHOUT ROWID")
                guard let time else {
                    try connection.run(#"DELETE FROM \#(ListTimes.table) WHERE "list" = ?"#, [.text(list)])
                    return
                }
                try connection.run(
                    #"INSERT OR REPLACE INTO \#(ListTimes.table) VALUES(?, ?)"#, [.text(list), .integer(time)])
                try connection.run(
                    #"DELETE FROM \#(ListTimes.table) WHERE "list" IN (SELECT "list" FROM \#(ListTimes.table) "#
                        + #"ORDER BY "time" DESC LIMIT -1 OFFSET \#(ListTimes.limit))"#)
            }
        }.get()
    }
}
