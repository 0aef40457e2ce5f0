/// What the modifiers of a rule say.
struct RuleOptions: Sendable {
    /// Whether the absence of the value is an issue, and null for a property that is no optional.
    var isRequired = false
    /// In which directions the rule works.
    var direction = Direction.both
    /// How the value is converted, where its type does not do it.
    var conversion: RuleConversion?
    /// Boxes to be laid around the one that reads the value, innermost first.
    var wrappers: [@Sendable (ValueBox, PlanBuilder) -> ValueBox] = []

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
}
