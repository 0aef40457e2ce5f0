/// Unsaved changes that the values of the file replace.
extension ContextCore {
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
