import ObjectMapping

/// A change of an object as it is sent.
///
/// If its answer is lost or cannot be written, the remote may have it. It is in ``SendState/unknown`` of the context then, by
/// its key in the journal, until a later change replaces it, the remote was asked for it, or the context gives it up.
struct SentChange {
    let operation: ChangeOperation
    let object: ManagedObject
    /// The row when it was sent; temporary for an insertion.
    let row: Int64
    /// What was sent.
    let changes: UnsavedChanges
    let links: LinkChanges

    init(
        _ operation: ChangeOperation, of object: ManagedObject, _ row: Int64, _ changes: UnsavedChanges,
        _ links: LinkChanges
    ) {
        self.operation = operation
        self.object = object
        self.row = row
        self.changes = changes
        self.links = links
    }

    /// Whether a later change of the object has all of its properties.
    func isReplaced(by later: SentChange) -> Bool {
        guard later.operation == .update, operation == .update else { return later.operation == .delete }
        return later.properties.isSuperset(of: properties)
    }

    fileprivate var properties: Set<PropertyIndex> {
        Set(changes.attributes.map { .attribute($0.index) })
            .union((changes.targets + links.targets).map { .relationship($0.relationship) })
            .union(links.lists.map { .relationship($0.relationship) })
    }
}

extension ContextCore {
    /// The changes of an object that the remote may have, by key.
    func unknownChanges(of object: ManagedObject) -> [String: SentChange] {
        sending.unknown.isEmpty ? [:] : sending.unknown.filter { $0.value.object === object }
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
            let changed = Set(state.bases.map { PropertyIndex.attribute($0.attribute) })
                .union((state.linkBases.map(\.relationship) + state.listBases.keys).map { .relationship($0) })
            return !change.properties.isDisjoint(with: changed)
        default: return false
        }
    }

    /// The current changes of an object, with those that take back what the remote may have: a property that has the value of
    /// the file again.
    func changesToSend(of object: ManagedObject) -> UnsavedChanges {
        var changes = object.unsavedChanges
        guard let state = object.state, state.phase == .updated else { return changes }
        let type = entity(of: object).type
        for sent in unknownChanges(of: object).values where sent.operation == .update {
            for attribute in sent.changes.attributes {
                guard !changes.attributes.contains(where: { $0.index == attribute.index }),
                    state.bases.contains(where: { $0.attribute == attribute.index }),
                    let value = type.attributes[attribute.index].storedValue(of: object), value != attribute.value
                else { continue }
                changes.attributes.append(UnsavedChanges.Attribute(index: attribute.index, value: value))
                changes.saved.values[attribute.index] = attribute.value
            }
            for target in sent.changes.targets {
                let row = type.relationships[target.relationship].row(of: object)
                guard !changes.targets.contains(where: { $0.relationship == target.relationship }), row >= 0,
                    row != target.row, state.linkBases.contains(where: { $0.relationship == target.relationship })
                else { continue }
                changes.targets.append(UnsavedChanges.Target(relationship: target.relationship, row: row))
                changes.saved.rows[target.relationship] = target.row
            }
        }
        return changes
    }

    /// Forgets an update that the remote may have, if an object has its values without changes.
    func settleUnknownUpdate(of object: ManagedObject) {
        guard changesToSend(of: object).isEmpty, object.linkChanges().isEmpty else { return }
        for (key, change) in unknownChanges(of: object) where change.operation == .update {
            sending.unknown[key] = nil
        }
    }
}

extension ManagedObject {
    /// Sets properties that already have the values of changes to the earlier ones, as if these were saved.
    ///
    /// The changes are changes then, too. For a copy that is not saved.
    func loadEarlierValues(of changes: UnsavedChanges) {
        guard let type = core?.entity(of: self).type else { return }
        let current = savedProperties
        for change in changes.attributes where current.values[change.index] == change.value {
            _ = type.attributes[change.index].load(changes.saved.values[change.index] ?? .null, into: self)
        }
        for change in changes.targets where current.rows[change.relationship] == change.row {
            type.relationships[change.relationship].setRow(changes.saved.rows[change.relationship], of: self)
        }
    }
}
