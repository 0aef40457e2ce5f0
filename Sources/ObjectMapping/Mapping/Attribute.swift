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
    @inlinable @inline(__always)
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>
    ) where Value: JSONConvertible {
        self.init(source, reading: Property(property))
    }

    // With this one beside it the compiler has one thing to say of a misspelt property, not three.
    /// Not for properties that cannot be written.
    @available(*, unavailable, message: "the property cannot be written: make it a `var`, or make the model at once")
    public init(_ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>)
    where Value: JSONConvertible {
        self.init(source, reading: Property(of: Model.self, reading: property))
    }

    /// Reads the value at the key that the property's name becomes by the `keys` of the mapping, into that property.
    ///
    /// - Parameter property: What is set; its type says how the value is converted.
    @inlinable @inline(__always)
    public init(_ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>)
    where Value: JSONConvertible {
        self.init(MappingSource.propertyName, reading: Property(property))
    }

    /// Not for properties that cannot be written.
    @available(*, unavailable, message: "the property cannot be written: make it a `var`, or make the model at once")
    public init(_ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>) where Value: JSONConvertible {
        self.init(MappingSource.propertyName, reading: Property(of: Model.self, reading: property))
    }

    @usableFromInline init(_ source: MappingSource, reading property: Property) where Value: JSONConvertible {
        self.init(source, property) { Value.valuePlan }
        definition.output = RuleOutput(property, of: Value.self) { _ in Value.valueOutput.box() }
    }

    /// Reads as a plan says, unless a modifier brings a conversion.
    init(_ source: MappingSource, _ property: Property, _ plan: @escaping @Sendable () -> ValuePlan<Value>) {
        definition = RuleDefinition(
            source: source, property: property, isCollection: { Value.self is any UnionCollection.Type }
        ) {
            builder, options in
            let plan = options.conversion.map { ValuePlan($0.box(), acceptsNull: $0.acceptsNull) } ?? plan()
            let union = options.policy == .union ? Value.self as? any UnionCollection.Type : nil
            func assignment() -> Assignment {
                union.map { Assignment(adding: property, $0) { $0 as? AnyHashable } }
                    ?? Assignment(property, Value.self, areEqual(Value.self))
            }
            guard plan.operation == .value || union != nil || !options.wrappers.isEmpty || options.hasFallback else {
                return property.entry(plan.operation, acceptsNull: plan.acceptsNull, assignment(), builder)
            }
            var box = options.wrapped(plan.box(), builder)
            if options.hasFallback {
                _ = builder.keep(box)
                box = FallbackBox<Value>(box, options)
            }
            return property.entry(
                box, acceptsNull: plan.acceptsNull || options.makeDefault != nil, assignment(), isAdded: union != nil,
                builder)
        }
        definition.property = property
    }
}
