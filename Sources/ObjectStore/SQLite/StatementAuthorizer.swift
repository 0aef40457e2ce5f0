import CMappingSQLite

/// What a statement that a user writes may do.
package enum StatementRule: Sendable {
    /// It only reads.
    case reads
    /// It inserts, updates or deletes rows, except those of the tables of this package.
    case changesRows
}

/// Decides about the parts of a statement while SQLite compiles it: its text, with comments and quoted names, could
/// deceive a comparison.
///
/// Safe: SQLite passes NUL-terminated texts that last for the call.
@safe final class StatementAuthorizer {
    private let rule: StatementRule
    /// What the statement does and may not do.
    private(set) var refused: String?
    /// Whether it is a pragma that reads, which SQLite does not always count as a statement that reads.
    private var isReadingPragma = false
    /// Whether the statement updates the schema, or opens a table of FTS5.
    private var mayChangeSchema = false
    private static let schemaTables: Set = ["sqlite_master", "sqlite_schema"]
    /// The tables whose rows the statement changes.
    private(set) var changedTables: Set<String> = []
    /// The columns that the statement updates, by table.
    private(set) var updatedColumns: [String: Set<String>] = [:]

    init(_ rule: StatementRule) { self.rule = rule }

    /// The prefix of triggers that keep the values of seeded rows.
    static let triggerPrefix = "_mappingkit_base_"
    /// The prefix of triggers that keep search indexes up to date.
    static let searchTriggerPrefix = "_mappingkit_search_"

    /// Pragmas that read, and those of them with an argument that selects what is read.
    private static let pragmas: Set<String> = [
        "application_id", "auto_vacuum", "cache_size", "collation_list", "compile_options", "data_version",
        "database_list", "encoding", "foreign_keys", "freelist_count", "function_list", "journal_mode", "module_list",
        "page_count", "page_size", "pragma_list", "query_only", "schema_version", "synchronous", "user_version",
    ]
    private static let pragmasWithArgument: Set<String> = [
        "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
        "quick_check", "table_info", "table_list", "table_xinfo",
    ]

    /// Returns whether SQLite may compile an action of the statement.
    ///
    /// - Parameter trigger: The trigger that the statement fires, and whose action it is; `nil` for the statement itself.
    func allows(
        _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
        trigger: UnsafePointer<CChar>?
    ) -> Bool {
        // Statements cannot create triggers with these prefixes, which write into tables of this package.
        if let trigger = unsafe trigger {
            let name = unsafe cText(trigger)
            if name.hasPrefix(Self.triggerPrefix) || name.hasPrefix(Self.searchTriggerPrefix) { return true }
        }
        let (name, column) = unsafe (cText(first), cText(second))
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE: return true
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            // A statement that writes is refused as a whole if it may only read.
            guard rule == .changesRows else { return true }
            if name.lowercased().hasPrefix("sqlite_") {
                // SQLite refuses it in statements, but not when a trigger opens a table of FTS5.
                if action == SQLITE_UPDATE, Self.schemaTables.contains(name.lowercased()) {
                    mayChangeSchema = true
                    return true
                }
                return refuse("a change of the schema")
            }
            if name.lowercased().hasPrefix("_mappingkit") {
                return refuse("a change of '\(name)', a table of MappingKit")
            }
            changedTables.insert(name)
            if action == SQLITE_UPDATE { updatedColumns[name, default: []].insert(column) }
            return true
        case SQLITE_PRAGMA:
            let name = name.lowercased()
            let hasArgument = unsafe second != nil
            // Read when a trigger opens a table of FTS5.
            if rule == .changesRows, name == "data_version", !hasArgument { return true }
            let reads = Self.pragmasWithArgument.contains(name) || Self.pragmas.contains(name) && !hasArgument
            isReadingPragma = rule == .reads && reads
            return isReadingPragma || refuse("PRAGMA \(name)")
        case SQLITE_TRANSACTION: return refuse(name)
        case SQLITE_SAVEPOINT: return refuse("SAVEPOINT, RELEASE or ROLLBACK TO")
        case SQLITE_ATTACH: return refuse("ATTACH")
        case SQLITE_DETACH: return refuse("DETACH")
        case SQLITE_REINDEX: return refuse("REINDEX")
        default: return refuse("a change of the schema")
        }
    }

    private func refuse(_ name: String) -> Bool {
        if refused == nil { refused = name }
        return false
    }

    /// Returns the error for a statement that SQLite did not compile.
    func error(_ error: StoreError, for sql: String) -> StoreError {
        if error.code & 0xFF != SQLITE_AUTH {
            guard mayChangeSchema, error.message.hasSuffix("may not be modified") else { return error }
            _ = refuse("a change of the schema")
        }
        return refusal(of: sql, isReadOnly: nil) ?? error
    }

    /// Returns why a compiled statement may not run; `nil` if it may.
    func refusal(of sql: String, isReadOnly: Bool?) -> StoreError? {
        switch rule {
        case .reads:
            guard refused != nil || isReadOnly != true && !isReadingPragma else { return nil }
            return StoreError(
                .misuse, "expected a statement that reads, found \(refused ?? "a statement that writes")",
                advice: refused == nil ? "use write(sql:arguments:) of a store" : nil, sql: sql)
        case .changesRows:
            guard refused != nil || isReadOnly != false || changedTables.isEmpty else { return nil }
            let isRead = refused == nil && isReadOnly == true
            return StoreError(
                .misuse,
                "expected a statement that changes rows, found \(refused ?? (isRead ? "a statement that reads" : "VACUUM"))",
                advice: isRead
                    ? "use rows(sql:arguments:)"
                    : "use INSERT, UPDATE, DELETE or REPLACE; each call is one transaction",
                sql: sql)
        }
    }
}

/// The authorizer of the statement that a connection is compiling; `nil` for statements of this package.
final class CurrentAuthorizer {
    var value: StatementAuthorizer?
}

extension SQLiteDatabase {
    /// Compiles one statement of a user, which must do what a rule permits.
    package func prepare(_ sql: String, as rule: StatementRule) throws(StoreError) -> SQLiteStatement {
        let authorizer = StatementAuthorizer(rule)
        let current = currentAuthorizer ?? registerAuthorizer()
        current.value = authorizer
        defer { current.value = nil }
        let statement: SQLiteStatement
        do throws(StoreError) {
            statement = try prepare(sql)
        } catch {
            throw authorizer.error(error, for: sql)
        }
        if let refusal = authorizer.refusal(of: sql, isReadOnly: statement.isReadOnly) { throw refusal }
        (statement.rule, statement.changedTables) = (rule, authorizer.changedTables)
        statement.updatedColumns = authorizer.updatedColumns
        return statement
    }

    /// Registers the authorizer once, because SQLite compiles all statements again afterwards.
    private func registerAuthorizer() -> CurrentAuthorizer {
        let current = CurrentAuthorizer()
        currentAuthorizer = current
        // It lives as long as this object; `close()` unregisters it.
        unsafe sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, trigger in
                guard let context = unsafe context else { return SQLITE_OK }
                let current = unsafe Unmanaged<CurrentAuthorizer>.fromOpaque(context).takeUnretainedValue()
                return unsafe current.value?.allows(action, first, second, trigger: trigger) ?? true
                    ? SQLITE_OK : SQLITE_DENY
            }, Unmanaged.passUnretained(current).toOpaque())
        return current
    }
}
