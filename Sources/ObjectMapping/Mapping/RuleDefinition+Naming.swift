extension RuleDefinition {
    /// The rule's source; for a rule without one the keys that the property's names become, nil if it has none.
    func source(_ keys: KeyNaming, _ builder: PlanBuilder) -> MappingSource? {
        guard case .propertyName = source.kind else { return source }
        if let names = property?.storedNames { return MappingSource(JSONKeyPath(components: names.map(keys.key(of:)))) }
        builder.mistake(
            expected: "a source for a property whose name is not known",
            found: "none; only stored properties of structs and final classes have names, and no observed ones",
            rule: builder.rule(named: source.description, destination))
        return nil
    }
}
