import CSQLite

/// A connection to a SQLite file.
///
/// This file and `SQLiteStatement.swift` are the only ones that call SQLite. A connection belongs to one thread at a
/// time: it is not `Sendable`.
///
/// Safe: the connection is closed once, and SQLite keeps a closed one until its statements are finalized; nothing else
/// keeps its handle.
@safe package final class SQLiteDatabase {
    /// How a file is opened.
    package enum Mode {
        /// An existing file, never written.
        case readOnly
        /// An existing file.
        case readWrite
        /// A file that is made if there is none.
        case create
    }

    let handle: OpaquePointer
    private let path: String
    private var isOpen = true

    private let shouldStop: StopQuestion?
    private var traceNote: TraceNote?

    /// Opens a file; waits up to `busyTimeout` milliseconds whenever another connection holds it.
    ///
    /// - Parameters:
    ///   - isShared: whether others may open the file at the same time; if not, it is never locked.
    ///   - shouldStop: asked now and then while a statement runs; true ends it with an error of kind `interrupted`.
    package init(
        path: String, mode: Mode, isShared: Bool = true, busyTimeout: Int32 = 5000,
        shouldStop: (@Sendable () -> Bool)? = nil
    ) throws(StoreError) {
        let flags =
            switch mode {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        guard !path.utf8.contains(0) else {
            throw StoreError(.cannotOpen, "cannot open a database whose path holds a NUL")
        }
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            path, &opened, flags | SQLITE_OPEN_NOMUTEX, isShared ? nil : "unix-none")
        guard code == SQLITE_OK, let opened = unsafe opened else {
            let error = unsafe StoreError(code: code, message: Self.message(of: opened), path: path, sql: nil)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe handle = unsafe opened
        self.path = path
        self.shouldStop = shouldStop.map(StopQuestion.init)
        unsafe sqlite3_extended_result_codes(opened, 1)
        unsafe sqlite3_busy_timeout(opened, busyTimeout)
        if let question = self.shouldStop {
            // The question lives as long as this object; `close()` withdraws it.
            unsafe sqlite3_progress_handler(
                opened, 10_000,
                { context in
                    guard let context = unsafe context else { return 0 }
                    return unsafe Unmanaged<StopQuestion>.fromOpaque(context).takeUnretainedValue().ask() ? 1 : 0
                }, unsafe Unmanaged.passUnretained(question).toOpaque())
        }
    }

    deinit {
        close()
    }

    /// Ends the connection and lets go of the file, once its statements are gone too; nothing may be run afterwards.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        trace(nil)
        unsafe sqlite3_progress_handler(handle, 0, nil, nil)
        unsafe sqlite3_close_v2(handle)
    }

    /// Whether statements are reported.
    package var isTraced: Bool { traceNote != nil }

    /// Has a closure called after each statement, with its text, its time in nanoseconds and the number of its rows.
    package func trace(_ note: ((String, Int64, Int) -> Void)?) {
        traceNote = note.map(TraceNote.init)
        guard let traceNote else {
            unsafe sqlite3_trace_v2(handle, 0, nil, nil)
            return
        }
        // The note lives until another one takes its place, which withdraws it first.
        unsafe sqlite3_trace_v2(
            handle, UInt32(SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE),
            { event, context, statement, nanoseconds in
                guard let context = unsafe context, let statement = unsafe statement else { return 0 }
                let note = unsafe Unmanaged<TraceNote>.fromOpaque(context).takeUnretainedValue()
                guard event == UInt32(SQLITE_TRACE_PROFILE) else {
                    note.rows += 1
                    return 0
                }
                let sql = unsafe sqlite3_sql(OpaquePointer(statement)).map { unsafe String(cString: $0) }
                let time = unsafe nanoseconds?.load(as: Int64.self)
                note.report(sql ?? "", time ?? 0, note.rows)
                note.rows = 0
                return 0
            }, Unmanaged.passUnretained(traceNote).toOpaque())
    }

    /// Runs statements that give no rows.
    package func execute(_ sql: String) throws(StoreError) {
        try check(sql)
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code: code, sql: sql) }
    }

    /// Compiles one statement; its owner keeps it for as long as it is used again.
    package func prepare(_ sql: String) throws(StoreError) -> SQLiteStatement {
        try check(sql)
        return try SQLiteStatement(sql, in: self)
    }

    /// The first column of the first row; nil if there is no row.
    package func value(_ sql: String, _ arguments: [StoredValue] = []) throws(StoreError) -> StoredValue? {
        let statement = try prepare(sql)
        try statement.bind(arguments)
        return try statement.step() ? statement.value(at: 0) : nil
    }

    /// The first column of the first row as an integer; 0 if there is none.
    package func integer(_ sql: String, _ arguments: [StoredValue] = []) throws(StoreError) -> Int64 {
        try value(sql, arguments)?.integer ?? 0
    }

    /// Runs one statement with arguments and drops its rows.
    package func run(_ sql: String, _ arguments: [StoredValue] = []) throws(StoreError) {
        let statement = try prepare(sql)
        try statement.bind(arguments)
        try statement.run()
    }

    /// Rows that the last INSERT, UPDATE or DELETE touched.
    package var changes: Int { unsafe Int(sqlite3_changes(handle)) }

    /// The number of the row that was inserted last.
    package var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    private func check(_ sql: String) throws(StoreError) {
        guard isOpen else { throw StoreError(.misuse, "the database was closed") }
        guard !sql.utf8.contains(0) else { throw StoreError(.misuse, "a statement holds a NUL") }
    }

    func error(code: Int32, sql: String?) -> StoreError {
        unsafe StoreError(code: code, message: Self.message(of: handle), path: path, sql: sql)
    }

    private static func message(of handle: OpaquePointer?) -> String {
        // SQLite answers "out of memory" for a connection that could not even be made.
        unsafe String(cString: sqlite3_errmsg(handle))
    }
}

