/// A rule that reads one object, or an array of them, into a property by another mapping.
///
/// ```swift
/// Relationship("owner", \.owner)                           // by the mapping of the destination's type
/// Relationship("transactions", \.payments, shortPayment)   // by a mapping of one's choice
/// ```
///
/// Into an array or a set a lone object goes as the only one, and null elements are left out. An absent key leaves the
/// property alone, null clears it. Mappings are resolved when the plan is made, so types may hold each other and
/// themselves.
public struct Relationship<Model>: MappingRule {
    /// What the rule says, for the library's own use.
    public var definition: RuleDefinition<Model>

    /// The same rule, for a key that must be there: its absence is an issue, and so is null unless the property is optional.
    public var required: Relationship {
        var copy = self
        copy.definition.options.isRequired = true
        return copy
    }

    @usableFromInline init<Value>(
        _ source: MappingSource, _ property: Property, one: Destination<Value>, isOptional: Bool = false
    ) {
        self.init(source, property, acceptsNull: isOptional) { builder in
            let box = one.objects(builder)
            return isOptional ? OptionalBox<Value>(box) : box
        }
    }

    @usableFromInline init<Value>(
        _ source: MappingSource, _ property: Property, many: Destination<Value>, _ elements: ElementType,
        isOptional: Bool = false
    ) {
        self.init(source, property, acceptsNull: isOptional) { builder in
            let box = many.list(elements, builder)
            return isOptional ? OptionalBox<[Value]>(box) : box
        }
    }

    @usableFromInline init<Value: Hashable & SendableMetatype>(
        _ source: MappingSource, _ property: Property, set: Destination<Value>, isOptional: Bool = false
    ) {
        self.init(source, property, acceptsNull: isOptional) { builder in
            let box = SetBox<Value>(set.list(ElementType(Value.self), builder))
            return isOptional ? OptionalBox<Set<Value>>(box) : box
        }
    }

    private init(
        _ source: MappingSource, _ property: Property, acceptsNull: Bool,
        _ box: @escaping @Sendable (PlanBuilder) -> ValueBox
    ) {
        definition = RuleDefinition(source: source, destination: { property.name }) { builder, options in
            property.entry(options.wrapped(box(builder), builder), acceptsNull: acceptsNull, builder)
        }
        definition.property = property
    }
}

// MARK: By the mapping of the destination's type

extension Relationship {
    /// To one: an object.
    @inlinable @inline(__always)
    public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>
    ) {
        self.init(source, Property(property), one: Destination(Value.self))
    }

    /// To one or none: an object or null.
    @inlinable @inline(__always)
    public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value?>
    ) {
        self.init(source, Property(property), one: Destination(Value.self), isOptional: true)
    }

    /// To many: an array of objects.
    @inlinable @inline(__always)
    public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, [Value]>
    ) {
        self.init(source, Property(property), many: Destination(Value.self), ElementType(Value.self))
    }

    /// To many or nil: an array of objects or null.
    @inlinable @inline(__always)
    public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, [Value]?>
    ) {
        self.init(source, Property(property), many: Destination(Value.self), ElementType(Value.self), isOptional: true)
    }

    /// To many without order: an array of objects.
    @inlinable @inline(__always)
    public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>>
    ) {
        self.init(source, Property(property), set: Destination(Value.self))
    }

    /// To many without order, or nil: an array of objects or null.
    @inlinable @inline(__always)
    public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>?>
    ) {
        self.init(source, Property(property), set: Destination(Value.self), isOptional: true)
    }
}

// MARK: By a mapping of one's choice

extension Relationship {
    /// To one: an object.
    @inlinable @inline(__always)
    public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) {
        self.init(source, Property(property), one: Destination(mapping))
    }

    /// To one or none: an object or null.
    @inlinable @inline(__always)
    public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value?>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) {
        self.init(source, Property(property), one: Destination(mapping), isOptional: true)
    }

    /// To many: an array of objects.
    @inlinable @inline(__always)
    public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, [Value]>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) {
        self.init(source, Property(property), many: Destination(mapping), ElementType(Value.self))
    }

    /// To many or nil: an array of objects or null.
    @inlinable @inline(__always)
    public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, [Value]?>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) {
        self.init(source, Property(property), many: Destination(mapping), ElementType(Value.self), isOptional: true)
    }

    /// To many without order: an array of objects.
    @inlinable @inline(__always)
    public init<Value: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) {
        self.init(source, Property(property), set: Destination(mapping))
    }

    /// To many without order, or nil: an array of objects or null.
    @inlinable @inline(__always)
    public init<Value: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>?>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) {
        self.init(source, Property(property), set: Destination(mapping), isOptional: true)
    }
}
