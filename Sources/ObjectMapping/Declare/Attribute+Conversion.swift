// Each method exists for a conversion of the value, of its content (`Date?`, `[Date]`, `[String: Date]`), and of the
// content of its content (`[Date]?`, `[Date?]`).

extension Attribute {
    /// Converts the value in both directions by a conversion instead of by its type.
    ///
    /// - Parameter conversion: A predefined or custom conversion, such as `.date(.rfc1123)`.
    public func using(_ conversion: Conversion<Value>) -> Attribute { using(ValuePlan(conversion)) }

    /// Converts the content of an optional, array, set or dictionary by a conversion.
    ///
    /// - Parameter conversion: A predefined or custom conversion, such as `.date(.rfc1123)`.
    public func using(_ conversion: Conversion<Value.Content>) -> Attribute where Value: ValueContainer {
        using(Value.plan(conversion))
    }

    /// Converts the content of a container in a container, such as an optional array, by a conversion.
    ///
    /// - Parameter conversion: A predefined or custom conversion, such as `.date(.rfc1123)`.
    public func using(_ conversion: Conversion<Value.Content.Content>) -> Attribute
    where Value: ValueContainer, Value.Content: ValueContainer { using(Value.plan(conversion)) }

    private func using(_ plan: ValuePlan<Value>) -> Attribute {
        var copy = self
        copy.definition = definition.with(plan)
        return copy
    }
}

extension Attribute {
    /// Reads a value by a conversion; its type need not be `JSONConvertible`.
    ///
    /// - Parameters:
    ///   - source: The key path of the value, or a source around the object.
    ///   - property: The property that is set.
    ///   - conversion: A predefined or custom conversion, such as `.date(.rfc1123)`.
    @inlinable @inline(__always) public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        using conversion: Conversion<Value>
    ) { definition = RuleDefinition(source, Property(property), ValuePlan(conversion)) }

    // Reduces the errors for a misspelled property to one.
    /// Rejects properties that cannot be written.
    @available(
        *, unavailable,
        message:
            "the property is read-only: make it a `var`, or use a mapping with an initializer; for `\\.a?.b` use `Relationship(.value, \\.a, Mapping(…) { … })`"
    )
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>,
        using conversion: Conversion<Value>
    ) { definition = RuleDefinition(source, RuleTarget.none) }

    /// Reads an optional, array, set or dictionary by a conversion of its content.
    ///
    /// - Parameters:
    ///   - source: The key path of the value, or a source around the object.
    ///   - property: The property that is set.
    ///   - conversion: A predefined or custom conversion, such as `.date(.rfc1123)`.
    @inlinable @inline(__always) public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        using conversion: Conversion<Value.Content>
    ) where Value: ValueContainer { definition = RuleDefinition(source, Property(property), Value.plan(conversion)) }

    /// Reads a container in a container, such as an optional array, by a conversion of the innermost content.
    ///
    /// - Parameters:
    ///   - source: The key path of the value, or a source around the object.
    ///   - property: The property that is set.
    ///   - conversion: A predefined or custom conversion, such as `.date(.rfc1123)`.
    @inlinable @inline(__always) public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        using conversion: Conversion<Value.Content.Content>
    ) where Value: ValueContainer, Value.Content: ValueContainer {
        definition = RuleDefinition(source, Property(property), Value.plan(conversion))
    }

    /// Reads a value by the `Codable` conformance of its type.
    ///
    /// - Parameters:
    ///   - source: The key path of the value, or a source around the object.
    ///   - property: The property that is set.
    ///   - conversion: `.codable`.
    @inlinable @inline(__always) public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        using conversion: CodableConversion
    ) where Value: Codable & SendableMetatype {
        definition = RuleDefinition(source, Property(property), ValuePlan(Conversion<Value>(conversion)))
    }

    // Reduces the errors for a misspelled property to one.
    /// Rejects properties that cannot be written.
    @available(
        *, unavailable,
        message:
            "the property is read-only: make it a `var`, or use a mapping with an initializer; for `\\.a?.b` use `Relationship(.value, \\.a, Mapping(…) { … })`"
    )
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>,
        using conversion: CodableConversion
    ) where Value: Codable & SendableMetatype { definition = RuleDefinition(source, RuleTarget.none) }
}
