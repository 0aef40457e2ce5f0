import ObjectMapping

/// A change of an object as it is sent.
///
/// If its answer is lost or cannot be written, the remote may have it. It is in ``SendState/unknown`` of the context then, by
/// its key in the journal, until a later change replaces it, the remote was asked for it, or the context gives it up.
struct SentChange {
    let operation: ChangeOperation
    let object: ManagedObject
    /// The index of the entity.
    let entity: Int
    /// The row when it was sent; temporary for an insertion.
    let row: Int64
    /// What was sent.
    private(set) var changes: UnsavedChanges

    init(_ operation: ChangeOperation, of object: ManagedObject, _ row: Int64, _ changes: UnsavedChanges) {
        self.operation = operation
        self.object = object
        entity = Int(object.entityIndex)
        self.row = row
        self.changes = changes
    }

    /// Returns what remains of the change after a later one of the object; `nil` if nothing does.
    func replaced(by later: SentChange) -> SentChange? {
        guard later.operation == .update, operation == .update else { return later.operation == .delete ? nil : self }
        var rest = self
        rest.changes.remove(later.changes.properties)
        return rest.changes.isEmpty ? nil : rest
    }
}

extension ContextCore {
    /// The changes of an object that the remote may have, by key.
    func unknownChanges(of object: ManagedObject) -> [String: SentChange] {
        sending.unknown.isEmpty ? [:] : sending.unknown.filter { $0.value.object === object }
    }

    /// Whether the remote may have changes of an object, also one that is being sent.
    func mayHaveArrived(_ object: ManagedObject) -> Bool {
        sending.current?.object === object || sending.unknown.contains { $0.value.object === object }
    }

    /// The insertion of an object that the remote may have, and its key.
    func unknownInsertion(of object: ManagedObject) -> (key: String, value: SentChange)? {
        unknownChanges(of: object).first { $0.value.operation == .insert }
    }

    /// The changes that the remote may have, and that the context gave up by a deletion of a new object, or a rollback.
    var abandonedChanges: [String: SentChange] { sending.unknown.filter { !hasChange($0.value) } }

    /// Whether the next save sends a change again, or one that replaces it.
    private func hasChange(_ change: SentChange) -> Bool {
        guard change.object.core === self, let state = change.object.state else { return false }
        switch (change.operation, state.phase) {
        case (.insert, .inserted), (.update, .deleted), (.delete, .deleted): return true
        case (.update, .updated):
            let relationships = state.linkBases.map(\.relationship) + state.listBases.keys + state.unsentTargets.keys
            let changed = Set(state.bases.map { PropertyIndex.attribute($0.attribute) })
                .union(relationships.map { .relationship($0) })
            return !change.changes.properties.isDisjoint(with: changed)
        default: return false
        }
    }

    /// The current changes of an object, with those of properties that have the value of the file, and not that of the remote:
    /// they take back what it may have, or the file has received them with another object.
    ///
    /// - Parameter includesNew: Whether they include references to new objects, by their temporary rows. Defaults to `false`.
    func changesToSend(of object: ManagedObject, toNew includesNew: Bool = false) -> UnsavedChanges {
        var changes = object.changes(withLinks: true, toNew: includesNew)
        guard let state = object.state, state.phase == .updated else { return changes }
        let type = entity(of: object).type
        func add(_ relationship: Int, earlier: Int64) {
            let row = type.relationships[relationship].row(of: object)
            guard !changes.targets.contains(where: { $0.relationship == relationship }), row >= 0, row != earlier else {
                return
            }
            changes.targets.append(UnsavedChanges.Target(relationship: relationship, row: row))
            changes.saved.rows[relationship] = earlier
        }
        for (relationship, row) in state.unsentTargets { add(relationship, earlier: row) }
        for sent in unknownChanges(of: object).values where sent.operation == .update {
            for attribute in sent.changes.attributes {
                guard !changes.attributes.contains(where: { $0.index == attribute.index }),
                    state.bases.contains(where: { $0.attribute == attribute.index }),
                    let value = type.attributes[attribute.index].storedValue(of: object), value != attribute.value
                else { continue }
                changes.attributes.append(UnsavedChanges.Attribute(index: attribute.index, value: value))
                changes.saved.values[attribute.index] = attribute.value
            }
            for target in sent.changes.targets
            where state.linkBases.contains(where: { $0.relationship == target.relationship }) {
                add(target.relationship, earlier: target.row)
            }
            for list in sent.changes.lists {
                guard !changes.lists.contains(where: { $0.relationship == list.relationship }),
                    state.listBases[list.relationship] != nil,
                    let rows = object.listRows(list.relationship, toNew: includesNew), rows != list.rows
                else { continue }
                changes.lists.append(
                    UnsavedChanges.List(relationship: list.relationship, rows: rows, old: list.rows))
            }
        }
        return changes
    }

    /// Forgets an update that the remote may have, if an object has its values without changes.
    func settleUnknownUpdate(of object: ManagedObject) {
        guard changesToSend(of: object).isEmpty else { return }
        for (key, change) in unknownChanges(of: object) where change.operation == .update {
            sending.unknown[key] = nil
        }
    }

    /// Sets properties that already have the values of changes to the earlier ones, as if these were saved.
    ///
    /// The changes are changes then, too. For a copy that is not saved.
    func loadEarlierValues(of object: ManagedObject, _ changes: UnsavedChanges) {
        let (entity, current) = (entity(of: object), object.savedProperties)
        for change in changes.attributes where current.values[change.index] == change.value {
            _ = entity.type.attributes[change.index].load(changes.saved.values[change.index] ?? .null, into: object)
        }
        var earlier = UnsavedChanges()
        for change in changes.targets where current.rows[change.relationship] == change.row {
            let row = changes.saved.rows[change.relationship]
            entity.type.relationships[change.relationship].setRow(row, of: object)
            earlier.targets.append(UnsavedChanges.Target(relationship: change.relationship, row: row))
        }
        for list in changes.lists {
            loadTargets(of: object, list.relationship)
            guard Set(self.list(list.relationship, of: object)?.map(\.row) ?? []) == Set(list.rows) else { continue }
            let destination = self.entity(of: entity.relationships[list.relationship])
            setList(list.old.compactMap { self.object(ofRow: $0, destination) }, list.relationship, of: object)
            earlier.lists.append(
                UnsavedChanges.List(relationship: list.relationship, rows: list.old, old: list.rows))
        }
        if earlier.isEmpty { return }
        setKeys(of: object, for: earlier)
        object.state?.clear(.updated)
    }
}
