/// The merge policy for changes that a remote saves, before they are sent.
extension ContextCore {
    /// Compares the changes of saved objects with the file, and applies the merge policy to what others have changed as well:
    /// the changes are those of the values in the file then.
    ///
    /// - Returns: The conflicts if the policy throws them.
    nonisolated(nonsending) func mergeConflicts(
        of objects: [ManagedObject], _ policy: MergePolicy
    ) async throws(StoreError) -> [AttributeConflict] {
        let changed = objects.filter { object in
            object.state.map { $0.phase == .updated && !($0.bases.isEmpty && $0.linkBases.isEmpty) } ?? false
        }
        guard !changed.isEmpty else { return [] }
        let rows = Dictionary(grouping: changed, by: { Int($0.entityIndex) }).mapValues { $0.map(\.row) }
        let stored = try await store.savedProperties(of: rows)
        var conflicts: [AttributeConflict] = []
        for object in changed where object.core === self && object.state?.phase == .updated {
            guard let saved = stored[Int(object.entityIndex)]?[object.row], let state = object.state else { continue }
            mergeAttributes(of: object, state, saved, policy, &conflicts)
            mergeTargets(of: object, state, saved, policy, &conflicts)
            settle(object, state)
            // The file has them already.
            if !sending.unknown.isEmpty { settleUnknownUpdate(of: object) }
        }
        return conflicts
    }

    private func mergeAttributes(
        of object: ManagedObject, _ state: ObjectState, _ saved: SavedProperties, _ policy: MergePolicy,
        _ conflicts: inout [AttributeConflict]
    ) {
        let type = entity(of: object).type
        // Others may have received the value from the remote, if its answer to an earlier attempt was lost.
        let isUnknown = unknownChanges(of: object).values.contains { $0.operation == .update }
        for base in state.bases {
            let attribute = type.attributes[base.attribute]
            guard !attribute.isTransient, !attribute.isIdentity, let theirs = saved.values[base.attribute],
                theirs != base.value, let place = state.bases.firstIndex(where: { $0.attribute == base.attribute })
            else { continue }
            let mine = attribute.storedValue(of: object) ?? .null
            switch policy {
            case .throwConflict where !isUnknown || mine != theirs:
                conflicts.append(
                    AttributeConflict(
                        object: id(of: object), property: attribute.name, base: base.value, mine: mine, theirs: theirs))
            case .objectWins, .throwConflict:
                state.bases[place] = ObjectState.Base(attribute: base.attribute, value: theirs)
            case .storeWins: revert(.attribute(base.attribute), of: object, state, to: theirs)
            }
        }
    }

    private func mergeTargets(
        of object: ManagedObject, _ state: ObjectState, _ saved: SavedProperties, _ policy: MergePolicy,
        _ conflicts: inout [AttributeConflict]
    ) {
        let entity = entity(of: object)
        for base in state.linkBases {
            let (property, theirs) = (entity.type.relationships[base.relationship], saved.rows[base.relationship])
            let mine = property.row(of: object)
            guard theirs != base.row,
                let place = state.linkBases.firstIndex(where: { $0.relationship == base.relationship })
            else { continue }
            // Equal targets are not a conflict, nor is the deletion of the earlier one.
            let destination = store.entities[entity.relationships[base.relationship].destination]
            let isConflict = theirs != mine && (theirs != 0 || self.object(ofRow: base.row, destination) != nil)
            switch policy {
            case .throwConflict where isConflict:
                conflicts.append(
                    AttributeConflict(
                        object: id(of: object), property: property.name, base: .integer(base.row),
                        mine: .integer(mine), theirs: .integer(theirs)))
            case .storeWins where isConflict:
                revert(.relationship(base.relationship), of: object, state, to: .integer(theirs))
            default:
                state.linkBases[place] = ObjectState.LinkBase(relationship: base.relationship, row: theirs)
            }
        }
    }

    // MARK: Giving up changes

    /// Gives up unsaved changes of properties: these have the earlier values.
    ///
    /// - Returns: Whether there were any.
    func revert(_ properties: Set<PropertyIndex>, of object: ManagedObject) -> Bool {
        guard let state = object.state, state.phase == .updated else { return false }
        let (bases, linkBases) = (
            state.bases.filter { properties.contains(.attribute($0.attribute)) },
            state.linkBases.filter { properties.contains(.relationship($0.relationship)) }
        )
        for base in bases { revert(.attribute(base.attribute), of: object, state, to: base.value) }
        for base in linkBases {
            revert(.relationship(base.relationship), of: object, state, to: .integer(base.row))
        }
        settle(object, state)
        return !bases.isEmpty || !linkBases.isEmpty
    }

    /// Gives up the unsaved change of a property, which has a value of the file then.
    private func revert(
        _ property: PropertyIndex, of object: ManagedObject, _ state: ObjectState, to value: StoredValue
    ) {
        let type = entity(of: object).type
        switch property {
        case .attribute(let index):
            object.set(value, at: index)
            state.bases.removeAll { $0.attribute == index }
            _ = state.assigned.remove(type.attributes[index].offset)
        case .relationship(let index):
            setTarget(target(of: object, index, row: value.integer ?? 0), of: object, index)
            state.linkBases.removeAll { $0.relationship == index }
            _ = state.assigned.remove(type.relationships[index].offset)
        }
    }
}

extension ManagedObjectStore {
    /// Returns the values in the file, by entity and row; without rows that were deleted.
    fileprivate func savedProperties(
        of rows: [Int: [Int64]]
    ) async throws(StoreError) -> [Int: [Int64: SavedProperties]] {
        do {
            return try await perform { context in
                var found: [Int: [Int64: SavedProperties]] = [:]
                for (entity, rows) in rows {
                    let objects = try context.core.read(context.core.store.entities[entity], rows: rows.sorted())
                    for object in objects { found[entity, default: [:]][object.row] = object.savedProperties }
                }
                return found
            }
        } catch let error as StoreError { throw error } catch {
            throw StoreError(.interrupted, "cannot compare the changes with the file: \(error)")
        }
    }
}
