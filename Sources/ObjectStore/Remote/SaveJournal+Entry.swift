import ObjectMapping

extension SaveJournal.Entry {
    /// The current changes of an object.
    init(_ object: ManagedObject, _ changes: UnsavedChanges, _ key: String, _ entity: StoredEntity) {
        self.init(key: key, operation: ChangeOperation(object.state?.phase), entity: entity.name, row: object.row)
        guard operation != .delete else { return }
        values = changes.values(named: entity)
        targets = Self.targets(of: object, changes, operation, entity)
        add(object.linkChanges(includingNew: true), entity)
    }

    /// A change that the remote may have, as it was sent.
    init(_ change: SentChange, _ key: String, _ entity: StoredEntity) {
        self.init(
            key: key, operation: change.operation, entity: entity.name, row: change.row, progress: .sent,
            values: change.changes.values(named: entity))
        for target in change.changes.targets {
            targets[entity.relationships[target.relationship].name] = target.row
        }
        add(change.links, entity)
    }

    /// Whether an entry has the same values and references.
    func hasSameContent(as other: Self) -> Bool {
        values == other.values && targets == other.targets && lists == other.lists
    }

    /// A change as it is sent, with its current references.
    init(_ object: ManagedObject, _ change: RemoteChange, _ row: Int64) {
        self.init(
            key: change.idempotencyKey, operation: change.operation, entity: change.object.entity, row: row,
            values: change.values)
        guard change.operation != .delete, let core = object.core else { return }
        let entity = core.entity(of: object)
        targets = Self.targets(of: object, object.unsavedChanges, change.operation, entity)
        add(object.linkChanges(includingNew: true), entity)
    }

    /// The references of an object that its answer does not write: to objects that are still new, one-to-one relationships,
    /// and lists; `nil` if there are none.
    init?(laterOf object: ManagedObject, _ operation: ChangeOperation, _ entity: StoredEntity) {
        guard object.core != nil else { return nil }
        self.init(key: UUID().uuidString, operation: .update, entity: entity.name, row: object.row)
        if operation == .insert {
            targets = Self.targets(of: object, object.unsavedChanges, .insert, entity).filter { $0.value < 0 }
        }
        add(object.linkChanges(includingNew: true), entity)
        if targets.isEmpty, lists.isEmpty { return nil }
    }

    private mutating func add(_ links: LinkChanges, _ entity: StoredEntity) {
        for target in links.targets { targets[entity.relationships[target.relationship].name] = target.row }
        for list in links.lists {
            lists[entity.relationships[list.relationship].name] = Rows(rows: list.rows, old: list.old)
        }
    }

    /// The rows of changed to-one relationships, with those of new objects.
    private static func targets(
        of object: ManagedObject, _ changes: UnsavedChanges, _ operation: ChangeOperation, _ entity: StoredEntity
    ) -> [String: Int64] {
        var targets: [String: Int64] = [:]
        for index in entity.toOnes {
            let property = entity.type.relationships[index]
            let saved =
                operation == .update && changes.saved.rows.indices.contains(index) ? changes.saved.rows[index] : 0
            let row = property.row(of: object)
            if row != saved { targets[property.name] = row }
        }
        return targets
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
