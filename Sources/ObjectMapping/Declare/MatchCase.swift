/// One condition of a mapping that chooses by content, and how the value is read and written if it holds.
struct MatchCase<Model>: Sendable {
    /// How the values of a case are written.
    struct Output {
        /// Writes a value; nil if it does not belong to the case.
        let write: (Memory, inout PlanWriter) -> OutputBox.Outcome?
        /// The object that is written, if rules write it.
        let node: Ref<OutputNode>?
        /// What selects the values: their type; nil for a closure.
        let type: ObjectIdentifier?
        /// The mapping that writes them.
        let mapping: ObjectIdentifier
    }

    let condition: MatchCondition<Model>
    /// Gives the box that reads a value.
    let target: @Sendable (PlanBuilder) -> ObjectBox
    /// Gives what writes a value; nil for a case that only reads.
    let output: (@Sendable (OutputBuilder) -> Output?)?

    /// One that reads by a mapping of the type.
    init(_ condition: MatchCondition<Model>, _ mapping: @escaping @Sendable () -> Mapping<Model>) {
        self.init(condition, mapping, type: Model.self, { box, _ in box }) { box, model, writer in
            box.write(model, &writer)
        }
    }

    /// One that reads by a mapping of another type.
    ///
    /// - Parameter values: The way back; nil for one by the type of the model alone.
    init<Values>(
        _ condition: MatchCondition<Model>, _ mapping: @escaping @Sendable () -> Mapping<Values>,
        _ make: @escaping @Sendable (Values) -> Model, _ values: (@Sendable (Model) -> Values?)?
    ) {
        self.init(condition, mapping, type: values == nil ? Values.self : nil) { box, builder in
            builder.keep(builder.converted(box, make)).object
        } write: { box, model, writer in
            let model = model[as: Model.self]
            guard let own = values.map({ $0(model) }) ?? (model as? Values) else { return nil }
            return withMemory(of: own) { box.write($0, &writer) }
        }
    }

    private init<Values>(
        _ condition: MatchCondition<Model>, _ mapping: @escaping @Sendable () -> Mapping<Values>, type: Values.Type?,
        _ wrap: @escaping @Sendable (ObjectBox, PlanBuilder) -> ObjectBox,
        write: @escaping @Sendable (OutputBox, Memory, inout PlanWriter) -> OutputBox.Outcome?
    ) {
        let destination = LazyMapping(mapping)
        self.condition = condition
        target = { builder in wrap(destination.objects(builder), builder) }
        let type = type.map { ObjectIdentifier($0) }
        output = { builder in
            let storage = mapping().storage
            guard storage.isWritten else { return nil }
            let box = builder.keep(destination.output(builder))
            return Output(
                write: { write(box.object, $0, &$1) }, node: box.object.node, type: type,
                mapping: ObjectIdentifier(storage))
        }
    }

    /// One of which a closure reads.
    init(_ choose: @escaping @Sendable (JSON) -> Mapping<Model>?) {
        condition = .choice(choose)
        target = { builder in builder.declining() }
        output = nil
    }
}

/// When a case matches.
enum MatchCondition<Model>: Sendable {
    case value(MappingSource, MatchValue)
    case kind(MappingSource, JSONKind)
    case wrapper(String)
    case predicate(@Sendable (JSON) -> Bool)
    case choice(@Sendable (JSON) -> Mapping<Model>?)
    case always
}

/// Gathers the cases of a mapping that chooses by content; `if`, `switch` and `for` may stand among them.
@resultBuilder public enum MatchBuilder<Model> {
    /// One case.
    public static func buildExpression(_ match: some MatchRule<Model>) -> [Match<Model>] { [match.match] }

    /// Cases one after another.
    public static func buildBlock(_ matches: [Match<Model>]...) -> [Match<Model>] { matches.flatMap { $0 } }

    /// The cases of an `if` without `else`.
    public static func buildOptional(_ matches: [Match<Model>]?) -> [Match<Model>] { matches ?? [] }

    /// The cases of a branch.
    public static func buildEither(first matches: [Match<Model>]) -> [Match<Model>] { matches }

    /// The cases of a branch.
    public static func buildEither(second matches: [Match<Model>]) -> [Match<Model>] { matches }

    /// The cases of a loop.
    public static func buildArray(_ matches: [[Match<Model>]]) -> [Match<Model>] { matches.flatMap { $0 } }
}

/// One line of a mapping that chooses by content: a `Match` or an `Otherwise`.
public protocol MatchRule<Model>: Sendable {
    /// The type that is made.
    associatedtype Model

    /// What the line says, for the library's own use.
    var match: Match<Model> { get }
}

/// A value that a `Match` compares with: a literal of a string, a number, a boolean or nil, which is null.
///
/// Values are compared as JSON compares: numbers by value, and `1` is neither `true` nor `"1"`.
public struct MatchValue: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// The value.
    public let json: JSON

    /// The JSON of a value, as `MatchValue(Kind.circle)`.
    public init(_ value: some JSONConvertible) { json = value.json }

    /// A string.
    public init(stringLiteral text: String) { json = .string(text) }

    /// An integer.
    public init(integerLiteral value: Int64) { json = .integer(value) }

    /// A number.
    public init(floatLiteral value: Double) { json = .double(value) }

    /// A boolean.
    public init(booleanLiteral value: Bool) { json = .bool(value) }

    /// Null, which is not the same as no value.
    public init(nilLiteral: ()) { json = .null }

    /// The value as messages show it.
    var name: String { json.string.map { "'\($0)'" } ?? json.text }
}

extension Mapping {
    /// A mapping that chooses by content how a value is read; see `Match`.
    ///
    /// ```swift
    /// static let mapping = Mapping<Shape>(matching: {
    ///     Match("type", is: "circle", Circle.mapping, Shape.circle)
    ///     Match("type", is: "group", Group.mapping, Shape.group)
    ///     Otherwise(.decline)
    /// })
    /// ```
    ///
    /// A value that no case matches is an issue.
    ///
    /// - Parameter matches: The cases in the order in which they are tried.
    public init(@MatchBuilder<Model> matching matches: () -> [Match<Model>]) {
        let matches = matches()
        self.init(
            MappingStorage(
                isFilled: true,
                output: { identity, _, builder in builder.matching(identity) { matches.flatMap { $0.cases() } } }
            ) { identity, _, builder in
                builder.matching(identity) { matches.flatMap { $0.cases() } }
            })
    }

    /// Leaves values out: elements of a collection, and to-one relationships stay as they are.
    ///
    /// `map` has nothing to return then, and throws.
    public static var decline: Mapping {
        Mapping(MappingStorage(isFilled: true) { _, _, builder in builder.declining() })
    }
}
