import ObjectMapping

/// The objects that were sent with another one.
struct SentChildren {
    /// In the context that saves: the objects for them, by their rows, which are temporary for new ones.
    var saved: [ChangeSet.RowID: ManagedObject] = [:]
    /// In the context of the sender: the new objects without an object in the response.
    var sent: [ManagedObject] = []
    /// Those that a body does not have, while it is written.
    var hidden: Set<ManagedObject> = []
}

/// An object in the context that saves a response, with its changes that were sent.
struct SentCopy {
    let object: ManagedObject
    let changes: UnsavedChanges
    /// Whether the server had it before.
    let isEdited: Bool

    init(_ object: ManagedObject, _ changes: UnsavedChanges, isEdited: Bool = true) {
        (self.object, self.changes, self.isEdited) = (object, changes, isEdited)
    }
}

/// New objects that are sent with their owner, in the list of a to-many relationship.
extension ManagedObject {
    /// Returns the objects in to-many relationships that a body has and the server does not, at any level, in order.
    ///
    /// - Parameter body: Returns the body with the current objects.
    /// - Throws: `StoreError` if the store cannot be read.
    package func newChildren(in body: () -> JSON?) throws(StoreError) -> [UnsavedChanges.Child] {
        guard let complete = body() else { return [] }
        var known: Set<ManagedObject> = [self]
        return try newChildren(in: body, complete, &known)
    }

    private func newChildren(
        in body: () -> JSON?, _ complete: JSON, _ known: inout Set<ManagedObject>
    ) throws(StoreError) -> [UnsavedChanges.Child] {
        guard let core else { return [] }
        core.reconcile()
        var children: [UnsavedChanges.Child] = []
        for (index, property) in core.entity(of: self).type.relationships.enumerated() where property.isToMany {
            // The body has read the lists that it has.
            guard let objects = core.list(index, of: self), !objects.isEmpty else { continue }
            let new = try core.neverSent(objects).subtracting(known)
            guard !new.isEmpty else { continue }
            property.setObjects(objects.filter { !new.contains($0) }, of: self)
            let isWritten = body() != complete
            property.setObjects(objects, of: self)
            guard isWritten else { continue }
            known.formUnion(new)
            for child in objects where new.contains(child) {
                var changes = child.unsavedChanges
                changes.children = try child.newChildren(in: body, complete, &known)
                children.append(
                    UnsavedChanges.Child(
                        relationship: index, entity: Int(child.entityIndex), row: child.row, changes: changes))
            }
        }
        return children
    }

    /// Calls a closure while to-many relationships do not have the objects that were sent with their owner, and whose
    /// identities are unknown: a server that adds the objects of a body would create them twice.
    package func withoutSentChildren<Result>(_ body: () -> Result) -> Result {
        guard let core, core.sending.children.hidden.isEmpty else { return body() }
        core.reconcile()
        // Reads the lists that the body has.
        let complete = body()
        var known: Set<ManagedObject> = [self]
        var restorations: [() -> Void] = []
        hideSentChildren(&known, &restorations)
        guard !restorations.isEmpty else { return complete }
        defer {
            for restore in restorations { restore() }
            core.sending.children.hidden = []
        }
        return body()
    }

    private func hideSentChildren(_ known: inout Set<ManagedObject>, _ restorations: inout [() -> Void]) {
        guard let core else { return }
        for (index, property) in core.entity(of: self).type.relationships.enumerated() where property.isToMany {
            guard let objects = core.list(index, of: self), !objects.isEmpty else { continue }
            let sent = core.sentWithoutIdentity(objects)
            if !sent.isEmpty {
                restorations.append { property.setObjects(objects, of: self) }
                property.setObjects(objects.filter { !sent.contains($0) }, of: self)
                core.sending.children.hidden.formUnion(sent)
            }
            for child in objects where !sent.contains(child) && known.insert(child).inserted {
                child.hideSentChildren(&known, &restorations)
            }
        }
    }
}

extension ObjectContext {
    // MARK: In the context that saves

    /// Finds the objects of a response for the new objects that were sent with their owner.
    ///
    /// If a relationship has as many new objects as were sent, they have the same order. Attributes that the response does not
    /// have receive the values that were sent. Objects that were saved before keep their rows, and count as sent.
    ///
    /// - Parameter owner: `nil` if the response does not have it.
    func noteCreated(_ children: [UnsavedChanges.Child], in owner: ManagedObject?) throws(StoreError) {
        for (index, children) in Dictionary(grouping: children, by: \.relationship) {
            let new = owner.map { core.targets(of: $0, index).filter { $0.state?.phase == .inserted } } ?? []
            let isComplete = new.count == children.count
            for (place, child) in children.enumerated() {
                var created = isComplete ? new[place] : nil
                if child.row > 0 {
                    let saved = try core.read(core.store.entities[child.entity], rows: [child.row]).first
                    guard let saved else { continue }
                    if let created { core.move(created, to: saved, child.changes) }
                    if let owner, let inverse = core.entity(of: owner).relationships[index].inverse,
                        saved.isWithoutTarget(inverse)
                    {
                        core.setTarget(owner, of: saved, inverse)
                    }
                    noteAccepted(saved, child.changes, onlyChanges: false)
                    created = saved
                } else {
                    created?.setUnassigned(child.changes)
                }
                if let created {
                    core.sending.children.saved[ChangeSet.RowID(entity: child.entity, row: child.row)] = created
                }
                try noteCreated(child.changes.children, in: created)
            }
        }
    }

