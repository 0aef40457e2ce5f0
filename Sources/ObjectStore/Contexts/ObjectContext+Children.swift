import ObjectMapping

/// New objects that are sent with their owner, in the list of a to-many relationship.
extension ManagedObject {
    /// Returns the new objects in to-many relationships that a body has, in order.
    ///
    /// - Parameter body: Returns the body with the current objects.
    package func newChildren(in body: () -> JSON?) -> [UnsavedChanges.Child] {
        guard let core, let complete = body() else { return [] }
        core.reconcile()
        var children: [UnsavedChanges.Child] = []
        for (index, property) in core.entity(of: self).type.relationships.enumerated() where property.isToMany {
            guard let objects = core.list(index, of: self) else { continue }
            let new = objects.filter { $0.state?.phase == .inserted }
            guard !new.isEmpty else { continue }
            property.setObjects(objects.filter { $0.state?.phase != .inserted }, of: self)
            let isWritten = body() != complete
            property.setObjects(objects, of: self)
            guard isWritten else { continue }
            children += new.map { child in
                UnsavedChanges.Child(
                    relationship: index, entity: Int(child.entityIndex), row: child.row, changes: child.unsavedChanges)
            }
        }
        return children
    }

    /// Calls a closure while its to-many relationships do not have the new objects that were already sent.
    package func withoutSentChildren<Result>(_ body: () -> Result) -> Result {
        guard let core, !core.sending.sentChildren.isEmpty else { return body() }
        core.reconcile()
        core.sending.sentChildren.removeAll { child in
            child.core !== core || child.identityValues.contains { $0 != nil }
        }
        let sent = Set(core.sending.sentChildren)
        var restorations: [() -> Void] = []
        for (index, property) in core.entity(of: self).type.relationships.enumerated() where property.isToMany {
            guard let objects = core.list(index, of: self), objects.contains(where: sent.contains) else { continue }
            restorations.append { property.setObjects(objects, of: self) }
            property.setObjects(objects.filter { !sent.contains($0) }, of: self)
        }
        defer { for restore in restorations { restore() } }
        return body()
    }
}

extension ObjectContext {
    // MARK: In the context that saves

    /// Finds the objects of a response for the new objects that were sent with their owner.
    ///
    /// If a relationship has as many new objects as were sent, they have the same order. Attributes that the response does not
    /// have receive the values that were sent.
    package func noteCreated(_ changes: UnsavedChanges, in owner: ManagedObject) {
        for (index, children) in Dictionary(grouping: changes.children, by: \.relationship) {
            let new = core.targets(of: owner, index).filter { $0.state?.phase == .inserted }
            guard new.count == children.count else { continue }
            for (child, object) in zip(children, new) {
                let attributes = core.entity(of: object).type.attributes
                for change in child.changes.attributes
                where object.state?.isAssigned(attributes[change.index].offset) == false {
                    object.set(change.value, at: change.index)
                }
                core.sending.created[child.row] = object
            }
        }
    }

    /// Returns the saved objects of the response for the new objects that were sent with their owner, by temporary row.
    package func savedChildren() -> [Int64: SavedCopy] { core.sending.created.compactMapValues { SavedCopy($0) } }

    // MARK: In the context of the sender

    /// Gives new objects that were sent with their owner the rows of their copies.
    package func didSend(_ changes: UnsavedChanges, _ copies: [Int64: SavedCopy]) {
        core.finishSaveInFlight()
        core.changing { core.didSend(changes.children, copies) }
    }
}
