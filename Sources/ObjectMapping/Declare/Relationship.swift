/// A rule that reads one object, or an array of them, into a property by another mapping.
///
/// ```swift
/// Relationship("owner", \.owner)                           // by the mapping of the destination's type
/// Relationship("transactions", \.payments, shortPayment)   // by a mapping of one's choice
/// Relationship("users", \.users, each: .member)           // a dictionary of objects; `.key` reads a member's name
/// Relationship(.value, \.coordinate)                      // a nested object out of flat keys of this one
/// ```
///
/// Into an array or a set a lone object goes as the only one, and null elements are left out; so are, where the key path
/// goes through an array, those of its elements that lack the key. Out of flat keys an object is made only if at least
/// one of the keys that its mapping reads is there. An absent key leaves the property alone, null clears it. Mappings
/// are resolved when the plan is made, so types may hold each other and themselves.
public struct Relationship<Model>: PropertyRule {
    /// What the rule says, for the library's own use.
    public var definition: RuleDefinition<Model>

    @usableFromInline init<Value>(
        _ source: MappingSource, _ property: Property, one: LazyMapping<Value>, isOptional: Bool = false
    ) {
        let output = { RuleOutput(property, of: Value.self, orNil: isOptional, one.output) }
        let kind: RuleKind =
            isOptional
            ? RelationshipKind<Value?, Value>(
                property, one, acceptsNull: true, output, models: { $0.map { [$0] } }
            ) { OptionalBox<Value>($0) }
            : RelationshipKind<Value, Value>(property, one, output, models: { [$0] }) { $0 }
        definition = RuleDefinition(source, kind)
    }

    @usableFromInline init<Value>(
        _ source: MappingSource, _ property: Property, many: LazyMapping<Value>, _ elements: ElementType,
        each shape: ElementShape = .element, isOptional: Bool = false
    ) {
        let output = {
            RuleOutput(property, of: [Value].self, orNil: isOptional) {
                ListOutput<Value>(many.output($0), each: shape)
            }
        }
        let kind: RuleKind =
            isOptional
            ? RelationshipKind<[Value]?, Value>(
                property, many, each: shape, acceptsNull: true, output, models: { $0 }
            ) {
                OptionalBox<[Value]>(ListBox(elements, $0, each: shape))
            }
            : RelationshipKind<[Value], Value>(property, many, each: shape, output, models: { $0 }) {
                ListBox(elements, $0, each: shape)
            }
        definition = RuleDefinition(source, kind)
    }

    @usableFromInline init<Value: Hashable & SendableMetatype>(
        _ source: MappingSource, _ property: Property, set: LazyMapping<Value>, each shape: ElementShape = .element,
        isOptional: Bool = false
    ) {
        let elements = ElementType(Value.self)
        let output = {
            RuleOutput(property, of: Set<Value>.self, orNil: isOptional) {
                SetOutput<Value>(set.output($0), each: shape)
            }
        }
        let kind: RuleKind =
            isOptional
            ? RelationshipKind<Set<Value>?, Value>(
                property, set, each: shape, acceptsNull: true, output, models: { $0.map(Array.init) }
            ) { OptionalBox<Set<Value>>(SetBox<Value>(ListBox(elements, $0, each: shape))) }
            : RelationshipKind<Set<Value>, Value>(property, set, each: shape, output, models: { Array($0) }) {
                SetBox<Value>(ListBox(elements, $0, each: shape))
            }
        definition = RuleDefinition(source, kind)
    }
}

/// A relationship whose property is of one type, to models of another.
private final class RelationshipKind<Value, Element>: RuleKind,
    @unchecked Sendable  // guarded by having constants only
{
    private let elements: LazyMapping<Element>
    private let shape: ElementShape
    private let acceptsNull: Bool
    private let makeOutput: () -> RuleOutput
    /// The models that a value of the property holds; nil for nil.
    private let models: (Value) -> [Element]?
    private let box: (ObjectBox) -> ValueBox

    init(
        _ property: Property, _ elements: LazyMapping<Element>, each shape: ElementShape = .element,
        acceptsNull: Bool = false, _ output: @escaping () -> RuleOutput,
        models: @escaping (Value) -> [Element]?, _ box: @escaping (ObjectBox) -> ValueBox
    ) {
        self.elements = elements
        self.shape = shape
        self.acceptsNull = acceptsNull
        makeOutput = output
        self.models = models
        self.box = box
        super.init(property)
    }

    override var isCollection: Bool { Value.self is any UnionCollection.Type }

    override func keep(_ model: Memory) -> (Memory) -> Void {
        property?.keep(Value.self, of: model) ?? super.keep(model)
    }

    override var output: RuleOutput? { makeOutput() }

    override func entry(for rule: RuleStorage, _ builder: PlanBuilder) -> Entry {
        guard let property else { return super.entry(for: rule, builder) }
        let options = rule.options
        if shape == .line {
            builder.mistake(expected: "each: .element or .member in a relationship", found: "each: .line")
        }
        let objects = elements.objects(builder)
        var box = options.wrapped(box(objects), builder)
        // The keys of a dictionary are data: none of them is looked for.
        if rule.source.isWhole, shape == .element, objects.levels.count == 0 {
            _ = builder.keep(box)
            box = FlattenedObjectBox(box, objects.node)
            builder.flatten(by: objects.node, isList: isCollection)
        }
        guard options.policy == .union, let union = Value.self as? any UnionCollection.Type else {
            return property.entry(
                box, acceptsNull: acceptsNull, Assignment(property, Value.self, areIdentical(models)), builder)
        }
        return property.entry(
            box, acceptsNull: acceptsNull, Assignment(adding: property, union, elements.identity()),
            isAdded: true, builder)
    }
}

