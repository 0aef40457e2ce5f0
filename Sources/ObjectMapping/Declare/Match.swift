/// One case of a mapping that selects by content: a condition, and the mapping of matching values.
///
/// ```swift
/// indirect enum Shape: Mappable {
///     case circle(Circle), rectangle(Rectangle), group([Shape]), unknown(JSON)
///
///     static let mapping = Mapping<Shape>(matching: {
///         Match("type", is: "circle", Circle.mapping, Shape.circle)              // a value
///         Match("type", in: ["square": Square.mapping, "box": Box.mapping])      // a table of values
///         Match("members", isA: .array, Group.mapping, { .group($0.members) })   // a kind of value
///         Match(wrappedIn: "rectangle", Rectangle.mapping, Shape.rectangle)      // {"rectangle": {…}}
///         Match(where: { $0["a"].exists && $0["b"].exists }, Line.mapping)       // any condition
///         Match { json in json["legacy"].bool == true ? oldMapping : nil }       // a custom selection
///         Otherwise(.decline)                                                    // skips the value
///     })
/// }
/// ```
///
/// The cases are tested in order, and the first match reads the value. A mapping of another type requires a closure
/// that creates the model from its values: a case of an enum, or `{ $0 }` for a subclass or a conforming type.
///
/// A model is written by the first case that accepts it, with the value or the wrapper of the case. Objects of a
/// subclass are matched by their type, payloads of an enum by a closure that extracts them:
///
/// ```swift
/// Match("type", is: "circle", Circle.mapping, Shape.circle) { shape in
///     if case .circle(let circle) = shape { circle } else { nil }
/// }
/// ```
public struct Match<Model>: MatchRule {
    /// The case itself.
    public var match: Match { self }

    /// The conditions of the case, evaluated when the plan is compiled; a table has several.
    let cases: @Sendable () -> [MatchCase<Model>]

    init(_ match: MatchCase<Model>) { cases = { [match] } }

    // MARK: By a value

    /// Matches if a value is equal to a constant; an absent value is not equal to any constant.
    ///
    /// - Parameters:
    ///   - source: The source of the value.
    ///   - value: The constant.
    ///   - mapping: The mapping of the object.
    public init(
        _ source: MappingSource, is value: MatchValue, _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Model>
    ) { self.init(MatchCase(.value(source, value), mapping)) }

    /// Matches if a value is equal to a constant; reads another type.
    ///
    /// - Parameters:
    ///   - source: The source of the value.
    ///   - value: The constant.
    ///   - mapping: The mapping of the object.
    ///   - make: Creates the model from the values.
    ///   - values: Returns the values of a model for serialization; `nil` if the model belongs to another case. Without
    ///     it, only models of exactly that type are written.
    public init<Values>(
        _ source: MappingSource, is value: MatchValue,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Values>,
        _ make: @escaping @Sendable (Values) -> Model,
        values: (@Sendable (Model) -> Values?)? = nil
    ) {
        self.init(MatchCase(.value(source, value), mapping, make, values))
    }

    /// Matches one of several values, each with a separate mapping.
    ///
    /// - Parameters:
    ///   - source: The source of the value.
    ///   - table: The mappings of the object by value.
    public init(
        _ source: MappingSource,
        in table: @autoclosure @escaping @Sendable () -> KeyValuePairs<MatchValue, Mapping<Model>>
    ) {
        cases = {
            table().enumerated().map { index, entry in
                MatchCase(.value(source, entry.key), { entry.value }, tableIndex: index)
            }
        }
    }

    /// Matches one of several values, each with a separate mapping of another type.
    ///
    /// - Parameters:
    ///   - source: The source of the value.
    ///   - table: The mappings of the object by value.
    ///   - make: Creates the model from the values.
    ///   - values: Returns the values of a model for serialization; `nil` if the model belongs to another case. Without
    ///     it, only models of exactly that type are written.
    public init<Values>(
        _ source: MappingSource,
        in table: @autoclosure @escaping @Sendable () -> KeyValuePairs<MatchValue, Mapping<Values>>,
        _ make: @escaping @Sendable (Values) -> Model,
        values: (@Sendable (Model) -> Values?)? = nil
    ) {
        cases = {
            table().enumerated().map { index, entry in
                MatchCase(.value(source, entry.key), { entry.value }, make, values, tableIndex: index)
            }
        }
    }

