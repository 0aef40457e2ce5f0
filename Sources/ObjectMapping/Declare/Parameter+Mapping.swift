extension Parameter {
    /// Reads an object by a custom mapping.
    ///
    /// - Parameters:
    ///   - source: The key path of the object.
    ///   - property: The property from which the argument is written; `nil` for a model that is only read.
    ///   - mapping: The mapping of the object, resolved when the plan is compiled.
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        by mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) where Value: SendableMetatype { self.init(source, property, ValuePlan(objects: LazyMapping(mapping))) }

    /// Reads an array, a set or an optional of objects by a custom mapping.
    ///
    /// - Parameters:
    ///   - source: The key path of the object or the array.
    ///   - property: The property from which the argument is written; `nil` for a model that is only read.
    ///   - mapping: The mapping of each object, resolved when the plan is compiled.
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        by mapping: @autoclosure @escaping @Sendable () -> Mapping<Value.Content>
    ) where Value: ValueContainer {
        self.init(source, property, Value.plan(ValuePlan(objects: LazyMapping(mapping)), each: .element))
    }

    /// Reads an optional array or set of objects by a custom mapping.
    ///
    /// - Parameters:
    ///   - source: The key path of the array.
    ///   - property: The property from which the argument is written; `nil` for a model that is only read.
    ///   - mapping: The mapping of each object, resolved when the plan is compiled.
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        by mapping: @autoclosure @escaping @Sendable () -> Mapping<Value.Content.Content>
    ) where Value: ValueContainer, Value.Content: ValueContainer {
        let content = Value.Content.plan(ValuePlan(objects: LazyMapping(mapping)), each: .element)
        self.init(source, property, Value.plan(content, each: .element))
    }

    // Lets the compiler report a mapping of another type.
    /// Rejects mappings of another type.
    @available(*, unavailable, message: "the mapping makes another type than the argument has")
    public init<Other: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        by mapping: @autoclosure @escaping @Sendable () -> Mapping<Other>
    ) { self.init(source, property, ValuePlan(TypedValuePlan())) }
}

extension Parameter {
    /// Reads a value by a conversion; its type need not be `JSONConvertible`.
    ///
    /// - Parameters:
    ///   - source: The key path of the value, or a source around the object.
    ///   - property: The property from which the argument is written; `nil` for a model that is only read.
    ///   - conversion: A predefined or custom conversion, such as `.date(.rfc1123)`.
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        using conversion: Conversion<Value>
    ) where Value: SendableMetatype { self.init(source, property, ValuePlan(conversion)) }

    /// Reads an optional, array, set or dictionary by a conversion of its content.
    ///
    /// - Parameters:
    ///   - source: The key path of the value, or a source around the object.
    ///   - property: The property from which the argument is written; `nil` for a model that is only read.
    ///   - conversion: A predefined or custom conversion, such as `.date(.rfc1123)`.
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        using conversion: Conversion<Value.Content>
    ) where Value: ValueContainer { self.init(source, property, Value.plan(conversion)) }

    /// Reads a container in a container, such as an optional array, by a conversion of the innermost content.
    ///
    /// - Parameters:
    ///   - source: The key path of the value, or a source around the object.
    ///   - property: The property from which the argument is written; `nil` for a model that is only read.
    ///   - conversion: A predefined or custom conversion, such as `.date(.rfc1123)`.
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        using conversion: Conversion<Value.Content.Content>
    ) where Value: ValueContainer, Value.Content: ValueContainer { self.init(source, property, Value.plan(conversion)) }

    // Lets the compiler report a conversion of another type.
    /// Rejects conversions of another type.
    @available(*, unavailable, message: "the type of the conversion is not that of the argument")
    @_disfavoredOverload public init<Other: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        using conversion: Conversion<Other>
    ) { self.init(source, property, ValuePlan(TypedValuePlan())) }
}
