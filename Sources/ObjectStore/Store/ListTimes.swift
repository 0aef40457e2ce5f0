import Dispatch

/// When lists were loaded, and where their next pages are: rows of the table `_mappingkit_lists`.
enum ListTimes {
    static let name = "_mappingkit_lists"
    static let table = "\"\(name)\""
    /// The number of lists that are kept: those that were loaded last.
    static let limit = 1000

    /// Whether the table has the positions of next pages.
    static func hasNext(_ connection: StoreConnection) throws(StoreError) -> Bool {
        let sql = "SELECT count(*) FROM pragma_table_info('\(name)') WHERE name = 'next'"
        return try connection.integer(sql) == 1
    }
}

/// When a list was loaded, and where its next page is.
package struct ListLoad: Sendable {
    /// Milliseconds since 1970.
    package let time: Int64
    /// The position of the next page as text; `nil` if it is unknown, and for a list without pages.
    package let next: String?

    package init(time: Int64, next: String?) { (self.time, self.next) = (time, next) }
}

extension ManagedObjectStore {
    /// Returns the last load of a list; `nil` if it was not loaded.
    ///
    /// SQL runs on another thread.
    package func load(ofList list: String) async throws(StoreError) -> ListLoad? {
        try await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Result { () throws(StoreError) in try self.readLoad(of: list) })
            }
        }.get()
    }

    private func readLoad(of list: String) throws(StoreError) -> ListLoad? {
        try read { (connection) throws(StoreError) in
            guard try connection.hasTable(ListTimes.name) else { return nil }
            let next = try ListTimes.hasNext(connection) ? #""next""# : "NULL"
            let statement = try connection.cached(#"SELECT "time", \#(next) FROM \#(ListTimes.table) WHERE "list" = ?"#)
            guard let row = try statement.rows([.text(list)]).first, let time = row[0].integer else { return nil }
            return ListLoad(time: time, next: row[1].text)
        }
    }

    /// Records when a list was loaded.
    ///
    /// - Parameter load: The load; `nil` to forget it.
    package func setLoad(_ load: ListLoad?, ofList list: String) async throws(StoreError) {
        try await writing { (connection) throws(StoreError) in
            try connection.transaction(isShort: true) { () throws(StoreError) in
                try connection.run(
                    #"CREATE TABLE IF NOT EXISTS \#(ListTimes.table)("list" TEXT PRIMARY KEY, "time" INTEGER, "#
                        + #""next" TEXT) WITHOUT ROWID"#)
                guard let load else {
                    try connection.run(#"DELETE FROM \#(ListTimes.table) WHERE "list" = ?"#, [.text(list)])
                    return
                }
                // A file of an earlier version.
                if try !ListTimes.hasNext(connection) {
                    try connection.run(#"ALTER TABLE \#(ListTimes.table) ADD COLUMN "next" TEXT"#)
                }
                try connection.run(
                    #"INSERT OR REPLACE INTO \#(ListTimes.table)("list", "time", "next") VALUES(?, ?, ?)"#,
                    [.text(list), .integer(load.time), load.next.map(StoredValue.text) ?? .null])
                try connection.run(
                    #"DELETE FROM \#(ListTimes.table) WHERE "list" IN (SELECT "list" FROM \#(ListTimes.table) "#
                        + #"ORDER BY "time" DESC LIMIT -1 OFFSET \#(ListTimes.limit))"#)
            }
        }.get()
    }
}
