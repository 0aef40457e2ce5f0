import ObjectMapping

extension SaveJournal.Entry {
    /// A change of an object, with the references that it has.
    init(
        _ change: SentChange, _ key: String, _ entity: StoredEntity, _ progress: SaveJournal.Progress = .waiting
    ) {
        self.init(
            key: key, operation: change.operation, entity: entity.name, row: change.row, progress: progress,
            values: change.changes.values(named: entity))
        for target in change.changes.targets {
            targets[entity.relationships[target.relationship].name] = target.row
        }
        for list in change.changes.lists {
            lists[entity.relationships[list.relationship].name] = Rows(rows: list.rows, old: list.old)
        }
    }

    /// The references of an object to new objects, which its answer does not write; `nil` if there are none.
    init?(after sent: SentChange, _ core: ContextCore) {
        let object = sent.object
        guard object.core === core else { return nil }
        var changes = core.changesToSend(of: object, toNew: true)
        changes.attributes = []
        changes.targets.removeAll { $0.row >= 0 }
        changes.lists = changes.lists.filter { $0.rows.contains { $0 < 0 } }.map { list in
            let saved = sent.changes.lists.first { $0.relationship == list.relationship }
            return UnsavedChanges.List(relationship: list.relationship, rows: list.rows, old: saved?.rows ?? list.old)
        }
        if changes.isEmpty { return nil }
        self.init(
            SentChange(.update, of: object, object.row, changes), UUID().uuidString, core.entity(of: object))
    }

    /// The names of the changed properties.
    var names: Set<String> { Set(values.keys).union(targets.keys).union(lists.keys) }

    /// Whether an entry has the same values and references.
    func hasSameContent(as other: Self) -> Bool {
        values == other.values && targets == other.targets && lists == other.lists
    }

    // MARK: In the file

    /// The references as JSON: `{"writer": 5, "tags": {"rows": [1, 2], "old": [1]}}`.
    var references: JSON {
        func rows(_ rows: [Int64]) -> JSON { .array(rows.map { .integer($0) }) }
        let members =
            targets.map { (key: $0.key, value: JSON.integer($0.value)) }
            + lists.map { (key: $0.key, value: ["rows": rows($0.value.rows), "old": rows($0.value.old)] as JSON) }
        return .object(JSONObject(members))
    }

    /// - Parameter references: JSON as in the file.
    mutating func add(references: JSON) {
        func rows(_ json: JSON) -> [Int64] { json.array?.compactMap(\.int64) ?? [] }
        for (name, value) in references.object ?? [:] {
            if let row = value.int64 { targets[name] = row }
            if value["rows"].array != nil { lists[name] = Rows(rows: rows(value["rows"]), old: rows(value["old"])) }
        }
    }
}
