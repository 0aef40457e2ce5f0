/// One case of a mapping that chooses by content: a condition, and how the value is read if it holds.
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
///         Match { json in json["legacy"].bool == true ? oldMapping : nil }       // a choice of one's own
///         Otherwise(.decline)                                                    // leaves the value out
///     })
/// }
/// ```
///
/// The cases are tried in their order, and the first that matches reads the value. A mapping of another type comes with
/// what makes the model of its values: a case of an enum, or `{ $0 }` for a subclass or a type that conforms to a protocol.
///
/// A model is written by the first case that takes it, with the value or the wrapper that the case looks for. Objects of a
/// subclass are taken by their type, payloads of an enum by a way back:
///
/// ```swift
/// Match("type", is: "circle", Circle.mapping, Shape.circle) { shape in
///     if case .circle(let circle) = shape { circle } else { nil }
/// }
/// ```
public struct Match<Model>: MatchRule {
    /// The case itself.
    public var match: Match { self }

    /// What the case says, once the plan is made; a table has several.
    let cases: @Sendable () -> [MatchCase<Model>]

    init(_ match: MatchCase<Model>) { cases = { [match] } }

    // MARK: By a value

    /// Matches where a value stands that is equal to one given; an absent value is equal to none.
    ///
    /// - Parameters:
    ///   - source: Where the value stands.
    ///   - value: What it has to be equal to.
    ///   - mapping: How the object is read then.
    public init(
        _ source: MappingSource, is value: MatchValue, _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Model>
    ) { self.init(MatchCase(.value(source, value), mapping)) }

    /// Matches where a value stands that is equal to one given; reads another type.
    ///
    /// - Parameters:
    ///   - source: Where the value stands.
    ///   - value: What it has to be equal to.
    ///   - mapping: How the object is read then.
    ///   - make: Makes the model of what was read.
    ///   - values: The way back, to write models: nil says that the model is none of this case's. Without it only models
    ///     that are of the type themselves are written.
    public init<Values>(
        _ source: MappingSource, is value: MatchValue,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Values>,
        _ make: @escaping @Sendable (Values) -> Model,
        values: (@Sendable (Model) -> Values?)? = nil
    ) {
        self.init(MatchCase(.value(source, value), mapping, make, values))
    }

    /// Matches where one of several values stands, each with a mapping of its own.
    ///
    /// - Parameters:
    ///   - source: Where the value stands.
    ///   - table: How the object is read for each of the values.
    public init(
        _ source: MappingSource,
        in table: @autoclosure @escaping @Sendable () -> KeyValuePairs<MatchValue, Mapping<Model>>
    ) {
        cases = {
            table().map { value, mapping in
                MatchCase(.value(source, value), { mapping })
            }
        }
    }

    /// Matches where one of several values stands, each with a mapping of its own for another type.
    ///
    /// - Parameters:
    ///   - source: Where the value stands.
    ///   - table: How the object is read for each of the values.
    ///   - make: Makes the model of what was read.
    ///   - values: The way back, to write models: nil says that the model is none of this case's. Without it only models
    ///     that are of the type themselves are written.
    public init<Values>(
        _ source: MappingSource,
        in table: @autoclosure @escaping @Sendable () -> KeyValuePairs<MatchValue, Mapping<Values>>,
        _ make: @escaping @Sendable (Values) -> Model,
        values: (@Sendable (Model) -> Values?)? = nil
    ) {
        cases = {
            table().map { value, mapping in
                MatchCase(.value(source, value), { mapping }, make, values)
            }
        }
    }

    // MARK: By shape

    /// Matches where a value of some kind stands.
    ///
    /// - Parameters:
    ///   - source: Where the value stands; `.value` for the one that is read.
    ///   - kind: What it has to be.
    ///   - mapping: How the object is read then.
    public init(
        _ source: MappingSource, isA kind: JSONKind, _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Model>
    ) { self.init(MatchCase(.kind(source, kind), mapping)) }

