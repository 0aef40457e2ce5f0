/// What the modifiers of a rule say.
struct RuleOptions: Sendable {
    /// Whether the absence of the value is an issue, and null for a property that is no optional.
    var isRequired = false
    /// In which directions the rule works.
    var direction = Direction.both
    /// What is written for nil, where the rule says so.
    var whenNil: WhenNil?
    /// How the value is converted, where its type does not do it.
    var conversion: RuleConversion?
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

    enum Direction: Sendable { case both, readOnly, writeOnly }
}

extension RuleOptions {
    /// A box with what modifiers lay around it.
    func wrapped(_ box: ValueBox, _ builder: PlanBuilder) -> ValueBox {
        wrappers.reduce(box) { box, wrap in
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
