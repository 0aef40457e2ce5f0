import ObjectMapping

/// The unsaved changes of an object that another context can save: those that a request sends.
///
/// They include attributes and to-one relationships to saved objects, without the identity.
package struct UnsavedChanges: Sendable {
    fileprivate struct Attribute {
        let index: Int
        let value: StoredValue
    }

    fileprivate struct Target {
        let relationship: Int
        /// 0 for none.
        let row: Int64
    }

    fileprivate var attributes: [Attribute] = []
    fileprivate var targets: [Target] = []
}

extension ManagedObject {
    /// The values of the identity.
    package var identityValues: [StoredValue?] {
        fireIfFault()
        let attributes = (try? ManagedClass.of(type(of: self)))?.attributes ?? []
        return attributes.filter(\.isIdentity).map { $0.storedValue(of: self) }
    }

    /// The current changes.
    package var unsavedChanges: UnsavedChanges {
        var changes = UnsavedChanges()
        guard let core, let state, state.phase == .updated else { return changes }
        let type = core.entity(of: self).type
        for base in state.bases {
            let attribute = type.attributes[base.attribute]
            guard !attribute.isTransient, !attribute.isIdentity, let value = attribute.storedValue(of: self),
                value != base.value
            else { continue }
            changes.attributes.append(UnsavedChanges.Attribute(index: base.attribute, value: value))
        }
        for base in state.linkBases {
            let row = type.relationships[base.relationship].row(of: self)
            guard row >= 0, row != base.row else { continue }
            changes.targets.append(UnsavedChanges.Target(relationship: base.relationship, row: row))
        }
        return changes
    }

    /// Assigns the changes of the same object in another context.
    package func assign(_ changes: UnsavedChanges) {
        fireIfFault()
        guard let core else { return }
        let type = core.entity(of: self).type
        for change in changes.attributes {
            let attribute = type.attributes[change.index]
            let state = core.willChange(self)
            if state.assign(attribute.offset) {
                let base = attribute.storedValue(of: self) ?? .null
                state.bases.append(ObjectState.Base(attribute: change.index, value: base))
            }
            _ = attribute.load(change.value, into: self)
        }
        for change in changes.targets {
            let target = change.row == 0 ? nil : core.target(of: self, change.relationship, row: change.row)
            core.setTarget(target, of: self, change.relationship)
        }
    }

    /// Forgets changes that another context has saved, so that the next merge reads their properties; those that were
    /// assigned again are kept.
    package func discard(_ changes: UnsavedChanges) {
        core?.reconcile()
        guard let core, let state, state.phase == .updated else { return }
        let type = core.entity(of: self).type
        state.bases.removeAll { base in
            let attribute = type.attributes[base.attribute]
            guard let change = changes.attributes.first(where: { $0.index == base.attribute }),
                attribute.storedValue(of: self) == change.value
            else { return false }
            return state.assigned.remove(attribute.offset)
        }
        state.linkBases.removeAll { base in
            let property = type.relationships[base.relationship]
            guard let change = changes.targets.first(where: { $0.relationship == base.relationship }),
                property.row(of: self) == change.row
            else { return false }
            return state.assigned.remove(property.offset)
        }
        guard state.bases.isEmpty, state.linkBases.isEmpty, state.listBases.isEmpty else { return }
        state.phase = .clean
        core.didDiscardChanges()
    }
}
