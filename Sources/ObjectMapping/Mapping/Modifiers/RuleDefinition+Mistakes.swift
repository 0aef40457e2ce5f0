extension RuleDefinition {
    /// Notes what the rule's modifiers say that cannot be.
    func noteMistakes(_ rule: Int32, _ builder: PlanBuilder) {
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
