/// A rule that reads one value of the payload into one property.
///
/// ```swift
/// Attribute("id", \.id)
/// Attribute("address.city", \.city)
/// Attribute("transactions.@avg.amount", \.averageAmount)
/// ```
///
/// An absent key leaves the property alone, null clears it: an optional becomes nil, any other property gets the value
/// that it has in a fresh model.
public struct Attribute<Model>: MappingRule {
    /// What the rule says, for the library's own use.
    public private(set) var definition: RuleDefinition<Model>

    /// Reads the value at a key path into a property that can be written.
    @inlinable @inline(__always)
    public init<Value: JSONConvertible>(
        _ source: JSONKeyPath, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>
    ) {
        self.init(source, Value.self, Property(property))
    }

    @usableFromInline init<Value: JSONConvertible>(_ source: JSONKeyPath, _: Value.Type, _ property: Property) {
        definition = RuleDefinition(source: source, destination: { property.name }) { builder in
            let plan = Value.valuePlan
            return plan.operation == .value
                ? property.entry(plan.box(), acceptsNull: plan.acceptsNull, builder)
                : property.entry(plan.operation, acceptsNull: plan.acceptsNull, builder)
        }
    }

    /// The same rule, for a key that must be there: its absence is an issue, and so is null unless the property is optional.
    public var required: Attribute {
        var copy = self
        copy.definition.isRequired = true
        return copy
    }
}
