/// An object that was sent, while another thread saves a copy of it with the response.
final class SentObject {
    let object: ManagedObject
    let changes: UnsavedChanges
    /// The object of the context that already had the row of the copy.
    fileprivate(set) var replacement: ObjectID?

    init(_ object: ManagedObject, _ changes: UnsavedChanges) {
        self.object = object
        self.changes = changes
    }
}

/// The saved copy of an object that was sent.
struct SavedCopy: Sendable {
    let row: Int64
    let saved: SavedProperties
    let unassignedIdentity: UInt8

    /// - Returns: `nil` if the object was deleted.
    init?(_ object: ManagedObject) {
        // The values first, which are read if the object is a fault.
        saved = object.savedProperties
        guard object.core != nil, object.row > 0 else { return nil }
        (row, unassignedIdentity) = (object.row, object.unassignedIdentity)
    }
}

/// Objects that were sent take over the row of their copy.
extension ContextCore {
    /// Creates a copy of a new object of another context, without calling its hook.
    func copy(_ type: ManagedClass, _ changes: UnsavedChanges) -> ManagedObject {
        let copy = type.makeObject()
        _ = add(copy)
        guard copy.core === self, let state = copy.state else { return copy }
        let attributes = entity(of: copy).type.attributes
        for (attribute, value) in zip(attributes, changes.saved.values) where !attribute.isTransient {
            if let value { _ = attribute.load(value, into: copy) }
        }
        for change in changes.attributes { _ = state.assign(attributes[change.index].offset) }
        for change in changes.targets {
            setTarget(target(of: copy, change.relationship, row: change.row), of: copy, change.relationship)
        }
        copy.assignLists(of: changes)
        return copy
    }

    /// Updates an object that was sent with its saved copy.
    ///
    /// What was changed since it was sent, and what was not sent, remains unsaved.
    func didSave(_ sent: SentObject, _ outcome: SaveOutcome) {
        let object = sent.object
        guard let copy = outcome.copy, object.core === self else {
            // A saved one is detached by the merge.
            if outcome.isCopyDeleted, object.core === self, object.row < 0 { delete(object, keepingTargets: true) }
            // The others were saved nevertheless.
            if outcome.copy != nil || outcome.isCopyDeleted { changing { didSend(sent.changes, outcome.children) } }
            return
        }
        let state = object.state ?? ObjectState(.clean)
        object.state = state
        reads.didRead()
        changing {
            if object.row != copy.row {
                if let other = registries[Int(object.entityIndex)][copy.row] {
                    sent.replacement = id(of: other)
                    load(copy.saved, intoUnassignedOf: other)
                    replace(object, by: other, sent.changes)
                    didSend(sent.changes, outcome.children)
                    // Observations have it, and there may be nothing to commit.
                    return store.signal.send()
                }
                move(object, state, to: copy.row)
            }
            if state.phase == .inserted {
                finish(object, state, sent.changes, copy)
            } else {
                object.discard(sent.changes, saved: copy.saved)
                // A merge may wait for other commits.
                if state.phase != .deleted {
                    load(copy.saved, intoUnassignedOf: object)
                    object.unassignedIdentity = copy.unassignedIdentity
                }
            }
            didSend(sent.changes, outcome.children)
            dirty.lists.changes = nil
        }
    }

    /// Updates the objects that were sent with another one: saved ones have their changes in the file, and new ones receive
    /// the rows of their copies.
    func didSend(_ changes: UnsavedChanges, _ copies: [ChangeSet.RowID: SavedCopy]) {
        for other in changes.others {
            guard let object = registries[other.entity][other.row],
                let copy = copies[ChangeSet.RowID(entity: other.entity, row: other.row)]
            else { continue }
            object.discard(other.changes, saved: copy.saved)
        }
        for child in changes.children {
            didSend(child.changes, copies)
            guard let object = registries[child.entity][child.row] else { continue }
            let copy = copies[ChangeSet.RowID(entity: child.entity, row: child.row)]
            if child.row > 0 {
                if let copy { object.discard(child.changes, saved: copy.saved) }
                continue
            }
            guard let state = object.state, state.phase == .inserted else { continue }
            guard let copy else {
                if !store.entities[child.entity].identity.isEmpty { sending.children.sent.append(object) }
                continue
            }
            if let other = registries[child.entity][copy.row] {
                load(copy.saved, intoUnassignedOf: other)
                replace(object, by: other, child.changes)
            } else {
                move(object, state, to: copy.row)
                finish(object, state, child.changes, copy)
            }
        }
    }

    /// Sets the unassigned properties of an object to saved values, which a merge would read.
    private func load(_ saved: SavedProperties, intoUnassignedOf object: ManagedObject) {
        let entity = entity(of: object)
        object.fireIfFault()
        for (index, attribute) in entity.type.attributes.enumerated()
        where !attribute.isTransient && object.state?.isAssigned(attribute.offset) != true {
            _ = attribute.load(saved.values[index] ?? .null, into: object)
            didChange(object, at: attribute.offset)
        }
    }

