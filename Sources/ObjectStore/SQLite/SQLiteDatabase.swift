import CMappingSQLite

/// A connection to a SQLite file.
///
/// This file and `SQLiteStatement.swift` are the only ones that call SQLite. A connection belongs to one thread at a
/// time: it is not `Sendable`.
/// Safe: the connection is closed once, and SQLite keeps a closed one until its statements are finalized; its handle is
/// not used elsewhere.
@safe package final class SQLiteDatabase {
    /// The mode in which a file is opened.
    package enum Mode {
        /// An existing file, for reading only.
        case readOnly
        /// An existing file, for reading only and without locks or files next to it: nobody may change it meanwhile.
        case immutable
        /// An existing file.
        case readWrite
        /// A file that is created if it does not exist.
        case create
    }

    let handle: OpaquePointer
    private let path: String
    private var isOpen = true

    private let shouldStop: StopCheck?
    private var traceReport: TraceReport?
    var currentAuthorizer: CurrentAuthorizer?

    /// Opens a file; waits up to `busyTimeout` milliseconds if it is locked by another connection.
    ///
    /// - Parameters:
    ///   - name: The path in errors. Defaults to `path`.
    ///   - isShared: Whether others may open the file at the same time; otherwise it is not locked.
    ///   - shouldStop: Called regularly while a statement runs; true ends it with an error of kind `interrupted`.
    package init(
        path: String, mode: Mode, named name: String? = nil, isShared: Bool = true, busyTimeout: Int32 = 5000,
        shouldStop: (@Sendable () -> Bool)? = nil
    ) throws(StoreError) {
        let flags =
            switch mode {
            case .readOnly: SQLITE_OPEN_READONLY
            case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        guard !path.utf8.contains(0) else {
            throw StoreError(.cannotOpen, "cannot open a database whose path contains NUL")
        }
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            mode == .immutable ? Self.immutableURI(of: path) : path, &opened, flags | SQLITE_OPEN_NOMUTEX,
            isShared ? nil : "unix-none")
        guard code == SQLITE_OK, let opened = unsafe opened else {
            let error = unsafe StoreError(code: code, message: Self.message(of: opened), path: name ?? path, sql: nil)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe handle = opened
        self.path = name ?? path
        self.shouldStop = shouldStop.map(StopCheck.init)
        unsafe sqlite3_extended_result_codes(opened, 1)
        unsafe sqlite3_busy_timeout(opened, busyTimeout)
        if let check = self.shouldStop {
            // The closure lives as long as this object; `close()` unregisters it.
            unsafe sqlite3_progress_handler(
                opened, 10_000,
                { context in
                    guard let context = unsafe context else { return 0 }
                    return unsafe Unmanaged<StopCheck>.fromOpaque(context).takeUnretainedValue().shouldStop() ? 1 : 0
                }, unsafe Unmanaged.passUnretained(check).toOpaque())
        }
    }

    deinit {
        close()
    }

    /// Closes the connection and releases the file after its statements are finalized; no statement may run afterwards.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        trace(nil)
        unsafe sqlite3_progress_handler(handle, 0, nil, nil)
        unsafe sqlite3_set_authorizer(handle, nil, nil)
        unsafe sqlite3_close_v2(handle)
    }

    private static func immutableURI(of path: String) -> String {
        // These characters have a meaning in URIs.
        "file:\(path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23"))?immutable=1"
    }

    /// Whether statements are reported.
    package var isTraced: Bool { traceReport != nil }

    /// Sets a closure that is called after each statement, with its text, its time in nanoseconds and the number of its
    /// rows.
    package func trace(_ note: ((String, Int64, Int) -> Void)?) {
        traceReport = note.map(TraceReport.init)
        guard let traceReport else {
            unsafe sqlite3_trace_v2(handle, 0, nil, nil)
            return
        }
        // The closure lives until another one replaces it, which unregisters it first.
        unsafe sqlite3_trace_v2(
            handle, UInt32(SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE),
            { event, context, statement, nanoseconds in
                guard let context = unsafe context, let statement = unsafe statement else { return 0 }
                let note = unsafe Unmanaged<TraceReport>.fromOpaque(context).takeUnretainedValue()
                guard event == UInt32(SQLITE_TRACE_PROFILE) else {
                    note.rows += 1
                    return 0
                }
                let sql = unsafe cText(sqlite3_sql(OpaquePointer(statement)))
                let time = unsafe nanoseconds?.load(as: Int64.self)
                note.report(sql, time ?? 0, note.rows)
                note.rows = 0
                return 0
            }, Unmanaged.passUnretained(traceReport).toOpaque())
    }

    /// A number that changes with the first statement after a commit of another connection; reading it runs no statement.
    var commitCounter: UInt32 {
        var counter: UInt32 = 0
        unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &counter)
        return counter
    }

    /// Runs statements without rows.
    package func execute(_ sql: String) throws(StoreError) {
        try check(sql)
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code: code, sql: sql) }
    }

    /// Compiles one statement, which its owner can reuse.
    package func prepare(_ sql: String) throws(StoreError) -> SQLiteStatement {
        try check(sql)
        return try SQLiteStatement(sql, in: self)
    }

    /// Returns the first column of the first row; `nil` without a row.
    package func value(_ sql: String, _ arguments: [StoredValue] = []) throws(StoreError) -> StoredValue? {
        let statement = try prepare(sql)
        try statement.bind(arguments)
        return try statement.step() ? statement.value(at: 0) : nil
    }

    /// Returns the first column of the first row as an integer; 0 without a row.
    package func integer(_ sql: String, _ arguments: [StoredValue] = []) throws(StoreError) -> Int64 {
        try value(sql, arguments)?.integer ?? 0
    }

    /// Runs one statement with arguments and ignores its rows.
    package func run(_ sql: String, _ arguments: [StoredValue] = []) throws(StoreError) {
        let statement = try prepare(sql)
        try statement.bind(arguments)
        try statement.run()
    }

    /// Replaces the content of another database with that of this one, in one transaction.
    ///
    /// The other database may be in use by others, like for any transaction.
    package func copy(to other: SQLiteDatabase) throws(StoreError) {
        guard isOpen, other.isOpen else { throw StoreError(.misuse, "the database was closed") }
        guard let backup = unsafe sqlite3_backup_init(other.handle, "main", handle, "main") else {
            throw other.error(code: unsafe sqlite3_errcode(other.handle), sql: nil)
        }
        let code = unsafe sqlite3_backup_step(backup, -1)
        // Returns the error of the step, too, and releases the locks.
        let result = unsafe sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, result == SQLITE_OK else {
            throw other.error(code: result == SQLITE_OK ? code : result, sql: nil)
        }
    }

    /// The number of rows changed by the last INSERT, UPDATE or DELETE.
    package var changes: Int { unsafe Int(sqlite3_changes(handle)) }

    /// The number of the last inserted row.
    package var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    private func check(_ sql: String) throws(StoreError) {
        guard isOpen else { throw StoreError(.misuse, "the database was closed") }
        guard !sql.utf8.contains(0) else { throw StoreError(.misuse, "a statement contains NUL") }
    }

    func error(code: Int32, sql: String?) -> StoreError {
        unsafe StoreError(code: code, message: Self.message(of: handle), path: path, sql: sql)
    }

    private static func message(of handle: OpaquePointer?) -> String {
        // SQLite reports "out of memory" for a connection that could not be created.
        unsafe String(cString: sqlite3_errmsg(handle))
    }
}

