import ObjectMapping
import Synchronization

/// The changes of saves through a remote, in the table `_mappingkit_saves` of the file.
///
/// They are written before the first change is sent, and removed when their outcomes are known. What a program leaves
/// when it ends before is offered as ``ManagedObjectStore/interruptedSaves``.
struct SaveJournal: Sendable {
    /// Where a change is.
    enum Progress: String, Sendable {
        case waiting, sent, saved
    }

    /// A change, as in the file.
    struct Entry: Sendable {
        /// The same for each attempt.
        let key: String
        /// An update of a new object follows its insertion, whose outcome is unknown.
        var operation: ChangeOperation
        let entity: String
        /// The row, negative for a new object.
        var row: Int64
        var progress = Progress.waiting
        var values: [String: StoredValue] = [:]
        /// The rows of to-one relationships; 0 for none.
        var targets: [String: Int64] = [:]
        /// The rows of lists, with those of new objects.
        var lists: [String: Rows] = [:]

        /// The rows of a list, and those when it was read.
        struct Rows: Sendable, Equatable {
            let rows: [Int64]
            let old: [Int64]
        }
    }

    /// An object of the file.
    struct Row: Hashable {
        let entity: String
        let row: Int64
    }

    private let store: ManagedObjectStore
    /// Identifies the save.
    ///
    /// The identifiers of later saves are greater, so that they are restored in order.
    let save: String
    static let name = "_mappingkit_saves"
    static let table = "\"\(name)\""
    /// The saves of this process that have not ended, or whose changes a context has.
    static let running = Mutex<Set<String>>([])

    init(_ store: ManagedObjectStore) {
        self.store = store
        let time = String(UInt64(max(0, Date().timeIntervalSince1970) * 1_000_000))
        save = String(repeating: "0", count: max(0, 20 - time.count)) + time + "-" + UUID().uuidString
    }

    // MARK: A save

    /// Writes the changes before the first one is sent.
    ///
    /// - Parameters:
    ///   - entries: The changes of the context, with those that the remote may have.
    ///   - earlier: Saves whose changes this one continues.
    ///   - abandoned: The keys of changes that the remote may have, and that the context gave up: they remain in their saves.
    /// - Returns: The keys of changes that no context has, by their rows.
    func begin(
        _ entries: [Entry], replacing earlier: [String], leaving abandoned: Set<String>
    ) async throws(StoreError) -> [Row: [String]] {
        _ = Self.running.withLock { $0.insert(save) }
        let left = try await write { [save] (connection) throws(StoreError) in
            try connection.run(
                "CREATE TABLE IF NOT EXISTS \(Self.table)(\"key\" TEXT PRIMARY KEY, \"save\" TEXT, \"process\" INTEGER, "
                    + "\"operation\" TEXT, \"entity\" TEXT, \"row\" INTEGER, \"progress\" TEXT, \"values\" TEXT, "
                    + "\"targets\" TEXT, \"saved\" INTEGER) WITHOUT ROWID")
            for save in earlier { try Self.remove(save, except: abandoned, connection) }
            let left = try Self.keys(before: save, with: earlier, connection)
            for entry in entries { try Self.insert(entry, save, connection) }
            return left
        }
        Self.release(earlier)
        return left
    }

    /// Returns the keys of changes of saved objects that earlier saves have left, and that no context has.
    ///
    /// - Parameter own: Saves of the context.
    private static func keys(
        before save: String, with own: [String], _ connection: StoreConnection
    ) throws(StoreError) -> [Row: [String]] {
        let running = running.withLock { $0 }.subtracting(own)
        var keys: [Row: [String]] = [:]
        let sql =
            "SELECT \"save\", \"process\", \"key\", \"entity\", \"row\" FROM \(table) "
            + "WHERE \"save\" < ? AND \"row\" > 0 AND \"progress\" <> 'saved'"
        for values in try connection.database.prepare(sql).rows([.text(save)]) {
            guard let save = values[0].text, !running.contains(save), !isOfOther(values[1]), let key = values[2].text,
                let entity = values[3].text, let row = values[4].integer
            else { continue }
            keys[Row(entity: entity, row: row), default: []].append(key)
        }
        return keys
    }

    /// Removes properties of a change, which a later one of the object has replaced.
    static func remove(_ names: Set<String>, from key: String, _ connection: StoreConnection) throws(StoreError) {
        let sql = "SELECT \"values\", \"targets\" FROM \(table) WHERE \"key\" = ?"
        guard let values = try connection.database.prepare(sql).rows([.text(key)]).first else { return }
        let rest = values.map { value in
            (value.text.flatMap { try? JSON($0) }?.object ?? [:]).filter { !names.contains($0.key) }
                .map { (key: $0.key, value: $0.value) }
        }
        if rest.allSatisfy(\.isEmpty) { return try remove(key: key, connection) }
        try connection.run(
            "UPDATE \(table) SET \"values\" = ?, \"targets\" = ? WHERE \"key\" = ?",
            rest.map { .text(JSON.object(JSONObject($0)).text) } + [.text(key)])
    }

