import ObjectMapping

/// An object whose changes a request has, until the response is saved.
///
/// The context records which of these changes it reverts meanwhile: a save writes nothing for them, but the server will have
/// the other value.
package final class PendingSend {
    fileprivate let object: ManagedObject
    /// The changes, with those that were reverted so far.
    package private(set) var changes: UnsavedChanges

    fileprivate init(_ object: ManagedObject, _ changes: UnsavedChanges) {
        (self.object, self.changes) = (object, changes)
    }

    fileprivate func noteUnwritten(_ property: PropertyIndex, of changed: ManagedObject) {
        if changed === object { return changes.noteUnwritten(property) }
        changes.noteUnwritten(property, of: ChangeSet.RowID(entity: Int(changed.entityIndex), row: changed.row))
    }
}

extension UnsavedChanges {
    fileprivate mutating func noteUnwritten(_ property: PropertyIndex) {
        let isSent =
            switch property {
            case .attribute(let index): attributes.contains { $0.index == index }
            case .relationship(let index): targets.contains { $0.relationship == index }
            }
        if isSent { reverted.insert(property) }
    }

    /// Records an unwritten property of an object that was sent with this one.
    fileprivate mutating func noteUnwritten(_ property: PropertyIndex, of row: ChangeSet.RowID) {
        for index in others.indices where others[index].entity == row.entity && others[index].row == row.row {
            others[index].changes.noteUnwritten(property)
        }
        for index in children.indices {
            if children[index].entity == row.entity, children[index].row == row.row {
                children[index].changes.noteUnwritten(property)
            }
            children[index].changes.noteUnwritten(property, of: row)
        }
    }
}

extension ObjectContext {
    /// Records the changes of an object that a request is about to send.
    package func beginSend(of object: ManagedObject, _ changes: UnsavedChanges) -> PendingSend {
        let send = PendingSend(object, changes)
        core.sending.pending.append(send)
        return send
    }

    /// Forgets changes whose request has ended.
    package func end(_ send: PendingSend) { core.sending.pending.removeAll { $0 === send } }
}

extension ContextCore {
    /// Records that a save does not write a property, because it has the saved value again.
    func noteUnwritten(_ property: PropertyIndex, of object: ManagedObject) {
        merges.unwritten.append(object)
        for send in sending.pending { send.noteUnwritten(property, of: object) }
    }
}

extension ContextCore {
    /// Returns the saved objects in memory with edits of which the server has the earlier values.
    fileprivate func editedObjects() throws(StoreError) -> [(object: ManagedObject, unsent: UnsentValues)] {
        var marked: [ManagedObject: [String: StoredValue]] = [:]
        for object in changedObjects where object.state?.phase == .updated { marked[object] = [:] }
        if store.keepsUnsent {
            let marks = try store.read { (connection) throws(StoreError) in
                try UnsentMarks(connection)?.values(in: self.store.entities) ?? [:]
            }
            for (entity, rows) in marks {
                for (row, values) in rows {
                    // What a body has is in memory.
                    if let object = registries[entity][row], !object.access.contains(.fault) { marked[object] = values }
                }
            }
        }
        return marked.compactMap { object, values in
            guard values[UnsentMarks.object] == nil, object.state?.phase != .deleted, !object.hasUnsavedIdentity else {
                return nil
            }
            return (object, UnsentValues(values, entity(of: object)))
        }
    }
}

/// What the body of a request has of an object.
extension ManagedObject {
    /// Returns the changed properties, and those with saved edits, whose values make no difference to a request.
    ///
    /// - Parameters:
    ///   - changes: The unsaved changes of the object.
    ///   - unsent: Its saved edits that the server has not accepted.
    ///   - body: Returns what the request has of the object with the current values.
    package func properties(
        of changes: UnsavedChanges, _ unsent: UnsentValues, without body: () -> JSON?
    ) -> Set<PropertyIndex> {
        guard let core, let complete = body() else { return [] }
        let edits = edits(changes, unsent, core.entity(of: self))
        return Set(edits.map(\.property)).subtracting(Edit.written(edits, in: complete, body).map(\.property))
    }

