/// The changes that were sent, in the context that saves the response and in that of the sender.
extension ManagedObject {
    // MARK: In the context that saves

    /// Assigns the changes of the same object in another context.
    ///
    /// - Parameter later: The properties that keep their values.
    func assign(_ changes: UnsavedChanges, except later: Set<PropertyIndex>) {
        let kept = changes.reverted.union(later)
        assign(
            changes, attributes: { !kept.contains(.attribute($0)) },
            targets: { !kept.contains(.relationship($0)) && !changes.unsent.contains(.relationship($0)) })
    }

    /// Assigns all changes of another object, except for its identity.
    func assignAll(_ changes: UnsavedChanges) {
        guard let attributes = core?.entity(of: self).type.attributes else { return }
        assign(changes, attributes: { !attributes[$0].isIdentity }, targets: { _ in true })
    }

    private func assign(
        _ changes: UnsavedChanges, attributes isAttribute: (Int) -> Bool, targets isTarget: (Int) -> Bool
    ) {
        for change in changes.attributes where isAttribute(change.index) { set(change.value, at: change.index) }
        for change in changes.targets where isTarget(change.relationship) {
            setRow(change.row, at: change.relationship)
        }
        assignLists(of: changes)
    }

    /// Returns the properties that the response to a request must not overwrite: those that were saved after it began, also
    /// by loads that began later, and saved edits that the server has not accepted.
    ///
    /// What was committed before, or by loads that began before, is older than the response.
    ///
    /// - Parameters:
    ///   - current: The properties in the file.
    ///   - changes: The changes that were sent, with the properties that the sender has seen.
    ///   - mark: The moment at which the request began.
    func laterProperties(
        _ current: SavedProperties, than changes: UnsavedChanges, since mark: CommitMark
    ) throws(StoreError) -> Set<PropertyIndex> {
        let different = current.properties(otherThan: changes.saved)
        guard !different.isEmpty, !mark.isSaved(row, Int(entityIndex)) else { return different }
        let unsent = try unsentValues()
        if unsent.isNew { return different }
        let loads = mark.laterLoads
        if loads?.isAll(Int(entityIndex)) == true { return different }
        let loaded = loads?.rows[Int(entityIndex)]?.properties[row] ?? []
        return different.intersection(loaded.union(unsent.previous.map(\.property)))
    }

    /// Compares the to-one relationships that were not sent with a response that was mapped onto the object: those with the
    /// targets that were not sent are accepted, and the others keep these targets and are not.
    ///
    /// - Parameter current: The properties before the response was mapped.
    func compareUnsent(_ changes: UnsavedChanges, _ current: SavedProperties) {
        guard let core else { return }
        let relationships = core.entity(of: self).type.relationships
        for change in changes.targets {
            let (property, row) = (
                PropertyIndex.relationship(change.relationship), relationships[change.relationship].row(of: self)
            )
            if changes.local.contains(property), row != change.row {
                setRow(change.row, at: change.relationship)
                core.sending.contradicted[self, default: []].insert(property)
            } else if changes.unsent.contains(property), row == change.row, current.rows[change.relationship] != row {
                core.sending.confirmed[self, default: []].insert(property)
            }
        }
    }

    /// Assigns the changes that were not sent: a response cannot have them.
    func assignUnsent(_ changes: UnsavedChanges) {
        for change in changes.attributes where changes.unsent.contains(.attribute(change.index)) {
            set(change.value, at: change.index)
        }
        for change in changes.targets where changes.unsent.contains(.relationship(change.relationship)) {
            setRow(change.row, at: change.relationship)
        }
    }

    private func setRow(_ row: Int64, at relationship: Int) {
        core?.setTarget(row == 0 ? nil : core?.target(of: self, relationship, row: row), of: self, relationship)
    }

