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
        to draft: PlanBuilder.Draft, _ levels: PlaceholderLevels, _ mapping: MappingTraits<Model>,
        _ builder: PlanBuilder
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

    /// Notes what the rule's modifiers say that cannot be.
    private func noteMistakes(_ rule: Int32, _ builder: PlanBuilder) {
        if let mistake = options.conversion?.mistake {
            builder.mistake(expected: mistake.expected, found: mistake.found, rule: rule)
        }
        if options.policy == .union, !isCollection() {
            builder.mistake(
                expected: "an array or a set for the policy 'union'", found: "a property that holds one value",
                rule: rule)
        }
        if options.whenInvalid == .useDefault, options.makeDefault == nil {
            builder.mistake(expected: "a default for values that are invalid", found: "none", rule: rule)
        }
        if options.isRequired, options.whenAbsent != nil {
            builder.mistake(
                expected: "either 'required' or 'whenAbsent'", found: "both", rule: rule, isFatal: false)
        }
    }
}
