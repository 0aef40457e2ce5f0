/// What a rule reads and which property it sets.
///
/// For the library's own use.
public struct RuleDefinition<Model>: Sendable {
    /// The rule without the type of its model; shared by all copies.
    @usableFromInline let storage: RuleStorage

    init(_ storage: RuleStorage) { self.storage = storage }

    /// A rule that reads no value.
    init(_ source: MappingSource, _ target: RuleTarget) { storage = RuleStorage(source, target, AnyValuePlan()) }

    @usableFromInline init<Value>(_ source: MappingSource, _ property: Property, _ plan: ValuePlan<Value>) {
        storage = RuleStorage(source, .property(property), plan.typed)
    }

    /// The same rule with other modifiers.
    func with(_ change: (inout RuleOptions) -> Void) -> RuleDefinition {
        var options = storage.options
        change(&options)
        return RuleDefinition(RuleStorage(storage.source, storage.target, storage.plan, options))
    }

    /// The same rule with another way to read and write its values.
    func with<Value>(_ plan: ValuePlan<Value>) -> RuleDefinition {
        RuleDefinition(RuleStorage(storage.source, storage.target, plan.typed, storage.options))
    }
}

/// One rule of a mapping: a source, a target, and how values get from one to the other.
///
/// Plans are made of these, without generics and without copies.
@usableFromInline final class RuleStorage: Sendable {
    let source: MappingSource
    let target: RuleTarget
    /// How values are read and written.
    let plan: AnyValuePlan
    let options: RuleOptions

    init(_ source: MappingSource, _ target: RuleTarget, _ plan: AnyValuePlan, _ options: RuleOptions = RuleOptions()) {
        self.source = source
        self.target = target
        self.plan = plan
        self.options = options
    }

    /// The property that is set and written; nil for a connection and for an argument that is only read.
    var property: Property? {
        switch target {
        case .property(let property): property
        case .argument(let argument): argument.property
        case .connection, .none: nil
        }
    }

    /// The connection; it reads nothing of the payload.
    var connection: ConnectionRule? { if case .connection(let rule) = target { rule } else { nil } }

    /// The target, as messages name it.
    var destination: String {
        switch target {
        case .property(let property): property.name
        case .argument(let argument): argument.name
        case .connection(let rule): rule.name
        case .none: ""
        }
    }

    /// The objects that the property of a model holds; none for values.
    func objects(of model: Memory) -> [AnyObject] {
        guard case .property(let property) = target else { return [] }
        return plan.objects(in: property, of: model)
    }

    /// Copies the property of a model; the result restores it.
    func keep(_ model: Memory) -> (Memory) -> Void {
        guard case .property(let property) = target else { return { _ in } }
        return plan.keep(property, of: model)
    }
}

/// What the values of a rule are for.
enum RuleTarget: Sendable {
    case property(Property)
    case argument(ArgumentTarget)
    case connection(ConnectionRule)
    /// Nothing, in a rule that does not compile.
    case none
}

/// The rules of one mapping, for reading and writing.
final class MappingRules: Sendable {
    let rules: [RuleStorage]
    let levels: PlaceholderLevels

    init(_ rules: [RuleStorage]) {
        self.rules = rules
        levels = PlaceholderLevels(rules)
    }
}

extension RuleStorage {
    /// Adds the rule to the position of its mapping; its number, if it reads something.
    func add(
        to draft: PlanBuilder.Draft, _ levels: PlaceholderLevels, _ keys: KeyNaming, whenAbsent: AbsencePolicy,
        _ builder: PlanBuilder
    ) -> Int32? {
        guard connection == nil else { return nil }
        guard case .propertyName = source.kind else {
            return add(from: source, to: draft, levels, whenAbsent: whenAbsent, builder)
        }
        guard let source = source(keys) else {
            let (expected, found) = RuleStorage.namelessProperty
            builder.mistake(expected: expected, found: found, rule: builder.rule(source, self))
            return nil
        }
        return add(from: source, to: draft, levels, whenAbsent: whenAbsent, builder)
    }

