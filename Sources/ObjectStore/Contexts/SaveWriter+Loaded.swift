import ObjectMapping

/// Responses by which later requests are conditional, in the transaction that saves their objects.
extension SaveWriter {
    /// Records a response with the rows of its objects.
    func record(_ loaded: ChangeSet.Loaded?, _ outcome: SaveOutcome) throws(StoreError) {
        guard let loaded else { return }
        if try !LoadRecord.isUsable(connection) {
            try connection.database.execute(
                #"DROP TABLE IF EXISTS \#(LoadRecord.table); "#
                    + #"CREATE TABLE \#(LoadRecord.table)("number" INTEGER PRIMARY KEY, "request" TEXT UNIQUE, "account" TEXT, "#
                    + #""mapping" TEXT, "tag" TEXT, "date" TEXT, "parts" TEXT, "rows" TEXT, "entities" TEXT, "#
                    + #""time" INTEGER, "pruning" INTEGER)"#)
        }
        let parts = loaded.parts.flatMap { part in
            part.rows.isEmpty
                ? ["[\(part.index),\"\",[]]"]
                : part.rows.split { $0.entity != $1.entity }.map { run in
                    "[\(part.index),\(name(run.first?.entity ?? 0)),\(list(run, outcome))]"
                }
        }
        let rows = Dictionary(grouping: loaded.rows, by: \.entity).sorted { $0.key < $1.key }
        let texts = [
            "[\(parts.joined(separator: ","))]",
            "{\(rows.map { "\(name($0.key)):\(list($0.value[...], outcome))" }.joined(separator: ","))}",
            "[\(rows.map { name($0.key) }.joined(separator: ","))]",
        ]
        try connection.run(
            #"INSERT OR REPLACE INTO \#(LoadRecord.table) VALUES((SELECT coalesce(max("number"), 0) + 1 FROM "#
                + #"\#(LoadRecord.table)), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"#,
            [.text(loaded.source.request), .text(loaded.source.account), .text(loaded.source.mapping)]
                + [loaded.tag, loaded.date].map { $0.map { .text($0) } ?? .null } + texts.map { .text($0) }
                + [.integer(loaded.time), .integer(loaded.pruning.rawValue)])
        try connection.run(
            #"DELETE FROM \#(LoadRecord.table) WHERE "number" <= (SELECT max("number") FROM \#(LoadRecord.table)) - "#
                + "\(LoadRecord.limit)")
    }

    private func name(_ entity: Int) -> String { JSON.string(store.entities[entity].name).text }

    private func list(_ rows: ArraySlice<ChangeSet.RowID>, _ outcome: SaveOutcome) -> String {
        "[\(rows.map { "\($0.row < 0 ? outcome.rows[$0.row] ?? 0 : $0.row)" }.joined(separator: ","))]"
    }

    /// Makes the requests of earlier responses unconditional whose rows the save has written.
    func expireResponses(after changes: ChangeSet, _ outcome: SaveOutcome) throws(StoreError) {
        try connection.expireResponses(in: store) { commit(of: changes, outcome) }
    }

    /// Forgets the responses with objects of entities.
    func forgetResponses(of entities: Set<Int>) throws(StoreError) {
        guard !entities.isEmpty, try connection.hasTable(LoadRecord.name) else { return }
        for entity in entities {
            try connection.run(
                #"DELETE FROM \#(LoadRecord.table) WHERE ? IN (SELECT value FROM json_each("entities"))"#,
                [.text(store.entities[entity].name)])
        }
    }
}

extension Array {
    /// Splits the array before elements that differ from the previous one.
    fileprivate func split(_ differ: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var runs: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices.dropFirst() where differ(self[index - 1], self[index]) {
            runs.append(self[start..<index])
            start = index
        }
        return isEmpty ? [] : runs + [self[start...]]
    }
}