    /// Gives an object another row, with the references to it in memory.
    private func move(_ object: ManagedObject, _ state: ObjectState, to row: Int64) {
        let (old, index) = (object.row, Int(object.entityIndex))
        if old < 0, state.hasSharedID { store.identity.remember(row, for: old) }
        registries[index].move(object, from: old, to: row)
        (object.row, object.batch) = (row, nil)
        // The numbers of new objects are unique among all entities.
        if old < 0 { dirty.lists.appendOrder.replace(old, by: row) }
        // Only changed objects refer to a new one.
        for holder in old < 0 ? dirty.objects : registries.flatMap(\.objects) where holder.core === self {
            let entity = entity(of: holder)
            for (list, rows) in holder.state?.listBases ?? [:]
            where entity.relationships[list].destination == Int(object.entityIndex) && rows.contains(old) {
                holder.state?.listBases[list] = rows.map { $0 == old ? row : $0 }
            }
            for index in entity.toOnes where entity.relationships[index].destination == Int(object.entityIndex) {
                let property = entity.type.relationships[index]
                if property.row(of: holder) == old { property.setRow(row, of: holder) }
                if let bases = holder.state?.linkBases, bases.contains(where: { $0.row == old }) {
                    holder.state?.linkBases = bases.map { base in
                        base.relationship == index && base.row == old
                            ? ObjectState.LinkBase(relationship: index, row: row) : base
                    }
                }
            }
        }
    }

    /// Makes a new object a saved one with the values of its copy.
    private func finish(
        _ object: ManagedObject, _ state: ObjectState, _ changes: UnsavedChanges, _ copy: SavedCopy
    ) {
        let entity = entity(of: object)
        var assigned = AssignedProperties()
        for (index, attribute) in entity.type.attributes.enumerated() where !attribute.isTransient {
            let saved = copy.saved.values[index] ?? .null
            if attribute.storedValue(of: object) == changes.saved.values[index] {
                _ = attribute.load(saved, into: object)
            } else {
                state.bases.append(ObjectState.Base(attribute: index, value: saved))
                _ = assigned.insert(attribute.offset)
            }
        }
        for index in entity.toOnes {
            let (property, saved) = (entity.type.relationships[index], copy.saved.rows[index])
            let row = property.row(of: object)
            if row == saved || row == changes.targets.first(where: { $0.relationship == index })?.row ?? 0 {
                // The response has another target: the lists of both are in memory.
                if row != saved { setTarget(target(of: object, index, row: saved), of: object, index) }
                property.setRow(saved, of: object)
                didSend(index, of: object, from: row, to: 0)
            } else {
                state.linkBases.append(ObjectState.LinkBase(relationship: index, row: saved))
                _ = assigned.insert(property.offset)
            }
            didSend(index, of: object, from: 0, to: saved)
        }
        object.unassignedIdentity = copy.unassignedIdentity
        state.allAssigned = assigned
        state.phase = .updated
        rebaseLists(of: object, state, to: changes.lists)
        // An existing row has objects in its lists.
        for (index, relationship) in entity.relationships.enumerated()
        where relationship.isToMany && state.listBases[index] == nil { renewList(index, of: object) }
        didChange(object)
        didChangeTarget(object)
        settle(object, state)
    }

    /// Updates the saved rows of the lists that an object left and joined when its to-one relationship was saved.
    ///
    /// Other changes of the lists remain. The other sides of a one-to-one relationship were saved with it.
    func didSend(_ index: Int, of object: ManagedObject, from old: Int64, to new: Int64) {
        let relationship = entity(of: object).relationships[index]
        guard old != new else { return }
        guard let list = store.entities.inverseList(of: relationship) else {
            if store.remote != nil { didSendOneToOne(index, of: object, from: old, to: new) }
            return
        }
        for (row, isMember) in [(old, false), (new, true)] {
            let list = ListID(entity: relationship.destination, relationship: list, row: row)
            noteSaved(object.row, in: list, isMember: isMember)
        }
    }

    /// Adds an object to the saved rows of a list, or removes it, after the other side was saved.
    func noteSaved(_ row: Int64, in list: ListID, isMember: Bool) {
        func note(_ rows: inout [Int64]) {
            if !isMember { rows.removeAll { $0 == row } }
            if isMember, !rows.contains(row) { rows.append(row) }
        }
        if var rows = dirty.lists.readRows[list] {
            note(&rows)
            dirty.lists.readRows[list] = rows
        }
        guard let owner = registries[list.entity][list.row], let state = owner.state else { return }
        if var rows = state.listBases[list.relationship] {
            note(&rows)
            state.listBases[list.relationship] = rows
        }
        settle(owner, state)
    }

    /// Makes a changed object an unchanged one if none of its changes remains.
    func settle(_ object: ManagedObject, _ state: ObjectState) {
        // Of a change that a remote may have, they take it back.
        let keepsEqual = !state.listBases.isEmpty && mayHaveArrived(object)
        for (index, rows) in state.listBases where !keepsEqual && hasSaved(rows, index, of: object) {
            state.listBases[index] = nil
        }
        guard state.phase == .updated, state.bases.isEmpty, state.linkBases.isEmpty, state.listBases.isEmpty,
            state.problems.isEmpty, state.unsentTargets.isEmpty
        else { return }
        applyEdits(to: object, state)
        state.clear(.clean)
        didDiscardChanges()
    }
}
