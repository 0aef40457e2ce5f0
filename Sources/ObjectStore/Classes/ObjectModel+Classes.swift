import ObjectMapping

extension ObjectModel {
    /// Derives a model from managed classes: an entity for each class, in the order given.
    ///
    /// ```swift
    /// let model = try ObjectModel(User.self, Project.self, ProjectTask.self)
    /// ```
    ///
    /// - Parameter classes: The classes, including the targets of all relationships.
    /// - Throws: `ModelError` with all problems.
    public init(_ classes: ManagedObject.Type...) throws(ModelError) {
        try self.init(classes: classes)
    }

    /// Derives a model from a list of managed classes.
    ///
    /// - Parameter classes: The classes, including the targets of all relationships.
    /// - Throws: `ModelError` with all problems.
    public init(classes: [ManagedObject.Type]) throws(ModelError) {
        var managed: [ManagedClass] = []
        for type in classes { managed.append(try ManagedClass.of(type)) }
        try self.init(entities: managed.map(\.description), classes: managed)
    }
}

extension ManagedClass {
    /// The entity of the class.
    var description: EntityDescription {
        EntityDescription(
            name, identifiedBy: attributes.filter(\.isIdentity).map(\.name),
            attributes: attributes.filter { !$0.isTransient }.map(\.description),
            relationships: relationships.map { relationship in
                RelationshipDescription(
                    relationship.name, to: relationship.target.entityName, isToMany: relationship.isToMany,
                    isOrdered: relationship.traits.isOrdered, inverse: name(ofInverseOf: relationship),
                    deleteRule: relationship.traits.deleteRule, isRequired: relationship.traits.isRequired,
                    sortedBy: name(ofOrderOf: relationship),
                    formerNames: relationship.traits.formerName.map { [$0] } ?? [])
            }, indexes: type.indexes, formerNames: type.formerEntityNames)
    }

    private func name(ofInverseOf relationship: ManagedRelationship) -> String? {
        guard let inverse = relationship.traits.inverse, let target = try? ManagedClass.of(relationship.target) else {
            return nil
        }
        // A key path to anything other than a property gets an invalid name, so that the model reports it.
        return target.steps(of: inverse())?.last?.name ?? "\(inverse())"
    }

    /// Returns the attribute by which a relationship is sorted; other properties sort objects in memory only.
    private func name(ofOrderOf relationship: ManagedRelationship) -> String? {
        guard let order = relationship.traits.sortedBy, let target = try? ManagedClass.of(relationship.target),
            case .attribute(let index)? = target.steps(of: order())?.first?.property,
            !target.attributes[index].isTransient
        else { return nil }
        return target.attributes[index].name
    }
}

extension ManagedAttribute {
    fileprivate var description: AttributeDescription {
        AttributeDescription(
            name, type, isOptional: isOptional && !isRequired,
            defaultValue: StorageForm.json(of: defaultValue, as: type), formerNames: formerNames,
            isIndexed: options.contains(.indexed), isUnique: options.contains(.unique),
            isSearchable: options.contains(.searchable))
    }

    private var formerNames: [String] {
        options.flatMap { option -> [String] in
            guard case .was(let names) = option else { return [] }
            return names
        }
    }
}