// MARK: By the mapping of the destination's type

extension Relationship {
    /// To one: an object.
    ///
    /// - Parameters:
    ///   - source: Where the object stands.
    ///   - property: What is set.
    @inlinable @inline(__always) public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>
    ) { self.init(source, Property(property), one: LazyMapping(Value.self)) }

    /// To one or none: an object or null.
    ///
    /// - Parameters:
    ///   - source: Where the object stands.
    ///   - property: What is set.
    @inlinable @inline(__always) public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value?>
    ) { self.init(source, Property(property), one: LazyMapping(Value.self), isOptional: true) }

    /// To many: an array of objects.
    ///
    /// - Parameters:
    ///   - source: Where the objects stand.
    ///   - property: What is set.
    ///   - shape: How the objects stand there: in an array, or as the members of an object.
    @inlinable @inline(__always) public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, [Value]>,
        each shape: ElementShape = .element
    ) { self.init(source, Property(property), many: LazyMapping(Value.self), ElementType(Value.self), each: shape) }

    /// To many or nil: an array of objects or null.
    ///
    /// - Parameters:
    ///   - source: Where the objects stand.
    ///   - property: What is set.
    ///   - shape: How the objects stand there: in an array, or as the members of an object.
    @inlinable @inline(__always) public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, [Value]?>,
        each shape: ElementShape = .element
    ) {
        self.init(
            source, Property(property), many: LazyMapping(Value.self), ElementType(Value.self), each: shape,
            isOptional: true)
    }

    /// To many without order: an array of objects.
    ///
    /// - Parameters:
    ///   - source: Where the objects stand.
    ///   - property: What is set.
    ///   - shape: How the objects stand there: in an array, or as the members of an object.
    @inlinable @inline(__always) public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>>,
        each shape: ElementShape = .element
    ) { self.init(source, Property(property), set: LazyMapping(Value.self), each: shape) }

    /// To many without order, or nil: an array of objects or null.
    ///
    /// - Parameters:
    ///   - source: Where the objects stand.
    ///   - property: What is set.
    ///   - shape: How the objects stand there: in an array, or as the members of an object.
    @inlinable @inline(__always) public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>?>,
        each shape: ElementShape = .element
    ) { self.init(source, Property(property), set: LazyMapping(Value.self), each: shape, isOptional: true) }
}

extension Relationship {
    // With this one beside the others the compiler has one thing to say of a misspelt property, not one for each.
    /// Not for properties that cannot be written.
    @available(*, unavailable, message: "the property cannot be written: make it a `var`, or make the model at once")
    public init<Value: Mappable>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>
    ) { self.init(source, Property(of: Model.self, reading: property), one: LazyMapping(Value.self)) }
}

// MARK: By a mapping of one's choice

extension Relationship {
    /// To one: an object.
    ///
    /// - Parameters:
    ///   - source: Where the object stands.
    ///   - property: What is set.
    ///   - mapping: How the object is read.
    @inlinable @inline(__always) public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) { self.init(source, Property(property), one: LazyMapping(mapping)) }

    /// To one or none: an object or null.
    ///
    /// - Parameters:
    ///   - source: Where the object stands.
    ///   - property: What is set.
    ///   - mapping: How the object is read.
    @inlinable @inline(__always) public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value?>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) { self.init(source, Property(property), one: LazyMapping(mapping), isOptional: true) }

    /// To many: an array of objects.
    ///
    /// - Parameters:
    ///   - source: Where the objects stand.
    ///   - property: What is set.
    ///   - mapping: How each object is read.
    ///   - shape: How the objects stand there: in an array, or as the members of an object.
    @inlinable @inline(__always) public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, [Value]>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>,
        each shape: ElementShape = .element
    ) {
        self.init(source, Property(property), many: LazyMapping(mapping), ElementType(Value.self), each: shape)
    }

    /// To many or nil: an array of objects or null.
    ///
    /// - Parameters:
    ///   - source: Where the objects stand.
    ///   - property: What is set.
    ///   - mapping: How each object is read.
    ///   - shape: How the objects stand there: in an array, or as the members of an object.
    @inlinable @inline(__always) public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, [Value]?>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>, each shape: ElementShape = .element
    ) {
        self.init(
            source, Property(property), many: LazyMapping(mapping), ElementType(Value.self), each: shape,
            isOptional: true)
    }

    /// To many without order: an array of objects.
    ///
    /// - Parameters:
    ///   - source: Where the objects stand.
    ///   - property: What is set.
    ///   - mapping: How each object is read.
    ///   - shape: How the objects stand there: in an array, or as the members of an object.
    @inlinable @inline(__always) public init<Value: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>,
        each shape: ElementShape = .element
    ) {
        self.init(source, Property(property), set: LazyMapping(mapping), each: shape)
    }

    /// To many without order, or nil: an array of objects or null.
    ///
    /// - Parameters:
    ///   - source: Where the objects stand.
    ///   - property: What is set.
    ///   - mapping: How each object is read.
    ///   - shape: How the objects stand there: in an array, or as the members of an object.
    @inlinable @inline(__always) public init<Value: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>?>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>,
        each shape: ElementShape = .element
    ) {
        self.init(source, Property(property), set: LazyMapping(mapping), each: shape, isOptional: true)
    }
}