    /// Records that a change is about to be sent, with its current values.
    ///
    /// - Parameter replaced: The keys of changes of the object that the remote may have: they lose the properties of this one.
    func willSend(_ entry: Entry, replacing replaced: [String]) async throws(StoreError) {
        let names = entry.operation == .delete ? nil : entry.names
        try await write { [save] (connection) throws(StoreError) in
            for key in replaced {
                if let names {
                    try Self.remove(names, from: key, connection)
                } else {
                    try Self.remove(key: key, connection)
                }
            }
            try Self.insert(entry, save, connection)
        }
    }

    /// Records that a change was saved; in the transaction that writes it.
    static func didSave(_ key: String, row: Int64, _ connection: StoreConnection) throws(StoreError) {
        try connection.run(
            "UPDATE \(table) SET \"progress\" = 'saved', \"saved\" = ? WHERE \"key\" = ?", [.integer(row), .text(key)])
    }

    /// Keeps the changes for the next program, because some have no outcome.
    ///
    /// - Parameters:
    ///   - unknown: The changes that the remote may have.
    ///   - refused: The keys of changes that the remote does not have.
    func keep(_ unknown: [Entry], refused: [String]) async throws(StoreError) {
        try await write { [save] (connection) throws(StoreError) in
            for entry in unknown { try Self.insert(entry, save, connection) }
            for key in refused {
                try connection.run(
                    "UPDATE \(Self.table) SET \"progress\" = 'waiting' WHERE \"key\" = ? AND \"progress\" = 'sent'",
                    [.text(key)])
            }
        }
    }

    /// Declares that no context of this process has the changes of saves any more.
    static func release(_ saves: [String]) {
        running.withLock { $0.subtract(saves) }
    }

    static func insert(_ entry: Entry, _ save: String, _ connection: StoreConnection) throws(StoreError) {
        let values: [StoredValue] = [
            .text(entry.key), .text(save), .text(ProcessIdentity.current),
            .text(entry.operation.rawValue), .text(entry.entity), .integer(entry.row), .text(entry.progress.rawValue),
            .text(JSON.object(JSONObject(entry.values.map { (key: $0.key, value: $0.value.journaled) })).text),
            .text(entry.references.text),
        ]
        try connection.run("INSERT OR REPLACE INTO \(table) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)", values)
    }

    /// Returns the rows of an entity whose changes the remote may not have.
    static func rows(of entity: String, _ connection: StoreConnection) throws(StoreError) -> [Int64] {
        guard try connection.hasTable(name) else { return [] }
        let sql = "SELECT \"row\" FROM \(table) WHERE \"entity\" = ? AND \"row\" > 0 AND \"progress\" <> 'saved'"
        return try connection.rows(sql, [.text(entity)])
    }

    /// - Parameter kept: The keys of changes that remain. Defaults to none.
    static func remove(
        _ save: String, except kept: Set<String> = [], _ connection: StoreConnection
    ) throws(StoreError) {
        try connection.run(
            "DELETE FROM \(table) WHERE \"save\" = ? AND \"key\" NOT IN (SELECT value FROM json_each(?))",
            [.text(save), .text(JSON.array(kept.map { .string($0) }).text)])
    }

    /// Removes a change.
    static func remove(key: String, _ connection: StoreConnection) throws(StoreError) {
        try connection.run("DELETE FROM \(table) WHERE \"key\" = ?", [.text(key)])
    }

    /// Removes changes that the remote does not have, or that the file has.
    func remove(_ keys: [String]) async throws(StoreError) {
        guard !keys.isEmpty else { return }
        try await write { (connection) throws(StoreError) in
            for key in keys { try Self.remove(key: key, connection) }
        }
    }

    /// Whether a save has changes without outcome.
    static func contains(_ save: String, _ connection: StoreConnection) throws(StoreError) -> Bool {
        guard try connection.hasTable(name) else { return false }
        let sql = "SELECT EXISTS(SELECT 1 FROM \(table) WHERE \"save\" = ? AND \"progress\" <> 'saved')"
        return try connection.integer(sql, [.text(save)]) == 1
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (StoreConnection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await store.writing { (connection) throws(StoreError) in
            try connection.transaction(isShort: true) { () throws(StoreError) in try body(connection) }
        }.get()
    }
}
