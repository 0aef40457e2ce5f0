/// A relationship whose mapping is chosen by the content of each object; see `Match`.
///
/// ```swift
/// Dynamic("shapes", \.shapes) {
///     Match("type", is: "circle", Circle.mapping, Shape.circle)
///     Match("type", is: "group", Group.mapping, Shape.group)
///     Otherwise(.decline)
/// }
/// ```
///
/// Works as `Relationship("shapes", \.shapes, mapping)` with a mapping that is made of the cases. Declined elements are left
/// out of lists; a property for one object stays as it is.
public struct Dynamic<Model>: PropertyRule {
    /// What the rule says, for the library's own use.
    public var definition: RuleDefinition<Model>

    // Disfavoured, as functions convert to such with an optional result: an optional is filled by the next one.
    /// To one: a value.
    ///
    /// - Parameters:
    ///   - source: Where the value stands.
    ///   - property: What is set.
    ///   - matches: The cases in the order in which they are tried.
    @_disfavoredOverload @inlinable @inline(__always) public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        @MatchBuilder<Value> _ matches: () -> [Match<Value>]
    ) {
        let mapping = Mapping(matching: matches)
        definition = Relationship(source, property(), mapping).definition
    }

    /// To one or none: a value or null.
    ///
    /// - Parameters:
    ///   - source: Where the value stands.
    ///   - property: What is set.
    ///   - matches: The cases in the order in which they are tried.
    @inlinable @inline(__always) public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value?>,
        @MatchBuilder<Value> _ matches: () -> [Match<Value>]
    ) {
        let mapping = Mapping(matching: matches)
        definition = Relationship(source, property(), mapping).definition
    }

    /// To many: an array of values.
    ///
    /// - Parameters:
    ///   - source: Where the values stand.
    ///   - property: What is set.
    ///   - shape: How the values stand there: in an array, or as the members of an object.
    ///   - matches: The cases in the order in which they are tried.
    @inlinable @inline(__always) public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, [Value]>,
        each shape: ElementShape = .element, @MatchBuilder<Value> _ matches: () -> [Match<Value>]
    ) {
        let mapping = Mapping(matching: matches)
        definition = Relationship(source, property(), mapping, each: shape).definition
    }

    /// To many or nil: an array of values or null.
    ///
    /// - Parameters:
    ///   - source: Where the values stand.
    ///   - property: What is set.
    ///   - shape: How the values stand there: in an array, or as the members of an object.
    ///   - matches: The cases in the order in which they are tried.
    @inlinable @inline(__always) public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, [Value]?>,
        each shape: ElementShape = .element, @MatchBuilder<Value> _ matches: () -> [Match<Value>]
    ) {
        let mapping = Mapping(matching: matches)
        definition = Relationship(source, property(), mapping, each: shape).definition
    }

    /// To many without order: an array of values.
    ///
    /// - Parameters:
    ///   - source: Where the values stand.
    ///   - property: What is set.
    ///   - shape: How the values stand there: in an array, or as the members of an object.
    ///   - matches: The cases in the order in which they are tried.
    @inlinable @inline(__always) public init<Value: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>>,
        each shape: ElementShape = .element, @MatchBuilder<Value> _ matches: () -> [Match<Value>]
    ) {
        let mapping = Mapping(matching: matches)
        definition = Relationship(source, property(), mapping, each: shape).definition
    }

    /// To many without order, or nil: an array of values or null.
    ///
    /// - Parameters:
    ///   - source: Where the values stand.
    ///   - property: What is set.
    ///   - shape: How the values stand there: in an array, or as the members of an object.
    ///   - matches: The cases in the order in which they are tried.
    @inlinable @inline(__always) public init<Value: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>?>,
        each shape: ElementShape = .element, @MatchBuilder<Value> _ matches: () -> [Match<Value>]
    ) {
        let mapping = Mapping(matching: matches)
        definition = Relationship(source, property(), mapping, each: shape).definition
    }

    // With this one beside the others the compiler has one thing to say of a misspelt property, not one for each.
    /// Not for properties that cannot be written.
    @available(*, unavailable, message: "the property cannot be written: make it a `var`, or make the model at once")
    public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>,
        @MatchBuilder<Value> _ matches: () -> [Match<Value>]
    ) { definition = RuleDefinition(source, RuleKind(nil)) }
}