    /// Returns the edits of other saved objects that a body has: the unsaved changes, and the saved ones that the server has
    /// not accepted.
    ///
    /// - Parameter body: Returns what the request has of this object and the others, with the current values.
    /// - Throws: `StoreError` if the store cannot be read.
    package func otherChanges(in body: () -> JSON?) throws(StoreError) -> [UnsavedChanges.Other] {
        guard let core, let complete = body() else { return [] }
        let edited = try core.editedObjects().filter { $0.object !== self }.map { edited in
            let entity = core.entity(of: edited.object)
            return (edited.object, changes: edited.object.unsavedChanges, edited.unsent, entity)
        }
        let edits = edited.map { $0.0.edits($0.changes, $0.2, $0.3) }
        let written = Edit.written(Array(edits.joined()), in: complete, body)
        let byObject = Dictionary(grouping: written, by: \.object)
        return zip(edited, edits).compactMap { edited, edits in
            guard let written = byObject[edited.0] else { return nil }
            var changes = edited.changes
            changes.unsent = Set(edits.map(\.property)).subtracting(written.map(\.property))
            // Those of other requests remain unsaved.
            changes.attributes.removeAll { changes.unsent.contains(.attribute($0.index)) }
            changes.targets.removeAll { changes.unsent.contains(.relationship($0.relationship)) }
            return UnsavedChanges.Other(entity: edited.3.index, row: edited.0.row, changes: changes)
        }
    }

    /// Returns the edited properties with the values that the server has.
    private func edits(_ changes: UnsavedChanges, _ unsent: UnsentValues, _ entity: StoredEntity) -> [Edit] {
        var earlier: [PropertyIndex: StoredValue] = [:]
        if changes.isNew {
            for (index, attribute) in entity.type.attributes.enumerated()
            where !attribute.isTransient && !attribute.isIdentity {
                earlier[.attribute(index)] = attribute.defaultValue
            }
            for index in entity.toOnes { earlier[.relationship(index)] = .null }
        } else {
            for change in changes.attributes {
                earlier[.attribute(change.index)] = changes.saved.values[change.index] ?? .null
            }
            for change in changes.targets {
                earlier[.relationship(change.relationship)] = .integer(changes.saved.rows[change.relationship])
            }
            for (property, value) in unsent.previous { earlier[property] = value }
        }
        return earlier.map { Edit(object: self, property: $0, earlier: $1) }.filter(\.isChange)
    }

    /// Returns properties without the relationships whose foreign keys a request has instead.
    ///
    /// - Parameters:
    ///   - properties: Properties that the request does not have.
    ///   - keys: The names of relationships, and those of the attributes with the identities of their targets.
    package func properties(_ properties: Set<PropertyIndex>, withoutKeyed keys: [(name: String, keys: [String])])
        -> Set<PropertyIndex>
    {
        guard let core, !properties.isEmpty else { return properties }
        let entity = core.entity(of: self)
        return properties.filter { property in
            guard case .relationship(let index) = property else { return true }
            let target = core.target(of: self, index, row: entity.type.relationships[index].row(of: self))
            return !keys.contains { keyed in
                let attributes = keyed.keys.compactMap(entity.property(named:))
                guard keyed.name == entity.relationships[index].name, !attributes.contains(where: properties.contains),
                    attributes.count == keyed.keys.count
                else { return false }
                let values = attributes.map { attribute -> StoredValue? in
                    guard case .attribute(let index) = attribute else { return nil }
                    return entity.type.attributes[index].storedValue(of: self).flatMap { $0.isNull ? nil : $0 }
                }
                return target.map { $0.identityValues == values } ?? values.contains(nil)
            }
        }
    }
}
