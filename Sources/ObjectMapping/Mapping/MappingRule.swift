/// One line of a mapping: an `Attribute`, a `Relationship` or a `Connection`.
public protocol MappingRule<Model>: Sendable {
    /// The type whose property the rule sets.
    associatedtype Model

    /// What the rule says, for the library's own use.
    var definition: RuleDefinition<Model> { get }
}
