/// A relationship whose mapping is selected by the content of each object; see `Match`.
///
/// ```swift
/// Dynamic("shapes", \.shapes) {
///     Match("type", is: "circle", Circle.mapping, Shape.circle)
///     Match("type", is: "group", Group.mapping, Shape.group)
///     Otherwise(.decline)
/// }
/// ```
///
/// It is equivalent to `Relationship("shapes", \.shapes, mapping)` with a mapping created from the cases. Declined
/// elements are omitted from lists; a property for one object is unchanged.
public struct Dynamic<Model>: PropertyRule {
    /// The definition of the rule, for internal use.
    public var definition: RuleDefinition<Model>

    // Disfavored, because functions convert to functions with an optional result: the next initializer reads optionals.
    /// Reads a value.
    ///
    /// - Parameters:
    ///   - source: The key path of the value.
    ///   - property: The property that is set.
    ///   - matches: The cases in the order in which they are tested.
    @_disfavoredOverload @inlinable @inline(__always) public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        @MatchBuilder<Value> _ matches: () -> [Match<Value>]
    ) {
        let mapping = Mapping(matching: matches)
        definition = Relationship(source, property(), mapping).definition
    }

    /// Reads an array, a set or an optional of values.
    ///
    /// - Parameters:
    ///   - source: The key path of the value or the collection.
    ///   - property: The property that is set.
    ///   - shape: How the values of a collection are arranged. Defaults to `.element`, an array.
    ///   - matches: The cases in the order in which they are tested.
    @inlinable @inline(__always) public init<Value: ValueContainer>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        each shape: ElementShape = .element, @MatchBuilder<Value.Content> _ matches: () -> [Match<Value.Content>]
    ) {
        let mapping = Mapping(matching: matches)
        definition = Relationship(source, property(), mapping, each: shape).definition
    }

    /// Reads an optional array or set of values.
    ///
    /// - Parameters:
    ///   - source: The key path of the collection.
    ///   - property: The property that is set.
    ///   - shape: How the values of the collection are arranged. Defaults to `.element`, an array.
    ///   - matches: The cases in the order in which they are tested.
    @inlinable @inline(__always) public init<Value: ValueContainer>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        each shape: ElementShape = .element,
        @MatchBuilder<Value.Content.Content> _ matches: () -> [Match<Value.Content.Content>]
    ) where Value.Content: ValueContainer {
        let mapping = Mapping(matching: matches)
        definition = Relationship(source, property(), mapping, each: shape).definition
    }

    // Reduces the errors for a misspelled property to one.
    /// Rejects properties that cannot be written.
    @available(
        *, unavailable,
        message:
            "the property cannot be written: make it a `var`, or create the model with an initializer. A key path through an optional, `\\.a?.b`, cannot be written: use `Relationship(.value, \\.a, Mapping(…) { … })`"
    )
    public init<Value>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>,
        @MatchBuilder<Value> _ matches: () -> [Match<Value>]
    ) { definition = RuleDefinition(source, RuleTarget.none) }
}
