/// Gathers the rules of a mapping; `if`, `switch` and `for` may stand among them.
@resultBuilder public enum MappingBuilder<Model> {
    // One function only: with a second one a misspelt property has several errors, none of which names it.

    /// One rule.
    @inlinable public static func buildExpression(_ rule: some MappingRule<Model>) -> [RuleDefinition<Model>] {
        [rule.definition]
    }

    /// Rules one after another.
    @inlinable public static func buildBlock(_ rules: [RuleDefinition<Model>]...) -> [RuleDefinition<Model>] {
        var all: [RuleDefinition<Model>] = []
        all.reserveCapacity(rules.count)
        for rules in rules { all += rules }
        return all
    }

    /// The rules of an `if` without `else`.
    public static func buildOptional(_ rules: [RuleDefinition<Model>]?) -> [RuleDefinition<Model>] { rules ?? [] }

    /// The rules of a branch.
    public static func buildEither(first rules: [RuleDefinition<Model>]) -> [RuleDefinition<Model>] { rules }

    /// The rules of a branch.
    public static func buildEither(second rules: [RuleDefinition<Model>]) -> [RuleDefinition<Model>] { rules }

    /// The rules of a loop.
    public static func buildArray(_ rules: [[RuleDefinition<Model>]]) -> [RuleDefinition<Model>] {
        rules.flatMap { $0 }
    }
}

/// One line of a mapping: an `Attribute`, a `Relationship` or a `Connection`.
public protocol MappingRule<Model>: Sendable {
    /// The type whose property the rule sets.
    associatedtype Model

    /// What the rule says, for the library's own use.
    var definition: RuleDefinition<Model> { get }
}
