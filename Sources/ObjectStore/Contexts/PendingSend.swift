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

    fileprivate func noteUnwritten(_ property: PropertyIndex) {
        let isSent =
            switch property {
            case .attribute(let index): changes.attributes.contains { $0.index == index }
            case .relationship(let index): changes.targets.contains { $0.relationship == index }
            }
        if isSent { changes.reverted.insert(property) }
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
        for send in sending.pending where send.object === object { send.noteUnwritten(property) }
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
        let type = core.entity(of: self).type
        var earlier: [PropertyIndex: StoredValue] = [:]
        if changes.isNew {
            for (index, attribute) in type.attributes.enumerated() where !attribute.isTransient && !attribute.isIdentity
            {
                earlier[.attribute(index)] = attribute.defaultValue
            }
            for index in core.entity(of: self).toOnes { earlier[.relationship(index)] = .null }
        } else {
            for change in changes.attributes {
                earlier[.attribute(change.index)] = changes.saved.values[change.index] ?? .null
            }
            for change in changes.targets {
                earlier[.relationship(change.relationship)] = .integer(changes.saved.rows[change.relationship])
            }
            for (property, value) in unsent.previous { earlier[property] = value }
        }
        return Set(
            earlier.compactMap { property, value in
                switch property {
                case .attribute(let index):
                    guard type.attributes[index].storedValue(of: self) != value else { return nil }
                    let restore = type.attributes[index].keep(self)
                    _ = type.attributes[index].load(value, into: self)
                    defer { restore() }
                    return body() == complete ? property : nil
                case .relationship(let index):
                    let (relationship, row) = (type.relationships[index], type.relationships[index].row(of: self))
                    guard row >= 0, row != value.integer ?? 0 else { return nil }
                    relationship.setRow(value.integer ?? 0, of: self)
                    defer { relationship.setRow(row, of: self) }
                    return body() == complete ? property : nil
                }
            })
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
