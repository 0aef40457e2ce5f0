import CMappingSQLite

/// A column of the current row of a statement.
///
/// Safe: it is used before the statement's next step only, by the thread that uses the connection. A connection without
/// mutexes does not distinguish protected values, so that the functions for values may be called.
@safe struct SQLiteColumn {
    /// The type of a value in a file.
    enum Kind { case null, integer, real, text, blob }

    let value: OpaquePointer?

    @inline(__always) var kind: Kind {
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// The integer; 0 for null.
    @inline(__always) var integer: Int64 { unsafe sqlite3_value_int64(value) }

    @inline(__always) var real: Double { unsafe sqlite3_value_double(value) }

    var text: String {
        // The address first: requesting it can change the number of bytes.
        unsafe String(
            decoding: UnsafeBufferPointer(start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value))),
            as: UTF8.self)
    }

    /// The bytes, which are valid until the next step.
    var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
    }

    var blob: [UInt8] { unsafe Array(bytes) }

    var storedValue: StoredValue {
        switch kind {
        case .null: .null
        case .integer: .integer(integer)
        case .real: .real(real)
        case .text: .text(text)
        case .blob: .blob(blob)
        }
    }
}