    private func add(
        from source: MappingSource, to draft: PlanBuilder.Draft, _ levels: PlaceholderLevels,
        whenAbsent: AbsencePolicy, _ builder: PlanBuilder
    ) -> Int32? {
        var targets: [PlanBuilder.Draft] = []
        var entry: Entry
        if plan.readsObjects {
            (entry, targets) = builder.entry { self.entry(in: draft, $0) }
        } else {
            entry = self.entry(in: draft, builder)
        }
        entry.isRequired = options.isRequired
        entry.nullPolicy = options.nullPolicy(acceptsNull: entry.acceptsNull)
        entry.isClearedWhenAbsent = options.clearsWhenAbsent(whenAbsent)
        entry.rule = builder.rule(source, self)
        noteMistakes(entry.rule, builder)
        if options.direction == .writeOnly {
            builder.check(source, levels, entry.rule)
            return nil
        }
        if plan.readsObjects { builder.enter(entry.rule, in: draft, targets: targets) }
        if builder.isPlain {
            builder.place(entry, from: source, levels, in: draft)
        } else {
            builder.placeMarked(entry, self, from: source, levels, in: draft)
        }
        return entry.rule
    }

    private func entry(in draft: PlanBuilder.Draft, _ builder: PlanBuilder) -> Entry {
        if let rows = builder.rows { return rows.entry(of: self, in: draft.node.pointee.entity, builder) }
        switch target {
        case .property(let property): return plan.entry(of: self, in: property, builder)
        case .argument(let argument):
            var entry = plan.argument(of: self, builder)
            entry.offset = argument.offset
            return entry
        case .connection, .none: return Entry(operation: .value)
        }
    }

    /// The rule's source; for a rule without one the keys that the property's names become, nil if it has none.
    func source(_ keys: KeyNaming) -> MappingSource? {
        guard case .propertyName = source.kind else { return source }
        return property?.storedNames.map { MappingSource(JSONKeyPath(components: $0.map(keys.key(of:)))) }
    }

    static var namelessProperty: (expected: String, found: String) {
        (
            "a source for a property whose name is not known",
            "none; only stored properties of structs and final classes have names, and no observed ones"
        )
    }

    /// Reports modifiers that contradict each other or the property.
    private func noteMistakes(_ rule: Int32, _ builder: PlanBuilder) {
        if let mistake = plan.mistake ?? builder.rows?.mistake(of: self) {
            builder.mistake(expected: mistake.expected, found: mistake.found, rule: rule)
        }
        if options.policy == .union, !plan.isCollection {
            builder.mistake(
                expected: "an array or a set for the policy 'union'", found: "a property that holds one value",
                rule: rule)
        }
        if options.skipsInvalidElements, !plan.isCollection || builder.rows != nil {
            builder.mistake(
                expected: "an array or a set of objects for 'skippingInvalidElements', not for rows",
                found: builder.rows == nil ? "a property that holds one object" : "rows", rule: rule)
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

/// What the modifiers of a rule say.
struct RuleOptions: Sendable {
    /// Whether the absence of the value is an issue, and null for a property that is no optional.
    var isRequired = false
    /// In which directions the rule works.
    var direction = Direction.both
    /// What is written for nil, where the rule says so.
    var whenNil: WhenNil?
    /// Boxes to be laid around the one that reads the value, innermost first.
    var wrappers: [@Sendable (ValueBox, PlanBuilder) -> ValueBox] = []
    /// Makes the default in empty memory.
    var makeDefault: (@Sendable (Memory) -> Void)?
    /// What absence does, where the rule says so.
    var whenAbsent: AbsencePolicy?
    /// What null does, where the rule says so.
    var whenNull: NullPolicy?
    var whenInvalid = InvalidPolicy.fail
    var policy = AssignmentPolicy.set
    /// Whether objects with issues are left out of a collection.
    var skipsInvalidElements = false

    enum Direction: Sendable { case both, readOnly, writeOnly }
}

extension RuleOptions {
    /// A box with what modifiers lay around it.
    func wrapped(_ box: ValueBox, _ builder: PlanBuilder) -> ValueBox {
        if skipsInvalidElements { box.skipInvalidElements() }
        return wrappers.reduce(box) { box, wrap in
            _ = builder.keep(box)
            return wrap(box, builder)
        }
    }

    /// Whether another value may take the place of the one that is read.
    var hasFallback: Bool { makeDefault != nil || whenInvalid != .fail }

    /// What null does to a property.
    func nullPolicy(acceptsNull: Bool) -> NullPolicy {
        if let whenNull { return whenNull }
        if makeDefault != nil { return .clear }
        if policy == .union { return .keep }
        return isRequired && !acceptsNull ? .fail : .clear
    }

    /// Whether absence clears the property.
    func clearsWhenAbsent(_ mapping: AbsencePolicy) -> Bool {
        if isRequired { return false }
        if let whenAbsent { return whenAbsent == .clear }
        return makeDefault != nil || (mapping == .clear && policy != .union)
    }
}
