/// A rule that reads one value of the payload into one property.
///
/// ```swift
/// Attribute("id", \.id)
/// Attribute("address.city", \.city)
/// Attribute("transactions.@avg.amount", \.averageAmount)
/// ```
///
/// An absent key leaves the property unchanged, and null clears it: an optional becomes `nil`, and any other property
/// gets its initial value.
public struct Attribute<Model, Value>: PropertyRule {
    /// The definition of the rule, for internal use.
    public var definition: RuleDefinition<Model>

    /// Reads a value into a writable property.
    ///
    /// - Parameters:
    ///   - source: The key path of the value, or a source around the object.
    ///   - property: The property that is set; its type determines the conversion.
    @inlinable @inline(__always) public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>
    ) where Value: JSONConvertible { definition = RuleDefinition(source, Property(property), Value.valuePlan) }

    // The compiler's own error can name `RelationshipValue` for a type that lacks `JSONConvertible`.
    /// Rejects properties whose types have no conversion.
    @available(
        *, unavailable,
        message:
            "no conversion from JSON to the type of the property: for an enum with raw values or a `Codable` type, declare the conformance to `JSONConvertible`; for a `Mappable` type, use `Relationship(\"key\", \\.property)`"
    )
    @_disfavoredOverload public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>
    ) { definition = RuleDefinition(source, RuleTarget.none) }

    // Reduces the errors for a misspelled property to one.
    /// Rejects properties that cannot be written.
    @available(
        *, unavailable,
        message:
            "the property cannot be written: make it a `var`, or create the model with an initializer. A key path through an optional, `\\.a?.b`, cannot be written: use `Relationship(.value, \\.a, Mapping(…) { … })`"
    )
    @_disfavoredOverload public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>
    ) { definition = RuleDefinition(source, RuleTarget.none) }

    /// Reads a value into a property; the mapping's `keys` derive the key from the property's name.
    ///
    /// - Parameter property: The property that is set; its type determines the conversion.
    @inlinable @inline(__always)
    public init(_ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>)
    where Value: JSONConvertible { definition = RuleDefinition(.propertyName, Property(property), Value.valuePlan) }

    /// Rejects properties that cannot be written.
    @available(
        *, unavailable,
        message:
            "the property cannot be written: make it a `var`, or create the model with an initializer. A key path through an optional, `\\.a?.b`, cannot be written: use `Relationship(.value, \\.a, Mapping(…) { … })`"
    )
    public init(_ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>) where Value: JSONConvertible {
        definition = RuleDefinition(.propertyName, RuleTarget.none)
    }
}
