import Foundation
import SQLiteLoop

/// The C loop over a file.
final class SQLiteFile {
    private let handle: OpaquePointer

    init(path: String) throws {
        var opened: OpaquePointer?
        let code = upsert_file_open(path, &opened)
        guard let opened else { throw Disagreement(description: "no memory") }
        handle = opened
        try Self.check(code)
    }

    deinit { upsert_file_close(handle) }

    func run(_ sql: String) throws { try Self.check(upsert_file_run(handle, sql)) }

    func write(_ rows: PreparedRows, _ sql: String) throws {
        try Self.check(upsert_file_write(handle, sql, rows.handle))
    }

    /// A checksum over all values of all tables.
    func checksum() throws -> UInt64 {
        var checksum: UInt64 = 0
        for table in Table.all { try Self.check(upsert_file_checksum(handle, table.dump, &checksum)) }
        return checksum
    }

    /// A checksum over the rows of a query.
    func checksum(of sql: String) throws -> UInt64 {
        var checksum: UInt64 = 0
        try Self.check(upsert_file_checksum(handle, sql, &checksum))
        return checksum
    }

    fileprivate func read(_ text: Data, _ sql: String) throws -> OpaquePointer {
        var rows: OpaquePointer?
        let code = text.withUnsafeBytes { bytes in
            upsert_file_read(handle, sql, bytes.baseAddress, bytes.count, &rows)
        }
        guard let rows else { throw Disagreement(description: "no memory") }
        try Self.check(code)
        return rows
    }

    private static func check(_ code: Int32) throws {
        guard code == 0 else { throw Disagreement(description: "SQLite's result code \(code)") }
    }
}

/// The values of a payload as C arrays, parsed by the JSON functions of SQLite.
final class PreparedRows {
    fileprivate let handle: OpaquePointer
    var count: Int { upsert_rows_count(handle) }

    init(_ text: Data, _ table: Table) throws {
        handle = try SQLiteFile(path: ":memory:").read(text, table.query)
    }

    deinit { upsert_rows_free(handle) }
}

/// Peers that wrote different rows, or failed.
struct Disagreement: Error, CustomStringConvertible {
    let description: String
}
