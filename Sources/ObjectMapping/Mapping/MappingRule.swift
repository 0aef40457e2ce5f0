/// One line of a mapping: an `Attribute`, a `Relationship` or a `Connection`.
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
    /// The property itself, of a rule that sets one.
    var property: Property?
    /// Whether the property is an array or a set, optional or not.
    var isCollection: @Sendable () -> Bool = { false }
    /// What a `Connection` says; it reads nothing of the payload.
    var connection: ConnectionRule?
    /// Makes the plan's entry; its rule number and flags are set afterwards.
    let entry: @Sendable (PlanBuilder, RuleOptions) -> Entry
    /// How the property is written; nil for a rule that only reads.
    var output: RuleOutput?

    init(
        source: MappingSource, destination: @escaping @Sendable () -> String,
        entry: @escaping @Sendable (PlanBuilder, RuleOptions) -> Entry
    ) {
        self.source = source
        self.destination = destination
        self.entry = entry
    }

    /// One that sets a property.
    init(
        source: MappingSource, property: Property, isCollection: @escaping @Sendable () -> Bool,
        entry: @escaping @Sendable (PlanBuilder, RuleOptions) -> Entry
    ) {
        self.init(source: source, destination: { property.name }, entry: entry)
        self.property = property
        self.isCollection = isCollection
    }

    func add(
        to draft: PlanBuilder.Draft, _ levels: KeyLevels, _ mapping: MappingTraits<Model>, _ builder: PlanBuilder
    ) {
        draft.hasRules = true
        guard connection == nil, let source = source(mapping.keys, builder) else { return }
        var (entry, targets) = builder.entry { self.entry($0, options) }
        entry.isRequired = options.isRequired
        entry.nullPolicy = options.nullPolicy(acceptsNull: entry.acceptsNull)
        entry.isClearedWhenAbsent = options.clearsWhenAbsent(mapping.whenAbsent)
        entry.rule = builder.rule(named: source.description, destination)
        noteMistakes(entry.rule, builder)
        if options.direction == .writeOnly { return builder.check(source, levels, entry.rule) }
        builder.enter(entry.rule, in: draft, targets: targets)
        builder.place(builder.traced(builder.marked(entry, property)), from: source, levels, in: draft)
    }
}
