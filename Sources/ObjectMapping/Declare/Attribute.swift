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
    ) where Value: JSONConvertible { self.init(source, reading: Property(property)) }

    // With this one beside it the compiler has one thing to say of a misspelt property, not three.
    /// Not for properties that cannot be written.
    @available(*, unavailable, message: "the property cannot be written: make it a `var`, or make the model at once")
    public init(_ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>)
    where Value: JSONConvertible { self.init(source, reading: Property(of: Model.self, reading: property)) }

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

    @inlinable @inline(__always) init(_ source: MappingSource, reading property: Property)
    where Value: JSONConvertible { definition = RuleDefinition(source, ConvertibleKind<Value>(property)) }
}

/// An attribute that reads and writes by a conversion; by that of its options, if any.
@usableFromInline class AttributeKind<Value>: RuleKind, @unchecked Sendable {  // guarded by having constants only
    /// How values are read without a conversion; nil for a type that needs one.
    var reading: ValueReading? { nil }

    /// What writes values without a conversion.
    func outputBox() -> OutputBox { OutputBox() }

    override final var readsObjects: Bool { false }

    override final var isCollection: Bool { Value.self is any UnionCollection.Type }

    override final func keep(_ model: Memory) -> (Memory) -> Void {
        property?.keep(Value.self, of: model) ?? super.keep(model)
    }

    override final var output: RuleOutput? {
        property.map { RuleOutput($0, of: Value.self) { _ in self.outputBox() } }
    }

    override final func entry(for rule: RuleStorage, _ builder: PlanBuilder) -> Entry {
        guard let property else { return super.entry(for: rule, builder) }
        let options = rule.options
        let reading = options.conversion == nil ? reading : nil
        let operation = reading?.operation ?? .value
        let acceptsNull = reading?.acceptsNull ?? options.conversion?.acceptsNull ?? false
        let union = options.policy == .union ? Value.self as? any UnionCollection.Type : nil
        func assignment() -> Assignment {
            union.map { Assignment(adding: property, $0) { $0 as? AnyHashable } }
                ?? Assignment(property, Value.self, areEqual(Value.self))
        }
        guard operation == .value || union != nil || !options.wrappers.isEmpty || options.hasFallback else {
            return property.entry(operation, acceptsNull: acceptsNull, assignment(), builder)
        }
        guard let valueBox = reading?.box() ?? options.conversion?.box() else { return super.entry(for: rule, builder) }
        var box = options.wrapped(valueBox, builder)
        if options.hasFallback {
            _ = builder.keep(box)
            box = FallbackBox<Value>(box, options)
        }
        return property.entry(
            box, acceptsNull: acceptsNull || options.makeDefault != nil, assignment(), isAdded: union != nil,
            builder)
    }
}

/// An attribute that reads and writes as its type does, unless a modifier brings a conversion.
@usableFromInline
final class ConvertibleKind<Value: JSONConvertible>: AttributeKind<Value>,
    @unchecked Sendable  // guarded by having constants only
{
    @usableFromInline override init(_ property: Property?) { super.init(property) }

    override var reading: ValueReading? { Value.valuePlan.reading }

    override func outputBox() -> OutputBox { Value.valueOutput.box() }
}
