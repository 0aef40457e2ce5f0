/// The saved edits of an object that its server has not accepted yet.
package struct UnsentValues: Sendable {
    /// Whether the object was never sent.
    package var isNew = false
    /// The edited properties, each with a value that differs from the saved one.
    var previous: [(property: PropertyIndex, value: StoredValue)] = []

    /// Whether the server may have a new object, because the outcome of an earlier request is unknown.
    package var isUnknown = false

    /// No edits.
    package init() {}

    /// - Parameter marks: The marks of an object.
    init(_ marks: [String: StoredValue], _ entity: StoredEntity) {
        isNew = marks[UnsentMarks.object] != nil
        isUnknown = marks[UnsentMarks.object] == .integer(1)
        previous = marks.compactMap { name, value in entity.property(named: name).map { ($0, value) } }
    }

    /// Whether the server has the saved values.
    package var isEmpty: Bool { !isNew && previous.isEmpty }
}

extension ManagedObject {
    /// Reads which saved edits of the object its server has not accepted yet.
    package func unsentValues() throws(StoreError) -> UnsentValues {
        guard let core, core.store.keepsUnsent, row > 0 else {
            var values = UnsentValues()
            values.isUnknown = state?.isUnknown ?? false
            return values
        }
        let entity = core.entity(of: self)
        let marks = try core.store.read { (connection) throws(StoreError) in
            try UnsentMarks(connection)?.values(of: row, entity) ?? [:]
        }
        return UnsentValues(marks, entity)
    }

    /// Calls a closure while the saved values of the object are those that its server has.
    package func withValuesOfServer<Result>(_ values: UnsentValues, _ body: () -> Result) -> Result {
        core?.sending.valuesOfServer = (self, values)
        defer { core?.sending.valuesOfServer = nil }
        return body()
    }
}

extension ObjectContext {
    // MARK: In the context that saves a response

    /// Declares that the context saves a response, which a server has accepted.
    package func savesReply() {
        (core.sending.isReply, core.sending.marksUnsent) = (true, false)
        // Rows that others have saved meanwhile are newer.
        mergePolicy = .storeWins
    }

    /// Records that a server has accepted an object as it was sent: the save removes its marks.
    ///
    /// Values that were saved after the object was sent remain marked.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - changes: Its properties when it was sent; `nil` if it was only found on the server.
    ///   - isMerged: Whether the object is another one, which received the changes.
    package func accept(_ object: ManagedObject, _ changes: UnsavedChanges?, isMerged: Bool = false) {
        guard core.store.keepsUnsent else { return }
        var changes = changes
        changes?.unsent.subtract(core.sending.confirmed[object] ?? [])
        changes?.unsent.formUnion(core.sending.contradicted[object] ?? [])
        noteAccepted(object, changes, onlyChanges: isMerged || object.row < 0)
    }

    /// Records that a server has accepted edits of other objects that were sent in the same request.
    func accept(_ others: [SentCopy]) {
        for other in others where other.isEdited { accept(other.object, other.changes) }
    }

    /// - Parameter onlyChanges: Whether the server has only received what was changed.
    func noteAccepted(_ object: ManagedObject, _ changes: UnsavedChanges?, onlyChanges: Bool) {
        guard core.store.keepsUnsent else { return }
        let values = changes?.sentValues(core.entity(of: object), onlyChanges: onlyChanges) ?? []
        core.sending.accepted.append(
            ChangeSet.Accepted(
                entity: Int(object.entityIndex), row: object.row, values: values,
                unsent: changes?.unsentValues(core.entity(of: object)) ?? []))
    }

