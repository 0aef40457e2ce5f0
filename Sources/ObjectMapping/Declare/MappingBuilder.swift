/// Collects the rules of a mapping, with support for `if`, `switch` and `for`.
@resultBuilder public enum MappingBuilder<Model> {
    // A single function: with a second one, a misspelled property has several errors that do not name it.

    /// Collects one rule.
    @inlinable public static func buildExpression(_ rule: some MappingRule<Model>) -> [RuleDefinition<Model>] {
        [rule.definition]
    }

    /// Combines the rules of a block.
    @inlinable public static func buildBlock(_ rules: [RuleDefinition<Model>]...) -> [RuleDefinition<Model>] {
        var all: [RuleDefinition<Model>] = []
        all.reserveCapacity(rules.count)
        for rules in rules { all += rules }
        return all
    }

    /// Collects the rules of an `if` without `else`.
    public static func buildOptional(_ rules: [RuleDefinition<Model>]?) -> [RuleDefinition<Model>] { rules ?? [] }

    /// Collects the rules of a branch.
    public static func buildEither(first rules: [RuleDefinition<Model>]) -> [RuleDefinition<Model>] { rules }

    /// Collects the rules of a branch.
    public static func buildEither(second rules: [RuleDefinition<Model>]) -> [RuleDefinition<Model>] { rules }

    /// Collects the rules of a loop.
    public static func buildArray(_ rules: [[RuleDefinition<Model>]]) -> [RuleDefinition<Model>] {
        rules.flatMap { $0 }
    }
}

/// One rule of a mapping: an `Attribute`, a `Relationship` or a `Connection`.
public protocol MappingRule<Model>: Sendable {
    /// The type with the property that the rule sets.
    associatedtype Model

    /// The definition of the rule, for internal use.
    var definition: RuleDefinition<Model> { get }
}
