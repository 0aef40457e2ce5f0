/// The source and the property of a rule.
///
/// For internal use.
public struct RuleDefinition<Model>: Sendable {
    /// The rule without the type of its model; shared by all copies.
    @usableFromInline let storage: RuleStorage

    init(_ storage: RuleStorage) { self.storage = storage }

    /// Creates a rule that reads no value.
    init(_ source: MappingSource, _ target: RuleTarget) { storage = RuleStorage(source, target, AnyValuePlan()) }

    @usableFromInline init<Value>(_ source: MappingSource, _ property: Property, _ plan: ValuePlan<Value>) {
        storage = RuleStorage(source, .property(property), plan.typed)
    }

    /// Returns the rule with other modifiers.
    func with(_ change: (inout RuleOptions) -> Void) -> RuleDefinition {
        var options = storage.options
        change(&options)
        return RuleDefinition(RuleStorage(storage.source, storage.target, storage.plan, options))
    }

    /// Returns the rule with another reader and writer of its values.
    func with<Value>(_ plan: ValuePlan<Value>) -> RuleDefinition {
        RuleDefinition(RuleStorage(storage.source, storage.target, plan.typed, storage.options))
    }
}

/// One rule of a mapping: a source, a target, and the conversion between them.
///
/// Plans are compiled from these, without generics and without copies.
@usableFromInline final class RuleStorage: Sendable {
    let source: MappingSource
    let target: RuleTarget
    /// Reads and writes the values.
    let plan: AnyValuePlan
    let options: RuleOptions

    init(_ source: MappingSource, _ target: RuleTarget, _ plan: AnyValuePlan, _ options: RuleOptions = RuleOptions()) {
        self.source = source
        self.target = target
        self.plan = plan
        self.options = options
    }

    /// The property that is set and written; `nil` for a connection and for an argument that is only read.
    var property: Property? {
        switch target {
        case .property(let property): property
        case .argument(let argument): argument.property
        case .connection, .none: nil
        }
    }

    /// The connection, which reads nothing from the payload.
    var connection: ConnectionRule? { if case .connection(let rule) = target { rule } else { nil } }

    /// The target in messages.
    var destination: String {
        switch target {
        case .property(let property): property.name
        case .argument(let argument): argument.name
        case .connection(let rule): rule.name
        case .none: ""
        }
    }

    /// Returns the objects in the property of a model; empty for values.
    func objects(of model: Memory) -> [AnyObject] {
        guard case .property(let property) = target else { return [] }
        return plan.objects(in: property, of: model)
    }

    /// Copies the property of a model; the returned closure restores it.
    func keep(_ model: Memory) -> (Memory) -> Void {
        guard case .property(let property) = target else { return { _ in } }
        return plan.keep(property, of: model)
    }
}