    /// Restores the properties that the response to a request cannot have: later ones, and those that were not sent.
    ///
    /// - Parameters:
    ///   - current: The properties in the file.
    ///   - later: The later ones.
    func restore(_ current: SavedProperties, _ later: Set<PropertyIndex>, _ changes: UnsavedChanges) {
        guard let core, current.values.count == changes.saved.values.count else { return }
        let kept = changes.unsent.union(changes.reverted).union(later)
        for (index, value) in current.values.enumerated() where kept.contains(.attribute(index)) {
            if let value { set(value, at: index) }
        }
        let relationships = core.entity(of: self).type.relationships
        for (index, row) in current.rows.enumerated() where !relationships[index].isToMany {
            if row >= 0, kept.contains(.relationship(index)) { setRow(row, at: index) }
        }
        var unsent = changes
        unsent.unsent.subtract(later)
        assignUnsent(unsent)
    }

    /// Assigns the edits that were saved after another object with the same identity was sent, which is merged into this one.
    ///
    /// - Parameters:
    ///   - current: The saved properties of the other object.
    ///   - changes: Its changes when it was sent.
    /// - Returns: The properties with these edits.
    func assignEdits(_ current: SavedProperties, since changes: UnsavedChanges) -> Set<PropertyIndex> {
        guard let core else { return [] }
        let attributes = core.entity(of: self).type.attributes
        let edits = current.properties(otherThan: changes.saved).filter { property in
            switch property {
            case .attribute(let index):
                !attributes[index].isIdentity
                    && changes.attributes.first { $0.index == index }?.value != current.values[index]
            case .relationship(let index):
                changes.targets.first { $0.relationship == index }?.row != current.rows[index]
            }
        }
        for edit in edits {
            switch edit {
            case .attribute(let index): set(current.values[index] ?? .null, at: index)
            case .relationship(let index): setRow(current.rows[index], at: index)
            }
        }
        return edits
    }

    func set(_ value: StoredValue, at index: Int) {
        guard let attribute = core?.entity(of: self).type.attributes[index], !attribute.isTransient,
            attribute.storedValue(of: self) != value
        else { return }
        willChange(at: attribute.offset)
        _ = attribute.load(value, into: self)
        didChange(at: attribute.offset)
    }

    // MARK: In the context of the sender

    /// Forgets changes that another context has saved, so that the next merge reads their properties; those that were
    /// assigned again are changes of what is saved now.
    func discard(_ changes: UnsavedChanges, saved: SavedProperties) {
        core?.reconcile()
        guard let core, let state, state.phase == .updated, !saved.values.isEmpty else { return }
        let type = core.entity(of: self).type
        let changeCount = state.bases.count + state.linkBases.count
        for change in changes.attributes {
            // Others have saved another value of what was not sent: a save finds the conflict.
            let isSaved = saved.values[change.index] == change.value
            if !isSaved, changes.unsent.contains(.attribute(change.index)) { continue }
            let attribute = type.attributes[change.index]
            guard let place = state.bases.firstIndex(where: { $0.attribute == change.index }) else { continue }
            if attribute.storedValue(of: self) == change.value, state.assigned.remove(attribute.offset) {
                state.bases.remove(at: place)
            } else {
                let base = saved.values[change.index] ?? .null
                state.bases[place] = ObjectState.Base(attribute: change.index, value: base)
            }
        }
        for change in changes.targets {
            let row = saved.rows[change.relationship]
            if row != change.row, changes.unsent.contains(.relationship(change.relationship)) { continue }
            if !state.unsentTargets.isEmpty { state.unsentTargets[change.relationship] = nil }
            guard core.rebase(change.relationship, of: self, state, to: row, from: change.row) else { continue }
            core.didSend(change.relationship, of: self, from: changes.saved.rows[change.relationship], to: row)
        }
        core.rebaseLists(of: self, state, to: changes.lists)
        // A merge may have passed the commit already, and kept the assigned values.
        if state.bases.count + state.linkBases.count < changeCount {
            access.insert(.fault)
            core.didChange(self)
        }
        core.settle(self, state)
    }
}
