import CMappingSQLite
package import ObjectMapping

/// A compiled statement.
///
/// Parameters are numbered from 1, columns from 0.
///
/// Safe: the statement is finalized together with the object and retains its connection; SQLite checks the indexes of
/// parameters and columns; texts and blobs are copied when they are bound or read, unless their memory is borrowed. The
/// slots of short texts, one for each parameter, are freed after the statement and not written while it runs.
@safe package final class SQLiteStatement {
    private let handle: OpaquePointer
    private let database: SQLiteDatabase
    /// Memory for a short text of each parameter: SQLite would allocate memory for each text.
    private var slots: UnsafeMutableRawPointer?
    private static let slotSize = 64
    /// The names of the columns, in order.
    package let columnNames: [String]
    /// What the statement was permitted to do when it was compiled; `nil` for a statement of this package.
    var rule: StatementRule?
    /// The tables whose rows a statement of a user changes.
    var changedTables: Set<String> = []
    /// The columns that it updates, by table.
    var updatedColumns: [String: Set<String>] = [:]

    init(_ sql: String, in database: SQLiteDatabase) throws(StoreError) {
        var compiled: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(database.handle, sql, -1, &compiled, nil)
        guard code == SQLITE_OK else { throw database.error(code: code, sql: sql) }
        guard let compiled = unsafe compiled else {
            throw StoreError(.misuse, "the SQL text contains no statement", sql: sql)
        }
        // SQLite stores the text up to the end of the first statement.
        let length = unsafe strlen(sqlite3_sql(compiled))
        let rest = sql.utf8.dropFirst(length)
        guard rest.allSatisfy(Self.isBlank) || Self.hasNoStatement(Substring(rest), database) else {
            unsafe sqlite3_finalize(compiled)
            throw StoreError(.misuse, "more than one statement", sql: sql)
        }
        unsafe handle = compiled
        self.database = database
        parameterCount = unsafe Int(sqlite3_bind_parameter_count(compiled))
        columnNames = unsafe (0..<sqlite3_column_count(compiled)).map { index in
            unsafe cText(sqlite3_column_name(compiled, index))
        }
    }

    deinit {
        unsafe sqlite3_finalize(handle)
        unsafe slots?.deallocate()
    }

    /// The text from which it was compiled.
    package var sql: String { unsafe cText(sqlite3_sql(handle)) }

    /// Whether it does not change the file.
    package var isReadOnly: Bool {
        unsafe sqlite3_stmt_readonly(handle) != 0 || sqlite3_stmt_isexplain(handle) != 0
    }

    /// The number of its parameters.
    package let parameterCount: Int

    // MARK: Binding

    /// Binds null.
    package func bindNull(at index: Int) throws(StoreError) {
        unsafe try check(sqlite3_bind_null(handle, Int32(index)))
    }

    /// Binds an integer.
    package func bind(_ value: Int64, at index: Int) throws(StoreError) {
        unsafe try check(sqlite3_bind_int64(handle, Int32(index), value))
    }

    /// Binds a real number.
    package func bind(_ value: Double, at index: Int) throws(StoreError) {
        unsafe try check(sqlite3_bind_double(handle, Int32(index), value))
    }

    /// Binds UTF-8 text without a copy; NULs in it are preserved.
    ///
    /// The bytes must stay valid until the parameter is bound again or the statement was run.
    package func bindText(lent bytes: ByteView, at index: Int) throws(StoreError) {
        try check(code(ofBinding: bytes, isText: true, isLent: true, at: index))
    }

    /// Binds bytes without a copy; they must stay valid like those of `bindText(lent:at:)`.
    package func bindBlob(lent bytes: ByteView, at index: Int) throws(StoreError) {
        try check(code(ofBinding: bytes, isText: false, isLent: true, at: index))
    }

    @inline(__always)
    private func code(ofBinding bytes: ByteView, isText: Bool, isLent: Bool, at index: Int) -> Int32 {
        unsafe bytes.withUnsafeBytes { bytes in
            // A null pointer would bind NULL, not the empty text; a `nil` destructor is SQLITE_STATIC.
            var start = unsafe bytes.isEmpty ? Self.somewhere : bytes.baseAddress
            var destructor = unsafe isLent ? nil : Self.transient
            guard isText else {
                return unsafe sqlite3_bind_blob64(handle, Int32(index), start, UInt64(bytes.count), destructor)
            }
            if !isLent, let source = unsafe start, let slot = unsafe slot(ofSize: bytes.count, at: index) {
                unsafe slot.copyMemory(from: source, byteCount: bytes.count)
                unsafe (start, destructor) = (UnsafeRawPointer(slot), nil)
            }
            let text = unsafe start?.assumingMemoryBound(to: CChar.self)
            return unsafe sqlite3_bind_text64(
                handle, Int32(index), text, UInt64(bytes.count), destructor, UInt8(SQLITE_UTF8))
        }
    }

    /// Returns memory for a short text of a parameter; `nil` for a longer one, and while the statement runs.
    private func slot(ofSize size: Int, at index: Int) -> UnsafeMutableRawPointer? {
        guard size <= Self.slotSize, index > 0, index <= parameterCount, unsafe sqlite3_stmt_busy(handle) == 0 else {
            return nil
        }
        let start = unsafe slots ?? .allocate(byteCount: parameterCount * Self.slotSize, alignment: 8)
        unsafe slots = start
        return unsafe start + (index - 1) * Self.slotSize
    }

    /// Binds a value; texts and blobs are copied.
    package func bind(_ value: StoredValue, at index: Int) throws(StoreError) {
        switch value {
        case .null: try bindNull(at: index)
        case .integer(let value): try bind(value, at: index)
        case .real(let value): try bind(value, at: index)
        case .text(let text):
            try check(text.withView { code(ofBinding: $0, isText: true, isLent: false, at: index) })
        case .blob(let bytes):
            try check(bytes.withView { code(ofBinding: $0, isText: false, isLent: false, at: index) })
        }
    }

    /// Binds all parameters.
    package func bind(_ values: some Collection<StoredValue>) throws(StoreError) {
        guard values.count == parameterCount else {
            throw StoreError(.misuse, "expected \(parameterCount) arguments, got \(values.count)", sql: sql)
        }
        for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
    }

    // MARK: Running

    /// Advances to the next row; returns false after the last one, when the statement can be run again.
    package func step() throws(StoreError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            reset()
            return false
        case let code:
            let error = database.error(code: code, sql: sql)
            reset()
            throw error
        }
    }

    /// Runs the statement and ignores its rows.
    package func run() throws(StoreError) {
        while try step() {}
    }

    /// Runs the statement with arguments and returns its rows.
    func rows(_ arguments: [StoredValue]) throws(StoreError) -> [[StoredValue]] {
        try bind(arguments)
        defer { reset() }
        return try remainingRows()
    }

    /// Returns the rows after the current one.
    func remainingRows() throws(StoreError) -> [[StoredValue]] {
        let columns = columnNames.indices
        var rows: [[StoredValue]] = []
        while try step() { rows.append(columns.map { value(at: $0) }) }
        return rows
    }

    /// Resets the statement before all its rows are read.
    package func reset() {
        unsafe sqlite3_reset(handle)
    }

    // MARK: Reading

    /// Returns a column of the current row, which must be read before the next step.
    @inline(__always) func column(at index: Int) -> SQLiteColumn {
        unsafe SQLiteColumn(value: sqlite3_column_value(handle, Int32(index)))
    }

    /// The value of a column of the current row.
    package func value(at index: Int) -> StoredValue { column(at: index).storedValue }

    /// The integer in a column of the current row; 0 for null.
    package func integer(at index: Int) -> Int64 { column(at: index).integer }

    private func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw database.error(code: code, sql: sql) }
    }

    /// Whether a text has only comments.
    private static func hasNoStatement(_ text: Substring, _ database: SQLiteDatabase) -> Bool {
        var compiled: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(database.handle, String(text), -1, &compiled, nil)
        unsafe sqlite3_finalize(compiled)
        return unsafe code == SQLITE_OK && compiled == nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == UInt8(ascii: ";") }

    /// SQLITE_TRANSIENT, a macro that Swift cannot import: the bytes are copied immediately.
    private static var transient: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// An address other than null, for values without bytes.
    private static let empty = StaticString("")
    private static var somewhere: UnsafeRawPointer { unsafe UnsafeRawPointer(empty.utf8Start) }
}
