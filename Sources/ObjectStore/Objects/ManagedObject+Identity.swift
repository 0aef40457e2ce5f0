extension ManagedObject {
    /// Whether a key path leads to a part of an identity that was never assigned, so that the property has its default.
    package func isUnassignedIdentity(at path: AnyKeyPath) -> Bool {
        guard let steps = (try? ManagedClass.of(type(of: self)))?.steps(of: path), let last = steps.last,
            case .attribute(let index) = last.property, last.owner.attributes[index].isIdentity,
            let owner = owner(of: steps)
        else { return false }
        let attribute = last.owner.attributes[index]
        guard let core = owner.core else { return owner.state?.isAssigned(attribute.offset) != true }
        return !owner.hasIdentity(attribute, core.entity(of: owner))
    }

    /// Returns the object with the last property of a key path, which was read before.
    private func owner(of steps: [ManagedClass.Step]) -> ManagedObject? {
        var owner: ManagedObject? = self
        for step in steps.dropLast() {
            guard let object = owner, let core = object.core, case .relationship(let index) = step.property else {
                return nil
            }
            owner = core.target(of: object, index, row: step.owner.relationships[index].row(of: object))
        }
        return owner
    }
}

extension ObjectID {
    /// The ID of objects without a context, which finds nothing.
    static func detached(_ entity: String) -> ObjectID { ObjectID(entity: entity, row: 0, store: .none) }
}