/// The target of a rule.
enum RuleTarget: Sendable {
    case property(Property)
    case argument(ArgumentTarget)
    case connection(ConnectionRule)
    /// The target of a rule that does not compile.
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
    /// Adds the rule to the node of its mapping; returns its number if it reads a value.
    func add(
        to draft: PlanBuilder.Draft, _ levels: PlaceholderLevels, _ keys: KeyNaming, whenAbsent: AbsencePolicy,
        _ builder: PlanBuilder
    ) -> Int32? {
        guard connection == nil else { return nil }
        guard let source = source(keys) else {
            let (expected, found) = RuleStorage.namelessProperty
            builder.mistake(expected: expected, found: found, rule: builder.rule(source, self))
            return nil
        }
        var targets: [PlanBuilder.Draft] = []
        var entry: Entry
        if plan.readsObjects {
            (entry, targets) = builder.entry { self.entry(in: draft, $0) }
        } else {
            entry = self.entry(in: draft, builder)
        }
        entry.isRequired = options.failsWhenAbsent(whenAbsent)
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

    /// Returns the rule's source; for a rule without one, the keys derived from the property's names, or `nil` if it
    /// has no names.
    func source(_ keys: KeyNaming) -> MappingSource? {
        guard case .propertyName = source.kind else { return source }
        return property?.storedNames.map { MappingSource(JSONKeyPath(components: $0.map(keys.key(of:)))) }
    }

    static var namelessProperty: (expected: String, found: String) {
        (
            "an explicit key path",
            "no name; only stored properties of structs and final classes have names, and observed ones do not"
        )
    }

    /// Reports modifiers that contradict each other or the property.
    private func noteMistakes(_ rule: Int32, _ builder: PlanBuilder) {
        if let mistake = plan.mistake ?? property?.trap ?? builder.rows?.mistake(of: self) {
            builder.mistake(expected: mistake.expected, found: mistake.found, rule: rule)
        }
        if options.policy == .union, !plan.isCollection {
            builder.mistake(
                expected: "an array or a set for the policy 'union'", found: "a property that holds one value",
                rule: rule)
        }
        if options.skipsInvalidElements, !plan.isCollection || builder.rows != nil {
            builder.mistake(
                expected: "'skippingInvalidElements' for an array or a set of objects, and not in an import",
                found: builder.rows == nil ? "a property that holds one object" : "rows", rule: rule)
        }
        if options.whenInvalid == .useDefault, options.makeDefault == nil {
            builder.mistake(expected: "a default for invalid values", found: "no default", rule: rule)
        }
        if options.isRequired, options.whenAbsent != nil {
            builder.mistake(
                expected: "either 'required' or 'whenAbsent'", found: "both", rule: rule, isFatal: false)
        }
    }
}

/// The modifiers of a rule.
struct RuleOptions: Sendable {
    /// Whether an absent value is an issue, and null for a property that is not optional.
    var isRequired = false
    /// The directions in which the rule applies.
    var direction = Direction.both
    /// The rule's output for `nil`, if it has one.
    var whenNil: WhenNil?
    /// The boxes to wrap around the one that reads the value, innermost first.
    var wrappers: [@Sendable (ValueBox, PlanBuilder) -> ValueBox] = []
    /// Creates the default in empty memory.
    var makeDefault: (@Sendable (Memory) -> Void)?
    /// The rule's policy for absence, if it has one.
    var whenAbsent: AbsencePolicy?
    /// The rule's policy for null, if it has one.
    var whenNull: NullPolicy?
    var whenInvalid = InvalidPolicy.fail
    var policy = AssignmentPolicy.set
    /// Whether objects with issues are skipped in a collection.
    var skipsInvalidElements = false

    enum Direction: Sendable { case both, readOnly, writeOnly }
}

extension RuleOptions {
    /// Wraps the boxes of modifiers around a box.
    func wrapped(_ box: ValueBox, _ builder: PlanBuilder) -> ValueBox {
        if skipsInvalidElements { box.skipInvalidElements() }
        return wrappers.reduce(box) { box, wrap in
            _ = builder.keep(box)
            return wrap(box, builder)
        }
    }

    /// Whether an invalid value can be replaced.
    var hasFallback: Bool { makeDefault != nil || whenInvalid != .fail }

    /// Returns the policy for null.
    func nullPolicy(acceptsNull: Bool) -> NullPolicy {
        if let whenNull { return whenNull }
        if makeDefault != nil { return .clear }
        if policy == .union { return .keep }
        return isRequired && !acceptsNull ? .fail : .clear
    }

    /// Whether absence is an issue.
    func failsWhenAbsent(_ mapping: AbsencePolicy) -> Bool {
        isRequired || (whenAbsent ?? (makeDefault == nil && policy != .union ? mapping : .keep)) == .fail
    }

    /// Whether absence clears the property.
    func clearsWhenAbsent(_ mapping: AbsencePolicy) -> Bool {
        if isRequired { return false }
        if let whenAbsent { return whenAbsent == .clear }
        return makeDefault != nil || (mapping == .clear && policy != .union)
    }
}
