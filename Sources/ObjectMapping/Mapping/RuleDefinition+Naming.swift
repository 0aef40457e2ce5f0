extension RuleDefinition {
    /// The rule's source; for a rule without one the keys that the property's names become, nil if it has none.
    func source(_ keys: KeyNaming) -> MappingSource? {
        guard case .propertyName = source.kind else { return source }
        return property?.storedNames.map { MappingSource(JSONKeyPath(components: $0.map(keys.key(of:)))) }
    }

    /// The same; that the property has no name is a mistake.
    func source(_ keys: KeyNaming, _ builder: PlanBuilder) -> MappingSource? {
        if let source = source(keys) { return source }
        let (expected, found) = RuleDefinition.namelessProperty
        builder.mistake(
            expected: expected, found: found, rule: builder.rule(named: source.description, destination))
        return nil
    }

    static var namelessProperty: (expected: String, found: String) {
        (
            "a source for a property whose name is not known",
            "none; only stored properties of structs and final classes have names, and no observed ones"
        )
    }
}
