public import ObjectMapping

extension Mapping where Model: ManagedObject {
    /// Creates a mapping for a managed class, whose objects are identified by the attributes with the option
    /// `.identity`.
    ///
    /// `Mapping(ProjectTask.init)` creates the same mapping.
    ///
    /// ```swift
    /// static let mapping = Mapping(ProjectTask.self) {
    ///     Attribute("id", \.taskID)
    ///     Attribute("name", \.name)
    ///     Attribute("assigned_user_id", \.assignedUserID)
    ///     Connection(\.assignedUser, by: \.assignedUserID)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The managed class.
    ///   - keys: Derives the keys of rules without a source. Defaults to the names of their properties.
    ///   - rules: The rules.
    public init(
        _ type: Model.Type, keys: KeyNaming = .asIs, @MappingBuilder<Model> _ rules: () -> [RuleDefinition<Model>]
    ) {
        self = Mapping({ Model() }, keys: keys, rules)
    }
}

extension ManagedObject: PropertyNaming {
    /// Returns the name of the attribute or relationship, or the path to it; `nil` for other properties.
    package static func name(of property: AnyKeyPath) -> String? {
        guard let type = type(of: property).rootType as? ManagedObject.Type,
            let steps = (try? ManagedClass.of(type))?.steps(of: property)
        else { return nil }
        return steps.map(\.name).joined(separator: ".")
    }
}
