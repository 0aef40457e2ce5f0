/// A rule that reads one object, or a collection of objects, into a property by another mapping.
///
/// ```swift
/// Relationship("owner", \.owner)                           // by the mapping of the destination's type
/// Relationship("transactions", \.payments, shortPayment)   // by a custom mapping
/// Relationship("users", \.users, each: .member)            // a dictionary of objects; `.key` reads a member's name
/// Relationship(.value, \.coordinate)                       // a nested object created from flat keys of this one
/// ```
///
/// The property is an object, an array, a set or a dictionary of objects, or an optional of those. A single object
/// becomes the only element of an array or a set. Null elements are skipped, and so are elements without the key if the
/// key path maps through an array. An object from flat keys is created only if at least one key that its mapping reads
/// is present. An absent key leaves the property unchanged, and null clears it. Mappings are resolved when the plan is
/// compiled, so types can contain each other and themselves.
public struct Relationship<Model>: PropertyRule {
    /// The definition of the rule, for internal use.
    public var definition: RuleDefinition<Model>
}

/// A type of a relationship: a `Mappable` type, or an optional, an array, a set or a dictionary of one.
public protocol RelationshipValue: ParameterValue {}

extension Optional: RelationshipValue where Wrapped: RelationshipValue {}
extension Array: RelationshipValue where Element: RelationshipValue {}
extension Set: RelationshipValue where Element: RelationshipValue {}
extension Dictionary: RelationshipValue where Key: CodingKeyRepresentable, Value: RelationshipValue {}

/// A type of a relationship whose objects are arranged in one of several ways: an array or a set, or an optional of one.
public protocol RelationshipList: RelationshipValue {}

extension Optional: RelationshipList where Wrapped: RelationshipList {}
extension Array: RelationshipList where Element: RelationshipValue {}
extension Set: RelationshipList where Element: RelationshipValue {}

// MARK: By the mapping of the destination's type

extension Relationship {
    /// The rule for an array or a set whose invalid objects are skipped.
    ///
    /// ```swift
    /// Relationship("tasks", \.tasks).skippingInvalidElements
    /// ```
    ///
    /// The other objects of the collection are kept. The issues of a skipped object are warnings in the
    /// `MappingReport`; they do not make the decode throw. For a property with one object, and for rows, `validate()`
    /// reports the modifier as an error of the mapping.
    public var skippingInvalidElements: Self { with { $0.skipsInvalidElements = true } }
}

extension Relationship {
    /// Reads an object or a collection by the mapping of the property's type.
    ///
    /// - Parameters:
    ///   - source: The key path of the object or the collection.
    ///   - property: The property that is set: an object, an array, a set or a dictionary of objects, or an optional of
    ///     those.
    @inlinable @inline(__always) public init<Value: RelationshipValue>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>
    ) {
        definition = RuleDefinition(
            source, Property(property), ValuePlan<Value>(Value.typePlan(each: .element)))
    }

    /// Reads a list of objects in another arrangement than an array, by the mapping of the property's type.
    ///
    /// ```swift
    /// Relationship("users", \.users, each: .member)   // {"users": {"ann": {…}, "bob": {…}}}
    /// ```
    ///
    /// - Parameters:
    ///   - source: The key path of the collection.
    ///   - property: The property that is set: an array or a set of objects, or an optional of one.
    ///   - shape: How the objects of the collection are arranged.
    @inlinable @inline(__always) public init<Value: RelationshipList>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        each shape: ElementShape
    ) { definition = RuleDefinition(source, Property(property), ValuePlan<Value>(Value.typePlan(each: shape))) }

    // Lets the compiler report the property, and not the protocol.
    /// Rejects an arrangement for properties that are not lists.
    @available(
        *, unavailable,
        message: "only arrays and sets have an arrangement: remove `each:`; a dictionary reads the members of an object"
    )
    @_disfavoredOverload public init<Value: RelationshipValue>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        each shape: ElementShape
    ) { definition = RuleDefinition(source, RuleTarget.none) }

    // Reduces the errors for a misspelled property to one.
    /// Rejects properties that cannot be written.
    @available(
        *, unavailable,
        message:
            "the property cannot be written: make it a `var`, or create the model with an initializer. A key path through an optional, `\\.a?.b`, cannot be written: use `Relationship(.value, \\.a, Mapping(…) { … })`"
    )
    public init<Value: RelationshipValue>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>
    ) { definition = RuleDefinition(source, RuleTarget.none) }

    // Lets the compiler report the type, and not the protocol.
    /// Rejects types without a mapping.
    @available(
        *, unavailable,
        message: "the type of the property is not `Mappable`, nor an optional, array, set or dictionary of such a type"
    )
    @_disfavoredOverload public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        each shape: ElementShape = .element
    ) { definition = RuleDefinition(source, RuleTarget.none) }

    /// Reads an object or a collection at the key that the mapping's `keys` derive from the property's name.
    ///
    /// ```swift
    /// Mapping(Person.init, keys: .snakeCase) {
    ///     Relationship(\.homeAddress)   // home_address
    /// }
    /// ```
    ///
    /// - Parameter property: The property that is set: an object, an array or a set of objects, or an optional of those.
    @inlinable @inline(__always) public init<Value: RelationshipValue>(
        _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>
    ) { self.init(.propertyName, property()) }

    // Reduces the errors for a misspelled property to one.
    /// Rejects properties that cannot be written.
    @available(
        *, unavailable,
        message:
            "the property cannot be written: make it a `var`, or create the model with an initializer. A key path through an optional, `\\.a?.b`, cannot be written: use `Relationship(.value, \\.a, Mapping(…) { … })`"
    )
    public init<Value: RelationshipValue>(
        _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>
    ) { definition = RuleDefinition(.propertyName, RuleTarget.none) }
}

// MARK: By a custom mapping

extension Relationship {
    /// Reads an object by a custom mapping.
    ///
    /// - Parameters:
    ///   - source: The key path of the object.
    ///   - property: The property that is set.
    ///   - mapping: The mapping of the object, resolved when the plan is compiled.
    @inlinable @inline(__always) public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) { definition = RuleDefinition(source, Property(property), ValuePlan(objects: LazyMapping(mapping))) }

    /// Reads an array, a set or an optional of objects by a custom mapping.
    ///
    /// - Parameters:
    ///   - source: The key path of the object or the collection.
    ///   - property: The property that is set.
    ///   - mapping: The mapping of each object, resolved when the plan is compiled.
    ///   - shape: How the objects of a collection are arranged. Defaults to `.element`, an array.
    @inlinable @inline(__always) public init<Value: ValueContainer>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value.Content>, each shape: ElementShape = .element
    ) {
        definition = RuleDefinition(
            source, Property(property), Value.plan(ValuePlan(objects: LazyMapping(mapping)), each: shape))
    }

    /// Reads an optional array or set of objects by a custom mapping.
    ///
    /// - Parameters:
    ///   - source: The key path of the collection.
    ///   - property: The property that is set.
    ///   - mapping: The mapping of each object, resolved when the plan is compiled.
    ///   - shape: How the objects of the collection are arranged. Defaults to `.element`, an array.
    @inlinable @inline(__always) public init<Value: ValueContainer>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value.Content.Content>,
        each shape: ElementShape = .element
    ) where Value.Content: ValueContainer {
        let content = Value.Content.plan(ValuePlan(objects: LazyMapping(mapping)), each: shape)
        definition = RuleDefinition(source, Property(property), Value.plan(content, each: shape))
    }
}