/// Returns a text of SQLite, which ends at NUL; an empty one for a null pointer.
func cText(_ pointer: UnsafePointer<CChar>?) -> String { unsafe pointer.map(String.init(cString:)) ?? "" }

/// A closure behind a pointer, for C.
private final class StopCheck {
    let shouldStop: @Sendable () -> Bool

    init(_ shouldStop: @escaping @Sendable () -> Bool) { self.shouldStop = shouldStop }
}

/// A closure behind a pointer, with the rows of the statement that is running.
private final class TraceReport {
    let report: (String, Int64, Int) -> Void
    var rows = 0

    init(_ report: @escaping (String, Int64, Int) -> Void) { self.report = report }
}

extension StoreError {
    /// Whether SQLite's message is that of FTS5 for an invalid expression.
    private static func isSearchMessage(_ message: String) -> Bool {
        ["fts5: ", "unterminated string", "unknown special query", "no such column: "].contains {
            message.hasPrefix($0)
        }
    }

    var isForeignKeyViolation: Bool { code == SQLITE_CONSTRAINT | 3 << 8 }

    /// Whether a statement could not be compiled, for example because a table or column is missing.
    var isOfInvalidStatement: Bool { code == SQLITE_ERROR }

    /// Returns the error for a result code of SQLite.
    init(code: Int32, message: String, path: String, sql: String?) {
        let kind: Kind
        let text: String
        var advice: String?
        switch code & 0xFF {
        case SQLITE_FULL:
            (kind, text) = (.full, "no space left to write '\(path)'")
            advice = "free some space there and in the folder for temporary files (SQLITE_TMPDIR)"
        case SQLITE_IOERR where code == SQLITE_IOERR | 27 << 8:
            // SQLITE_IOERR_VNODE: Apple's SQLite ends connections whose file is renamed, linked or deleted.
            (kind, text) = (.replaced, "the file '\(path)' was deleted, moved or replaced while it was open")
            advice = "close the store, restore the file, and open it again"
        case SQLITE_IOERR where code == SQLITE_IOERR | 2 << 8:
            // SQLITE_IOERR_SHORT_READ: SQLite extends a short database with zeros, but not its log.
            (kind, text) = (.replaced, "the file '\(path)-wal' was deleted, replaced or truncated while it was open")
            advice = "close the store, restore the file, and open it again"
        case SQLITE_IOERR:
            (kind, text) = (.inputOutput, "cannot read or write '\(path)': \(message)")
            advice = "check the disk, its quota and the limit of file sizes"
        case SQLITE_CANTOPEN:
            (kind, text) = (.cannotOpen, "cannot open '\(path)'")
            advice = "check that the folder exists and is writable"
        case SQLITE_READONLY, SQLITE_PERM:
            (kind, text) = (.readOnly, "cannot write '\(path)': \(message)")
            advice = "check the permissions of the file and its folder"
        case SQLITE_BUSY, SQLITE_LOCKED:
            (kind, text) = (.busy, "'\(path)' is locked by another process")
            advice = "close the programs that use it and try again"
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            (kind, text) = (.corrupt, "'\(path)' is not a valid SQLite database: \(message)")
            advice = "build or copy it again"
        case SQLITE_INTERRUPT:
            (kind, text) = (.interrupted, "the operation on '\(path)' was interrupted")
        case SQLITE_CONSTRAINT:
            (kind, text) = (.constraint, message)
        case SQLITE_ERROR where sql?.contains(" MATCH ") == true && Self.isSearchMessage(message):
            (kind, text) = (.invalidSearch, "invalid syntax of a search: \(message)")
            advice = "correct the expression, or use search(_:), which accepts any text"
        default:
            (kind, text) = (.misuse, message)
        }
        self.init(kind, text, advice: advice, code: code, sql: sql)
    }
}
