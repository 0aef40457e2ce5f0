import Dispatch
import ObjectMapping

/// A response whose objects are in the store: a row of the table `_mappingkit_loads`.
package struct LoadRecord: Sendable {
    static let name = "_mappingkit_loads"
    static let table = "\"\(name)\""
    /// The number of responses that are kept: the latest ones.
    static let limit = 1000

    /// The `ETag` of the response, or the version that a remote gave its answer.
    package let tag: String?
    /// The `Last-Modified` of the response.
    package let date: String?
    /// When the response was received or confirmed, in milliseconds since 1970.
    package let time: Int64
    /// The objects in the response, by the index of their descriptor.
    package let objects: [Int: LoadedIDs]

    /// Whether the file has the table with these columns.
    static func isUsable(_ connection: StoreConnection) throws(StoreError) -> Bool {
        // Every save needs the answer, and reading the columns takes a tenth of a small save.
        let schema = try connection.schemaVersion()
        if let known = connection.responseTable, known.schema == schema { return known.isUsable }
        let sql = "SELECT count(*) FROM pragma_table_info(?)"
        let isUsable = try connection.integer(sql, [.text(name)]) == 10
        connection.responseTable = (isUsable, schema)
        return isUsable
    }
}

extension StoreConnection {
    /// Records a response with the rows of its objects.
    ///
    /// - Parameter saved: Returns the row of a temporary one; others are returned unchanged.
    func record(
        _ loaded: ChangeSet.Loaded, in store: ManagedObjectStore, _ saved: (Int64) -> Int64
    ) throws(StoreError) {
        if try !LoadRecord.isUsable(self) {
            try database.execute(
                #"DROP TABLE IF EXISTS \#(LoadRecord.table); "#
                    + #"CREATE TABLE \#(LoadRecord.table)("number" INTEGER PRIMARY KEY, "request" TEXT UNIQUE, "account" TEXT, "#
                    + #""mapping" TEXT, "tag" TEXT, "date" TEXT, "parts" TEXT, "rows" TEXT, "entities" TEXT, "#
                    + #""time" INTEGER)"#)
        }
        let response = loaded.response
        let names = store.entities.map(\.name)
        let parts = loaded.parts.flatMap { part -> [JSON] in
            let groups = part.rows.map({ names[$0] }, saved).groups
            return (groups.isEmpty ? [("", RowRuns())] : groups).map { entity, rows in
                .array([.integer(part.index), .string(entity), .string(rows.text)])
            }
        }
        let rows = loaded.rows.sorted { $0.key < $1.key }.map { entity, rows in
            (key: names[entity], value: JSON.string(RowRuns(rows.rows.lazy.map(saved)).sorted().text))
        }
        let values = [JSON.array(parts), .object(JSONObject(rows)), .array(rows.map { .string($0.key) })]
        let texts = [response.source.request, response.source.account, response.source.mapping].map(StoredValue.text)
        let validators = [response.tag, response.date].map { $0.map(StoredValue.text) ?? .null }
        try run(
            #"INSERT OR REPLACE INTO \#(LoadRecord.table) VALUES((SELECT coalesce(max("number"), 0) + 1 FROM "#
                + #"\#(LoadRecord.table)), ?, ?, ?, ?, ?, ?, ?, ?, ?)"#,
            texts + validators + values.map { .text($0.text) } + [.integer(response.time)])
        try run(
            #"DELETE FROM \#(LoadRecord.table) WHERE "number" <= (SELECT max("number") FROM \#(LoadRecord.table)) - "#
                + "\(LoadRecord.limit)")
    }

    /// Makes the requests of responses unconditional whose rows a transaction has written.
    ///
    /// The server may have other values: a status 304 would confirm rows that are not those of the response. When the
    /// responses were received remains known.
    ///
    /// - Parameter changes: Returns what the transaction has written; called only if there are responses.
    func expireResponses(
        in store: ManagedObjectStore, _ changes: () throws(StoreError) -> CommitChanges
    ) throws(StoreError) {
        let condition = #""tag" IS NOT NULL OR "date" IS NOT NULL"#
        guard try LoadRecord.isUsable(self),
            try integer("SELECT 1 FROM \(LoadRecord.table) WHERE \(condition) LIMIT 1") != nil
        else { return }
        for entities in try changes().changedEntities(of: store.entities) {
            let names = entities.map { StoredValue.text(store.entities[$0].name) }
            let tests = names.map { _ in #"? IN (SELECT value FROM json_each("entities"))"# }.joined(separator: " AND ")
            try run(
                "UPDATE \(LoadRecord.table) SET \"tag\" = NULL, \"date\" = NULL WHERE (\(condition)) AND \(tests)",
                names)
        }
    }
}

extension CommitChanges {
    /// Returns the sets of entities such that a response with objects of all entities in a set may have other rows now.
    fileprivate func changedEntities(of entities: [StoredEntity]) -> Set<Set<Int>> {
        guard !isEverything else { return Set(entities.map { [$0.index] }) }
        var changed: Set<Set<Int>> = []
        for (entity, rows) in rows where rows.isAll || !rows.updated.isEmpty { changed.insert([entity]) }
        for (entity, rows) in rows where !rows.deleted.isEmpty {
            // A row that referred to a deleted one has another value.
            for other in entities
            where other.relationships.contains(where: { !$0.isToMany && $0.destination == entity }) {
                changed.insert([other.index])
            }
        }
        for (list, owners) in lists {
            let inserted = rows[list.entity]?.inserted ?? []
            if case .rows(let owners) = owners,
                owners.allSatisfy({ owner in inserted.contains { $0.contains(owner) } })
            {
                continue
            }
            changed.insert([list.entity, entities[list.entity].relationships[list.index].destination])
        }
        return changed.filter { set in !changed.contains { $0.isStrictSubset(of: set) } }
    }
}

extension LoadRecord {
    /// Creates a record without objects.
    package init(tag: String?, date: String?) { self.init(tag: tag, date: date, time: 0, objects: [:]) }
}

extension ManagedObjectStore {
    /// A text that differs for each file, for digests that are stored in it.
    package var salt: String { identity.identifier ?? "" }

    /// Returns the last response of a source; `nil` if it is missing, or if some of its rows no longer exist.
    ///
    /// SQL runs on another thread.
    ///
    /// - Parameter isStale: Whether rows of the response can be missing. Defaults to `false`.
    package func loadRecord(of source: LoadSource, isStale: Bool = false) async throws(StoreError) -> LoadRecord? {
        try await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Result { () throws(StoreError) in try self.readLoadRecord(of: source, isStale) })
            }
        }.get()
    }

    /// Records that the last response of a source was confirmed.
    ///
    /// - Parameter time: The current time, in milliseconds since 1970.
    package func confirmLoad(of source: LoadSource, at time: Int64) async throws(StoreError) {
        try await writing { (connection) throws(StoreError) in
            guard try LoadRecord.isUsable(connection) else { return }
            try connection.run(
                #"UPDATE \#(LoadRecord.table) SET "time" = ? WHERE "request" = ? AND "account" = ? AND "mapping" = ?"#,
                [.integer(time), .text(source.request), .text(source.account), .text(source.mapping)])
        }.get()
    }

    private func readLoadRecord(of source: LoadSource, _ isStale: Bool) throws(StoreError) -> LoadRecord? {
        try read { (connection) throws(StoreError) -> LoadRecord? in
            guard try LoadRecord.isUsable(connection) else { return nil }
            let statement = try connection.cached(
                #"SELECT "tag", "date", "parts", "rows", "time" FROM \#(LoadRecord.table) WHERE "request" = ? AND "account" = ? "#
                    + #"AND "mapping" = ?"#)
            try statement.bind([.text(source.request), .text(source.account), .text(source.mapping)])
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            let (tag, date) = (statement.value(at: 0).text, statement.value(at: 1).text)
            guard let parts = statement.value(at: 2).text.flatMap({ try? JSON($0) }),
                let rows = statement.value(at: 3).text.flatMap({ try? JSON($0) })
            else { return nil }
            if !isStale, try !exist(rows, connection) { return nil }
            var objects: [Int: GroupedRows<String>] = [:]
            for part in parts.array ?? [] {
                guard let index = part[0].int64.map({ Int($0) }), let runs = part[2].runs else { return nil }
                objects[index, default: GroupedRows()].append(runs, of: part[1].string ?? "")
            }
            return LoadRecord(
                tag: tag, date: date, time: statement.integer(at: 4),
                objects: objects.mapValues { LoadedIDs($0, in: identity) })
        }
    }

    /// Whether all rows exist.
    private func exist(_ rows: JSON, _ connection: StoreConnection) throws(StoreError) -> Bool {
        for (name, list) in rows.object ?? [:] {
            guard let entity = entities.first(where: { $0.name == name }), let runs = list.runs?.runs else {
                return false
            }
            let long = runs.filter { $0.count >= Self.longRun }
            for run in long {
                let count = try connection.integer(
                    "SELECT count(*) FROM \(entity.table) WHERE \"_id\" BETWEEN ? AND ?",
                    [.integer(run.lowerBound), .integer(run.upperBound)])
                if count != Int64(run.count) { return false }
            }
            let others = runs.filter { $0.count < Self.longRun }.joined()
            if try connection.missing(of: Array(others), in: entity) != nil { return false }
        }
        return true
    }

    /// The number of consecutive rows that are counted by one statement.
    private static var longRun: Int { 16 }
}

extension JSON {
    /// The rows in the text of runs.
    fileprivate var runs: RowRuns? { string.flatMap(RowRuns.init(text:)) }
}