    // MARK: By shape

    /// Matches if a value has a kind.
    ///
    /// - Parameters:
    ///   - source: The source of the value; `.value` for the value being read.
    ///   - kind: The kind.
    ///   - mapping: The mapping of the object.
    public init(
        _ source: MappingSource, isA kind: JSONKind, _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Model>
    ) { self.init(MatchCase(.kind(source, kind), mapping)) }

    /// Matches if a value has a kind; reads another type.
    ///
    /// - Parameters:
    ///   - source: The source of the value; `.value` for the value being read.
    ///   - kind: The kind.
    ///   - mapping: The mapping of the object.
    ///   - make: Creates the model from the values.
    ///   - values: Returns the values of a model for serialization; `nil` if the model belongs to another case. Without
    ///     it, only models of exactly that type are written.
    public init<Values>(
        _ source: MappingSource, isA kind: JSONKind,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Values>,
        _ make: @escaping @Sendable (Values) -> Model,
        values: (@Sendable (Model) -> Values?)? = nil
    ) {
        self.init(MatchCase(.kind(source, kind), mapping, make, values))
    }

    /// Matches an object with a key, and reads the value of that key: `{"circle": {…}}`.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - mapping: The mapping of its value.
    public init(wrappedIn key: String, _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Model>) {
        self.init(MatchCase(.wrapper(key), mapping))
    }

    /// Matches an object with a key, and reads the value of that key as another type.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - mapping: The mapping of its value.
    ///   - make: Creates the model from the values.
    ///   - values: Returns the values of a model for serialization; `nil` if the model belongs to another case. Without
    ///     it, only models of exactly that type are written.
    public init<Values>(
        wrappedIn key: String, _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Values>,
        _ make: @escaping @Sendable (Values) -> Model,
        values: (@Sendable (Model) -> Values?)? = nil
    ) {
        self.init(MatchCase(.wrapper(key), mapping, make, values))
    }

    // MARK: By a closure

    /// Matches if a closure returns true.
    ///
    /// - Parameters:
    ///   - condition: Receives the value being read.
    ///   - mapping: The mapping of the value.
    public init(
        where condition: @escaping @Sendable (JSON) -> Bool,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Model>
    ) { self.init(MatchCase(.predicate(condition), mapping)) }

    /// Matches if a closure returns true; reads another type.
    ///
    /// - Parameters:
    ///   - condition: Receives the value being read.
    ///   - mapping: The mapping of the value.
    ///   - make: Creates the model from the values.
    ///   - values: Returns the values of a model for serialization; `nil` if the model belongs to another case. Without
    ///     it, only models of exactly that type are written.
    public init<Values>(
        where condition: @escaping @Sendable (JSON) -> Bool,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Values>,
        _ make: @escaping @Sendable (Values) -> Model,
        values: (@Sendable (Model) -> Values?)? = nil
    ) {
        self.init(MatchCase(.predicate(condition), mapping, make, values))
    }

    /// Matches if a closure returns a mapping, which reads the value separately: its rules have no access to the
    /// surroundings of the value.
    ///
    /// - Parameter choose: Receives the value being read; returns `nil` if the case does not match.
    public init(_ choose: @escaping @Sendable (JSON) -> Mapping<Model>?) { self.init(MatchCase(choose)) }

}

/// Reads the values that no `Match` before it has matched.
public struct Otherwise<Model>: MatchRule {
    /// The case, for internal use.
    public let match: Match<Model>

    /// Reads with a mapping, or skips the value: `Otherwise(.decline)`.
    public init(_ mapping: @autoclosure @escaping @Sendable () -> Mapping<Model>) {
        match = Match(MatchCase(.always, mapping))
    }

    /// Reads another type.
    ///
    /// - Parameters:
    ///   - mapping: The mapping of the value.
    ///   - make: Creates the model from the values.
    ///   - values: Returns the values of a model for serialization; `nil` if the model belongs to another case. Without
    ///     it, only models of exactly that type are written.
    public init<Values>(
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Values>,
        _ make: @escaping @Sendable (Values) -> Model,
        values: (@Sendable (Model) -> Values?)? = nil
    ) {
        match = Match(MatchCase(.always, mapping, make, values))
    }
}
