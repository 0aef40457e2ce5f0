import ObjectMapping

/// The unsaved changes of an object that another context can save: those that a request sends.
///
/// They include attributes, and to-one relationships to saved objects whose inverse is a list; the identity only of a new
/// object. Those that a remote receives also have one-to-one relationships, and lists.
package struct UnsavedChanges: Sendable {
    struct Attribute {
        let index: Int
        let value: StoredValue
    }

    struct Target {
        let relationship: Int
        /// 0 for none.
        let row: Int64
    }

    /// A list whose objects do not refer to the object by a to-one relationship, and that was assigned or changed in place.
    struct List {
        let relationship: Int
        /// In the order of the list.
        let rows: [Int64]
        /// When the list was read.
        let old: [Int64]
    }

    var attributes: [Attribute] = []
    var targets: [Target] = []
    var lists: [List] = []
    /// The saved values of all attributes, and the rows of all to-one relationships.
    var saved = SavedProperties()
    /// Whether the server does not have the object.
    package var isNew = false
    /// The properties, changed or with saved edits, that the request does not have.
    package var unsent: Set<PropertyIndex> = []
    /// The properties of an object that the server does not have, which no request has.
    package var local: Set<PropertyIndex> = []
    /// What was sent, and was reverted or edited again since.
    package var reverted: Set<PropertyIndex> = []
    /// The new objects in to-many relationships that the body has, in order.
    package var children: [Child] = []
    /// The edits of other saved objects that the body has.
    package var others: [Other] = []

    /// A new object in a to-many relationship of the object.
    package struct Child: Sendable {
        let relationship: Int
        let entity: Int
        /// The temporary row, or that of a saved object that was never sent.
        let row: Int64
        var changes: UnsavedChanges
    }

    /// A saved object, with its changes that the body has.
    package struct Other: Sendable {
        let entity: Int
        let row: Int64
        var changes: UnsavedChanges
    }
}

/// The values of an object's attributes, and the rows of its to-one relationships, by their index.
package struct SavedProperties: Sendable, Equatable {
    var values: [StoredValue?] = []
    var rows: [Int64] = []
}

extension SavedProperties {
    /// Returns the properties with other values than earlier ones of the same object; none without those.
    func properties(otherThan earlier: SavedProperties) -> Set<PropertyIndex> {
        guard values.count == earlier.values.count else { return [] }
        let attributes = values.indices.filter { values[$0] != earlier.values[$0] }.map(PropertyIndex.attribute)
        let targets = rows.indices.filter { rows[$0] != earlier.rows[$0] }.map(PropertyIndex.relationship)
        return Set(attributes + targets)
    }
}

extension UnsavedChanges {
    /// Whether there is nothing to send.
    var isEmpty: Bool { attributes.isEmpty && targets.isEmpty && lists.isEmpty }

    /// The changed properties.
    var properties: Set<PropertyIndex> {
        Set(attributes.map { .attribute($0.index) })
            .union(targets.map { .relationship($0.relationship) }).union(lists.map { .relationship($0.relationship) })
    }

    /// Forgets the changes of properties.
    mutating func remove(_ properties: Set<PropertyIndex>) {
        attributes.removeAll { properties.contains(.attribute($0.index)) }
        targets.removeAll { properties.contains(.relationship($0.relationship)) }
        lists.removeAll { properties.contains(.relationship($0.relationship)) }
    }

    /// The saved properties without the changes.
    package var withoutChanges: UnsavedChanges {
        var copy = self
        (copy.attributes, copy.targets, copy.unsent, copy.reverted) = ([], [], [], [])
        return copy
    }
}

extension ManagedObject {
    /// Whether the identity was changed and not saved.
    package var hasUnsavedIdentity: Bool {
        guard let core, let state else { return false }
        let attributes = core.entity(of: self).type.attributes
        return state.bases.contains { base in
            attributes[base.attribute].isIdentity && attributes[base.attribute].storedValue(of: self) != base.value
        }
    }

    /// The values of the identity, `nil` for parts that were never assigned; reads the object if it is a fault.
    package var identityValues: [StoredValue?] {
        fireIfFault()
        guard let entity = core?.entity(of: self) else { return [] }
        return entity.identity.map { index in
            let attribute = entity.type.attributes[index]
            return hasIdentity(attribute, entity) ? attribute.storedValue(of: self) : nil
        }
    }

    /// Whether a part of the identity has the value in a text.
    package func hasIdentity(_ text: String, at name: String) -> Bool {
        fireIfFault()
        guard let entity = core?.entity(of: self),
            let attribute = entity.identity.lazy.map({ entity.type.attributes[$0] }).first(where: { $0.name == name })
        else { return false }
        return hasIdentity(attribute, entity)
            && attribute.storedValue(of: self) == entity.value(of: text, attribute)
    }