    /// Returns the saved objects for those that were sent with another one.
    func savedChildren() -> [ChangeSet.RowID: SavedCopy] {
        core.sending.children.saved.compactMapValues { SavedCopy($0) }
    }
}

extension ManagedObject {
    /// Assigns changes of attributes that have no assigned values.
    fileprivate func setUnassigned(_ changes: UnsavedChanges) {
        guard let attributes = core?.entity(of: self).type.attributes else { return }
        for change in changes.attributes where state?.isAssigned(attributes[change.index].offset) == false {
            set(change.value, at: change.index)
        }
    }

    /// Whether a relationship is a to-one relationship without a target.
    fileprivate func isWithoutTarget(_ index: Int) -> Bool {
        guard let property = core?.entity(of: self).type.relationships[index], !property.isToMany else { return false }
        fireIfFault()
        return property.row(of: self) == 0
    }
}

extension ContextCore {
    /// Returns the objects that are new, or that were never sent.
    fileprivate func neverSent(_ objects: [ManagedObject]) throws(StoreError) -> Set<ManagedObject> {
        var found: Set<ManagedObject> = []
        let isMarking = store.keepsUnsent
        for (index, objects) in Dictionary(grouping: objects, by: { Int($0.entityIndex) }) {
            found.formUnion(objects.lazy.filter { $0.state?.phase == .inserted })
            guard isMarking, objects.contains(where: { $0.row > 0 }) else { continue }
            let marks = try store.read { (connection) throws(StoreError) in
                try UnsentMarks(connection)?.properties(of: self.store.entities[index]) ?? [:]
            }
            found.formUnion(objects.lazy.filter { marks[$0.row]?.contains(UnsentMarks.object) == true })
        }
        return found
    }

    /// Returns the objects that were sent with their owner, and whose identities are unknown: new ones, and saved ones without
    /// an identity that are not marked as never sent.
    fileprivate func sentWithoutIdentity(_ objects: [ManagedObject]) -> Set<ManagedObject> {
        guard let first = objects.first, !entity(of: first).identity.isEmpty else { return [] }
        let unidentified = objects.filter { object in object.identityValues.allSatisfy { $0 == nil } }
        guard !unidentified.isEmpty else { return [] }
        let sent = Set(sending.children.sent)
        var found = Set(unidentified.filter(sent.contains))
        let saved = unidentified.filter { $0.row > 0 }
        // If the marks cannot be read, they are not sent: they would remain unsent, and not be created twice.
        if store.keepsUnsent, !saved.isEmpty { found.formUnion(Set(saved).subtracting((try? neverSent(saved)) ?? [])) }
        return found
    }

    /// What a server has accepted, with the new objects that were sent with their owner: a save does not mark them as never
    /// sent.
    var acceptedObjects: [ChangeSet.Accepted] {
        guard !sending.children.sent.isEmpty else { return sending.accepted }
        sending.children.sent.removeAll { child in
            child.core !== self || child.row > 0 || child.identityValues.contains { $0 != nil }
        }
        return sending.accepted
            + sending.children.sent.map { child in
                ChangeSet.Accepted(entity: Int(child.entityIndex), row: child.row, values: [])
            }
    }

    /// Moves the values of a new object of a response to the saved object that was sent, and what refers to it.
    fileprivate func move(_ new: ManagedObject, to saved: ManagedObject, _ changes: UnsavedChanges) {
        saved.fireIfFault()
        let entity = entity(of: new)
        var values = changes.attributes.map { (index: $0.index, value: $0.value) }
        for (index, attribute) in entity.type.attributes.enumerated()
        where !attribute.isTransient && new.state?.isAssigned(attribute.offset) == true {
            guard let value = attribute.storedValue(of: new) else { continue }
            values.append((index, value))
        }
        let targets = entity.toOnes.map { index in
            (index: index, target: target(of: new, index, row: entity.type.relationships[index].row(of: new)))
        }
        moveReferences(from: new, to: saved, in: dirty.objects, onlyAssigned: false)
        delete(new, keepingTargets: true)
        for (index, value) in values { saved.set(value, at: index) }
        for case (let index, let target?) in targets { setTarget(target, of: saved, index) }
    }
}
