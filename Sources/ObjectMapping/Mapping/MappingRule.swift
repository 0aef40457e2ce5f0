/// One line of a mapping: an `Attribute` or a `Relationship`.
public protocol MappingRule<Model>: Sendable {
    /// The type whose property the rule sets.
    associatedtype Model

    /// What the rule says, for the library's own use.
    var definition: RuleDefinition<Model> { get }
}

/// What a rule says: where its value comes from and what becomes of it.
///
/// For the library's own use.
public struct RuleDefinition<Model>: Sendable {
    let source: MappingSource
    var options = RuleOptions()
    /// The property, as messages name it.
    let destination: @Sendable () -> String
    /// Makes the plan's entry; its rule number and flags are set afterwards.
    let entry: @Sendable (PlanBuilder, RuleOptions) -> Entry

    init(
        source: MappingSource, destination: @escaping @Sendable () -> String,
        entry: @escaping @Sendable (PlanBuilder, RuleOptions) -> Entry
    ) {
        self.source = source
        self.destination = destination
        self.entry = entry
    }

    func add(to draft: PlanBuilder.Draft, _ levels: KeyLevels, _ builder: PlanBuilder) {
        if source.kind == .propertyName { return }
        var entry = entry(builder, options)
        entry.isRequired = options.isRequired
        entry.rule = builder.rule(named: source.description, destination)
        if let mistake = options.conversion?.mistake {
            builder.mistake(expected: mistake.expected, found: mistake.found, rule: entry.rule)
        }
        builder.place(entry, from: source, levels, in: draft)
    }
}