/// A closure behind a pointer, as C wants it.
private final class StopQuestion {
    let ask: @Sendable () -> Bool

    init(_ ask: @escaping @Sendable () -> Bool) { self.ask = ask }
}

/// A closure behind a pointer, with the rows of the statement that is running.
private final class TraceNote {
    let report: (String, Int64, Int) -> Void
    var rows = 0

    init(_ report: @escaping (String, Int64, Int) -> Void) { self.report = report }
}

extension StoreError {
    /// The error for a result code of SQLite.
    init(code: Int32, message: String, path: String, sql: String?) {
        let kind: Kind
        let text: String
        var advice: String?
        switch code & 0xFF {
        case SQLITE_FULL:
            (kind, text) = (.full, "no space left to write '\(path)'")
            advice = "free some space there and in the folder for temporary files (SQLITE_TMPDIR)"
        case SQLITE_IOERR:
            (kind, text) = (.inputOutput, "cannot read or write '\(path)': \(message)")
            advice = "check the disk, its quota and the limit of file sizes"
        case SQLITE_CANTOPEN:
            (kind, text) = (.cannotOpen, "cannot open '\(path)'")
            advice = "check that the folder exists and may be written"
        case SQLITE_READONLY, SQLITE_PERM:
            (kind, text) = (.readOnly, "cannot write '\(path)': \(message)")
            advice = "check the permissions of the file and its folder"
        case SQLITE_BUSY, SQLITE_LOCKED:
            (kind, text) = (.busy, "'\(path)' is held by another process")
            advice = "close the programs that use it and try again"
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            (kind, text) = (.corrupt, "'\(path)' is not a sound SQLite database: \(message)")
            advice = "build or copy it anew"
        case SQLITE_INTERRUPT:
            (kind, text) = (.interrupted, "the work on '\(path)' was stopped")
        case SQLITE_CONSTRAINT:
            (kind, text) = (.constraint, message)
        default:
            (kind, text) = (.misuse, message)
        }
        self.init(kind, text, advice: advice, code: code, sql: sql)
    }
}
