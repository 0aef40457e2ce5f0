import CSQLite

/// A compiled statement.
///
/// Values are bound to its parameters from 1, read from its columns from 0.
package final class SQLiteStatement {
    private let handle: OpaquePointer
    private let database: SQLiteDatabase
    /// Names of the columns, in order.
    package let columnNames: [String]

    init(_ sql: String, in database: SQLiteDatabase) throws(StoreError) {
        var compiled: OpaquePointer?
        var length = 0
        let code = sql.withCString { text in
            var rest: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v2(database.handle, text, -1, &compiled, &rest)
            length = rest.map { $0 - text } ?? 0
            return code
        }
        guard code == SQLITE_OK else { throw database.error(code: code, sql: sql) }
        guard let compiled else { throw StoreError(.misuse, "there is no statement", sql: sql) }
        guard sql.utf8.dropFirst(length).allSatisfy(Self.isBlank) else {
            sqlite3_finalize(compiled)
            throw StoreError(.misuse, "more than one statement", sql: sql)
        }
        handle = compiled
        self.database = database
        columnNames = (0..<sqlite3_column_count(compiled)).map { index in
            sqlite3_column_name(compiled, index).map { String(cString: $0) } ?? ""
        }
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// The text it was compiled from.
    package var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

    /// Number of its parameters.
    package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    // MARK: Binding

    /// Binds null.
    package func bindNull(at index: Int) throws(StoreError) {
        try check(sqlite3_bind_null(handle, Int32(index)))
    }

    /// Binds an integer.
    package func bind(_ value: Int64, at index: Int) throws(StoreError) {
        try check(sqlite3_bind_int64(handle, Int32(index), value))
    }

    /// Binds a real number.
    package func bind(_ value: Double, at index: Int) throws(StoreError) {
        try check(sqlite3_bind_double(handle, Int32(index), value))
    }

    /// Binds UTF-8 text where it lies, without a copy; NULs in it are kept.
    ///
    /// The bytes must stay where they are until the parameter is bound anew or the statement was run.
    package func bindText(lent bytes: UnsafeRawBufferPointer, at index: Int) throws(StoreError) {
        // A null pointer would bind NULL, not the empty text; a nil destructor is SQLITE_STATIC.
        let start = bytes.baseAddress ?? Self.somewhere
        try check(
            sqlite3_bind_text64(
                handle, Int32(index), start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil,
                UInt8(SQLITE_UTF8)))
    }

    /// Binds bytes where they lie, without a copy; they must stay there as those of `bindText(lent:at:)`.
    package func bindBlob(lent bytes: UnsafeRawBufferPointer, at index: Int) throws(StoreError) {
        try check(
            sqlite3_bind_blob64(handle, Int32(index), bytes.baseAddress ?? Self.somewhere, UInt64(bytes.count), nil))
    }

    /// Binds a value; texts and blobs are copied.
    package func bind(_ value: StoredValue, at index: Int) throws(StoreError) {
        switch value {
        case .null: try bindNull(at: index)
        case .integer(let value): try bind(value, at: index)
        case .real(let value): try bind(value, at: index)
        case .text(var text):
            try check(
                text.withUTF8 { bytes in
                    let start = UnsafeRawPointer(bytes.baseAddress) ?? Self.somewhere
                    return sqlite3_bind_text64(
                        handle, Int32(index), start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
                        Self.transient, UInt8(SQLITE_UTF8))
                })
        case .blob(let bytes):
            try check(
                bytes.withUnsafeBytes { bytes in
                    sqlite3_bind_blob64(
                        handle, Int32(index), bytes.baseAddress ?? Self.somewhere, UInt64(bytes.count), Self.transient)
                })
        }
    }

    /// Binds all parameters.
    package func bind(_ values: [StoredValue]) throws(StoreError) {
        guard values.count == parameterCount else {
            throw StoreError(.misuse, "\(parameterCount) arguments are wanted, \(values.count) given", sql: sql)
        }
        for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
    }

    // MARK: Running

    /// Goes to the next row; false when there is none any more, and the statement may then be run again.
    package func step() throws(StoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(handle)
            return false
        case let code:
            let error = database.error(code: code, sql: sql)
            sqlite3_reset(handle)
            throw error
        }
    }

    /// Runs the statement and drops its rows.
    package func run() throws(StoreError) {
        while try step() {}
    }

    /// Makes the statement ready to be run again, before its rows are read to the end.
    package func reset() {
        sqlite3_reset(handle)
    }

    // MARK: Reading

    /// The value of a column of the current row.
    package func value(at index: Int) -> StoredValue {
        let column = Int32(index)
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(handle, column)
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
            return .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(handle, column)
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
            return .blob(Array(bytes))
        default: return .null
        }
    }

    /// The integer in a column of the current row; 0 for null.
    package func integer(at index: Int) -> Int64 { sqlite3_column_int64(handle, Int32(index)) }

    private func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw database.error(code: code, sql: sql) }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == UInt8(ascii: ";") }

    /// SQLITE_TRANSIENT, a macro that Swift cannot import: the bytes are copied at once.
    private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// An address that is not null, for values without bytes.
    private static let empty = StaticString("")
    private static var somewhere: UnsafeRawPointer { UnsafeRawPointer(empty.utf8Start) }
}
