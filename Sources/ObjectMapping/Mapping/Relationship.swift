/// A rule that reads one object, or an array of them, into a property by another mapping.
///
/// ```swift
/// Relationship("owner", \.owner)                           // by the mapping of the destination's type
/// Relationship("transactions", \.payments, shortPayment)   // by a mapping of one's choice
/// Relationship("users", \.users, each: .member)           // a dictionary of objects; `.key` reads a member's name
/// Relationship(.value, \.coordinate)                      // a nested object out of flat keys of this one
/// ```
///
/// Into an array or a set a lone object goes as the only one, and null elements are left out. Out of flat keys an object
/// is made only if at least one of the keys that its mapping reads is there. An absent key leaves the
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
        self.init(source, property, one, acceptsNull: isOptional) { objects in
            isOptional ? OptionalBox<Value>(objects) : objects
        }
    }

    @usableFromInline init<Value>(
        _ source: MappingSource, _ property: Property, many: Destination<Value>, _ elements: ElementType,
        each shape: ElementShape, isOptional: Bool = false
    ) {
        self.init(source, property, many, each: shape, acceptsNull: isOptional) { objects in
            let box = ListBox(elements, objects, each: shape)
            return isOptional ? OptionalBox<[Value]>(box) : box
        }
    }

    @usableFromInline init<Value: Hashable & SendableMetatype>(
        _ source: MappingSource, _ property: Property, set: Destination<Value>, each shape: ElementShape,
        isOptional: Bool = false
    ) {
        self.init(source, property, set, each: shape, acceptsNull: isOptional) { objects in
            let box = SetBox<Value>(ListBox(ElementType(Value.self), objects, each: shape))
            return isOptional ? OptionalBox<Set<Value>>(box) : box
        }
    }

    private init<Value>(
        _ source: MappingSource, _ property: Property, _ destination: Destination<Value>,
        each shape: ElementShape = .element, acceptsNull: Bool, _ box: @escaping @Sendable (ObjectBox) -> ValueBox
    ) {
        definition = RuleDefinition(source: source, destination: { property.name }) { builder, options in
            if shape == .line {
                builder.mistake(expected: "each: .element or .member in a relationship", found: "each: .line")
            }
            let objects = destination.objects(builder)
            var box = options.wrapped(box(objects), builder)
            // The keys of a dictionary are data: none of them is looked for.
            if source == .value, shape == .element, objects.levels.count == 0 {
                _ = builder.keep(box)
                box = AggregateBox(box, objects.node)
            }
            return property.entry(box, acceptsNull: acceptsNull, builder)
        }
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
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, [Value]>,
        each shape: ElementShape = .element
    ) {
        self.init(source, Property(property), many: Destination(Value.self), ElementType(Value.self), each: shape)
    }

    /// To many or nil: an array of objects or null.
    @inlinable @inline(__always)
    public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, [Value]?>,
        each shape: ElementShape = .element
    ) {
        self.init(
            source, Property(property), many: Destination(Value.self), ElementType(Value.self), each: shape,
            isOptional: true)
    }

    /// To many without order: an array of objects.
    @inlinable @inline(__always)
    public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>>,
        each shape: ElementShape = .element
    ) {
        self.init(source, Property(property), set: Destination(Value.self), each: shape)
    }

    /// To many without order, or nil: an array of objects or null.
    @inlinable @inline(__always)
    public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>?>,
        each shape: ElementShape = .element
    ) {
        self.init(source, Property(property), set: Destination(Value.self), each: shape, isOptional: true)
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
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>,
        each shape: ElementShape = .element
    ) {
        self.init(source, Property(property), many: Destination(mapping), ElementType(Value.self), each: shape)
    }

    /// To many or nil: an array of objects or null.
    @inlinable @inline(__always)
    public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, [Value]?>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>,
        each shape: ElementShape = .element
    ) {
        self.init(
            source, Property(property), many: Destination(mapping), ElementType(Value.self), each: shape,
            isOptional: true)
    }

    /// To many without order: an array of objects.
    @inlinable @inline(__always)
    public init<Value: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>,
        each shape: ElementShape = .element
    ) {
        self.init(source, Property(property), set: Destination(mapping), each: shape)
    }

    /// To many without order, or nil: an array of objects or null.
    @inlinable @inline(__always)
    public init<Value: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>?>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>,
        each shape: ElementShape = .element
    ) {
        self.init(source, Property(property), set: Destination(mapping), each: shape, isOptional: true)
    }
}
