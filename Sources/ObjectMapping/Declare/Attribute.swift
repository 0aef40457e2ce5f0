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
public struct Attribute<Model, Value>: PropertyRule {
    /// What the rule says, for the library's own use.
    public var definition: RuleDefinition<Model>

    /// Reads a value into a property that can be written.
    ///
    /// - Parameters:
    ///   - source: Where the value stands: a key path, or something around the object.
    ///   - property: What is set; its type says how the value is converted.
    @inlinable @inline(__always) public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>
    ) where Value: JSONConvertible { definition = RuleDefinition(source, Property(property), Value.valuePlan) }

    // With this one beside it the compiler has one thing to say of a misspelt property, not three.
    /// Not for properties that cannot be written.
    @available(
        *, unavailable,
        message:
            "the property cannot be written: make it a `var`, or create the model with an initializer; for `\\.a?.b` write `Relationship(.value, \\.a, Mapping(…) { … })`"
    )
    public init(_ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>)
    where Value: JSONConvertible { definition = RuleDefinition(source, RuleTarget.none) }

    /// Reads the value at the key that the property's name becomes by the `keys` of the mapping, into that property.
    ///
    /// - Parameter property: What is set; its type says how the value is converted.
    @inlinable @inline(__always)
    public init(_ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>)
    where Value: JSONConvertible { definition = RuleDefinition(.propertyName, Property(property), Value.valuePlan) }

    /// Not for properties that cannot be written.
    @available(
        *, unavailable,
        message:
            "the property cannot be written: make it a `var`, or create the model with an initializer; for `\\.a?.b` write `Relationship(.value, \\.a, Mapping(…) { … })`"
    )
    public init(_ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>) where Value: JSONConvertible {
        definition = RuleDefinition(.propertyName, RuleTarget.none)
    }
}