    /// Whether the identity is an earlier one, parts of which may have been unassigned: a response assigns them.
    package func keepsIdentity(_ earlier: [StoredValue?]) -> Bool {
        zip(identityValues, earlier).allSatisfy { $1 == nil || $0 == $1 }
    }

    /// The current changes.
    package var unsavedChanges: UnsavedChanges { changes() }

    /// Returns the current changes.
    ///
    /// - Parameters:
    ///   - hasLinks: Whether they include one-to-one relationships and lists. Defaults to `false`.
    ///   - includesNew: Whether they include references to new objects, by their temporary rows. Defaults to `false`.
    func changes(withLinks hasLinks: Bool = false, toNew includesNew: Bool = false) -> UnsavedChanges {
        fireIfFault()
        var changes = UnsavedChanges()
        guard let core else { return changes }
        let entity = core.entity(of: self)
        changes.saved = savedProperties
        guard let state, state.phase == .updated || state.phase == .inserted else { return changes }
        if hasLinks { core.reconcile() }
        func add(_ index: Int, from base: Int64) {
            let target = targetRow(index, entity)
            guard target != base, target > 0 || target == 0 && state.phase == .updated || target < 0 && includesNew,
                hasLinks || isSent(index, entity)
            else { return }
            changes.targets.append(UnsavedChanges.Target(relationship: index, row: target))
        }
        if state.phase == .inserted {
            addAssigned(to: &changes, state, entity)
            for index in entity.toOnes { add(index, from: 0) }
        }
        for base in state.bases {
            let attribute = entity.type.attributes[base.attribute]
            changes.saved.values[base.attribute] = base.value
            guard !attribute.isTransient, !attribute.isIdentity, let value = attribute.storedValue(of: self),
                value != base.value
            else { continue }
            changes.attributes.append(UnsavedChanges.Attribute(index: base.attribute, value: value))
        }
        for base in state.linkBases {
            changes.saved.rows[base.relationship] = base.row
            add(base.relationship, from: base.row)
        }
        for index in hasLinks ? state.assignedLists.sorted() : [] {
            guard let old = state.listBases[index], let rows = listRows(index, toNew: includesNew) else { continue }
            let isChanged = entity.relationships[index].isOrdered ? rows != old : Set(rows) != Set(old)
            if isChanged { changes.lists.append(UnsavedChanges.List(relationship: index, rows: rows, old: old)) }
        }
        return changes
    }

    /// Returns the row of a to-one relationship; 0 for a new object that was deleted.
    private func targetRow(_ index: Int, _ entity: StoredEntity) -> Int64 {
        let row = entity.type.relationships[index].row(of: self)
        guard row < 0, let core else { return row }
        let target = core.registries[entity.relationships[index].destination][row]
        return target?.state?.phase == .inserted ? row : 0
    }

    /// The reasons why a new object cannot be saved by itself.
    package var sendingProblems: [ObjectProblem] {
        core?.reconcile()
        guard let core, let state, state.phase == .inserted else { return [] }
        let entity = core.entity(of: self)
        func problem(_ property: String, _ message: String) -> ObjectProblem {
            ObjectProblem(object: core.id(of: self), property: property, message: message)
        }
        let unsuitable = entity.type.attributes.filter { !$0.isTransient && $0.storedValue(of: self) == nil }
        let unsaved = entity.toOnes.filter { index in
            entity.relationships[index].isRequired
                && (entity.type.relationships[index].row(of: self) < 0 || !isSent(index, entity))
        }
        return state.problems + unsuitable.map { problem($0.name, $0.refusal(of: self)) }
            + unsaved.map {
                problem(
                    entity.relationships[$0].name,
                    "expected a saved object, found a new one; save or post it first")
            }
    }

    /// Adds what was assigned to a new object.
    private func addAssigned(to changes: inout UnsavedChanges, _ state: ObjectState, _ entity: StoredEntity) {
        for (index, attribute) in entity.type.attributes.enumerated()
        where !attribute.isTransient && state.isAssigned(attribute.offset) {
            guard let value = attribute.storedValue(of: self) else { continue }
            changes.attributes.append(UnsavedChanges.Attribute(index: index, value: value))
        }
    }

    /// Whether another context can save a to-one relationship without a remote.
    private func isSent(_ index: Int, _ entity: StoredEntity) -> Bool {
        // Both sides of a one-to-one relationship are changes, of which only one was sent.
        core?.store.entities.isOneToOne(entity.relationships[index]) == false
    }

    /// The current values and rows.
    package var savedProperties: SavedProperties {
        fireIfFault()
        guard let type = core?.entity(of: self).type else { return SavedProperties() }
        return SavedProperties(
            values: type.attributes.map { $0.storedValue(of: self) },
            rows: type.relationships.map { $0.isToMany ? 0 : $0.row(of: self) })
    }

    /// Whether the object has the properties that were saved when it was sent; reads it if it is a fault.
    package func hasSaved(_ changes: UnsavedChanges?) -> Bool { changes.map { $0.saved == savedProperties } ?? true }
}