    /// Matches where a value of some kind stands; reads another type.
    ///
    /// - Parameters:
    ///   - source: Where the value stands; `.value` for the one that is read.
    ///   - kind: What it has to be.
    ///   - mapping: How the object is read then.
    ///   - make: Makes the model of what was read.
    ///   - values: The way back, to write models: nil says that the model is none of this case's. Without it only models
    ///     that are of the type themselves are written.
    public init<Values>(
        _ source: MappingSource, isA kind: JSONKind,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Values>,
        _ make: @escaping @Sendable (Values) -> Model,
        values: (@Sendable (Model) -> Values?)? = nil
    ) {
        self.init(MatchCase(.kind(source, kind), mapping, make, values))
    }

    /// Matches an object with a member of some name, and reads the value of that member: `{"circle": {…}}`.
    ///
    /// - Parameters:
    ///   - key: The member's name.
    ///   - mapping: How its value is read.
    public init(wrappedIn key: String, _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Model>) {
        self.init(MatchCase(.wrapper(key), mapping))
    }

    /// Matches an object with a member of some name, and reads the value of that member as another type.
    ///
    /// - Parameters:
    ///   - key: The member's name.
    ///   - mapping: How its value is read.
    ///   - make: Makes the model of what was read.
    ///   - values: The way back, to write models: nil says that the model is none of this case's. Without it only models
    ///     that are of the type themselves are written.
    public init<Values>(
        wrappedIn key: String, _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Values>,
        _ make: @escaping @Sendable (Values) -> Model,
        values: (@Sendable (Model) -> Values?)? = nil
    ) {
        self.init(MatchCase(.wrapper(key), mapping, make, values))
    }

    // MARK: By a closure

    /// Matches where a closure says so.
    ///
    /// - Parameters:
    ///   - condition: Gets the value that is to be read.
    ///   - mapping: How it is read then.
    public init(
        where condition: @escaping @Sendable (JSON) -> Bool,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Model>
    ) { self.init(MatchCase(.predicate(condition), mapping)) }

    /// Matches where a closure says so; reads another type.
    ///
    /// - Parameters:
    ///   - condition: Gets the value that is to be read.
    ///   - mapping: How it is read then.
    ///   - make: Makes the model of what was read.
    ///   - values: The way back, to write models: nil says that the model is none of this case's. Without it only models
    ///     that are of the type themselves are written.
    public init<Values>(
        where condition: @escaping @Sendable (JSON) -> Bool,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Values>,
        _ make: @escaping @Sendable (Values) -> Model,
        values: (@Sendable (Model) -> Values?)? = nil
    ) {
        self.init(MatchCase(.predicate(condition), mapping, make, values))
    }

    /// Matches where a closure gives a mapping, which then reads the value on its own: nothing around the value is known
    /// to its rules.
    ///
    /// - Parameter choose: Gets the value that is to be read; nil says that the case does not match.
    public init(_ choose: @escaping @Sendable (JSON) -> Mapping<Model>?) { self.init(MatchCase(choose)) }

}

/// What reads every value that no `Match` before it has matched.
public struct Otherwise<Model>: MatchRule {
    /// What the line says, for the library's own use.
    public let match: Match<Model>

    /// Reads by a mapping, or leaves the value out: `Otherwise(.decline)`.
    public init(_ mapping: @autoclosure @escaping @Sendable () -> Mapping<Model>) {
        match = Match(MatchCase(.always, mapping))
    }

    /// Reads another type.
    ///
    /// - Parameters:
    ///   - mapping: How the value is read.
    ///   - make: Makes the model of what was read.
    ///   - values: The way back, to write models: nil says that the model is none of this case's. Without it only models
    ///     that are of the type themselves are written.
    public init<Values>(
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Values>,
        _ make: @escaping @Sendable (Values) -> Model,
        values: (@Sendable (Model) -> Values?)? = nil
    ) {
        match = Match(MatchCase(.always, mapping, make, values))
    }
}