    /// Discards the changes of saved objects that would overwrite what a server has not accepted yet.
    ///
    /// - Parameter kept: Objects that the server has accepted. Defaults to none.
    /// - Returns: Whether there were any.
    @discardableResult package func keepUnsentValues(except kept: [ManagedObject] = []) throws(StoreError) -> Bool {
        core.reconcile()
        var isKept = false
        guard core.store.keepsUnsent else { return false }
        for entity in core.store.entities {
            let changed = core.changedObjects.filter { changed in
                Int(changed.entityIndex) == entity.index && changed.state?.phase == .updated
                    && !kept.contains { $0 === changed }
            }
            guard !changed.isEmpty else { continue }
            let marks = try core.store.read { (connection) throws(StoreError) in
                try UnsentMarks(connection)?.properties(of: entity) ?? [:]
            }
            guard !marks.isEmpty else { continue }
            for changed in changed {
                guard let names = marks[changed.row] else { continue }
                let isAccepted = core.sending.accepted.contains { $0.entity == entity.index && $0.row == changed.row }
                let isNew = names.contains(UnsentMarks.object) && !isAccepted
                core.undoChanges(of: changed) { isNew || names.contains(entity.name(of: $0)) }
                isKept = true
            }
        }
        return isKept
    }
}

extension ContextCore {
    /// Sets changed properties to their saved values.
    fileprivate func undoChanges(of object: ManagedObject, where isUndone: (PropertyIndex) -> Bool) {
        for base in object.state?.bases ?? [] where isUndone(.attribute(base.attribute)) {
            object.set(base.value, at: base.attribute)
        }
        for base in object.state?.linkBases ?? [] where isUndone(.relationship(base.relationship)) {
            let target = target(of: object, base.relationship, row: base.row)
            // A target that was merged into another object is deleted.
            if base.row == 0 || target != nil { setTarget(target, of: object, base.relationship) }
        }
    }
}

extension UnsavedChanges {
    /// Returns the sent values with those that were in the store.
    ///
    /// - Parameter onlyChanges: Whether to return what was changed, which the save writes in any case.
    fileprivate func sentValues(_ entity: StoredEntity, onlyChanges: Bool) -> [ChangeSet.Accepted.Value] {
        var values: [ChangeSet.Accepted.Value] = []
        func add(_ property: PropertyIndex, sent: StoredValue?, saved: StoredValue) {
            // Their marks remain.
            if onlyChanges && sent == nil || unsent.contains(property) || reverted.contains(property) { return }
            values.append(
                ChangeSet.Accepted.Value(property: property, sent: sent ?? saved, saved: onlyChanges ? nil : saved))
        }
        for (index, saved) in saved.values.enumerated() where !entity.type.attributes[index].isTransient {
            let change = attributes.first { $0.index == index }
            add(.attribute(index), sent: change?.value, saved: saved ?? .null)
        }
        for index in entity.toOnes where index < saved.rows.count {
            func reference(_ row: Int64) -> StoredValue { row == 0 ? .null : .integer(row) }
            let change = targets.first { $0.relationship == index }
            add(.relationship(index), sent: (change?.row).map(reference), saved: reference(saved.rows[index]))
        }
        return values
    }

    /// Returns the properties that the server does not have, with its values: those that were not sent, and those that were
    /// reverted after they were sent.
    fileprivate func unsentValues(_ entity: StoredEntity) -> [(property: PropertyIndex, previous: StoredValue)] {
        func reference(_ row: Int64) -> StoredValue { row == 0 ? .null : .integer(row) }
        var values: [(property: PropertyIndex, previous: StoredValue)] = []
        for index in entity.type.attributes.indices {
            let change = attributes.first { $0.index == index }
            if reverted.contains(.attribute(index)) {
                values.append((.attribute(index), change?.value ?? saved.values[index] ?? .null))
            }
            guard unsent.contains(.attribute(index)), isNew || change != nil else { continue }
            let saved = isNew ? entity.type.attributes[index].defaultValue : saved.values[index] ?? .null
            values.append((.attribute(index), saved))
        }
        for index in entity.toOnes where index < saved.rows.count {
            let change = targets.first { $0.relationship == index }
            if reverted.contains(.relationship(index)) {
                values.append((.relationship(index), reference(change?.row ?? saved.rows[index])))
            }
            guard unsent.contains(.relationship(index)), isNew || change != nil else { continue }
            values.append((.relationship(index), isNew ? .null : reference(saved.rows[index])))
        }
        return values
    }
}
