/// One condition of a mapping that selects by content, and the readers and writers of matching values.
struct MatchCase<Model>: Sendable {
    /// Writes the values of a case.
    struct Output {
        /// Writes a value; returns `nil` if it does not belong to the case.
        let write: (Memory, inout PlanWriter) -> OutputBox.Outcome?
        /// The node of the object, if rules write it.
        let node: Ref<OutputNode>?
        /// Returns the kind of the value at a path that is always written; `nil` if it can vary.
        let kind: (ArraySlice<String>, OutputBuilder) -> JSONKind?
        /// The type that selects the values; `nil` for a closure.
        let type: Any.Type?
        /// Whether all values of a type belong to the case.
        let covers: (Any.Type) -> Bool
        /// Whether a value belongs to the case.
        let accepts: (Memory) -> Bool
        /// The mapping that writes them.
        let mapping: ObjectIdentifier
    }

    let condition: MatchCondition<Model>
    /// Returns the box that reads a value.
    let target: @Sendable (PlanBuilder) -> ObjectBox
    /// Returns the writer of a value; `nil` for a case that only reads.
    let output: (@Sendable (OutputBuilder) -> Output?)?
    /// The index in its table of values.
    let tableIndex: Int

    /// Creates a case that reads with a mapping of the type.
    init(
        _ condition: MatchCondition<Model>, _ mapping: @escaping @Sendable () -> Mapping<Model>, tableIndex: Int = 0
    ) {
        self.init(
            condition, mapping, type: Model.self, tableIndex: tableIndex, { box, _ in box }, accepts: { _ in true }
        ) { box, model, writer in
            box.write(model, &writer)
        }
    }

    /// Creates a case that reads with a mapping of another type.
    ///
    /// - Parameter values: Returns the values of a model; `nil` to select by the type of the model.
    init<Values>(
        _ condition: MatchCondition<Model>, _ mapping: @escaping @Sendable () -> Mapping<Values>,
        _ make: @escaping @Sendable (Values) -> Model, _ values: (@Sendable (Model) -> Values?)?, tableIndex: Int = 0
    ) {
        let own = { @Sendable (model: Memory) -> Values? in
            let model = model[as: Model.self]
            return values.map { $0(model) } ?? (model as? Values)
        }
        self.init(condition, mapping, type: values == nil ? Values.self : nil, tableIndex: tableIndex) { box, builder in
            builder.keep(builder.converted(box, make)).object
        } accepts: {
            own($0) != nil
        } write: { box, model, writer in
            guard let own = own(model) else { return nil }
            return withMemory(of: own) { box.write($0, &writer) }
        }
    }

    private init<Values>(
        _ condition: MatchCondition<Model>, _ mapping: @escaping @Sendable () -> Mapping<Values>, type: Values.Type?,
        tableIndex: Int, _ wrap: @escaping @Sendable (ObjectBox, PlanBuilder) -> ObjectBox,
        accepts: @escaping @Sendable (Memory) -> Bool,
        write: @escaping @Sendable (OutputBox, Memory, inout PlanWriter) -> OutputBox.Outcome?
    ) {
        let destination = LazyMapping(mapping)
        self.condition = condition
        target = { builder in wrap(destination.objects(builder), builder) }
        self.tableIndex = tableIndex
        output = { builder in
            let storage = mapping().storage
            guard storage.isWritten else { return nil }
            let box = builder.keep(destination.output(builder))
            return Output(
                write: { write(box.object, $0, &$1) }, node: box.object.node,
                kind: { path, builder in
                    let kind = box.object.kind
                    return path.isEmpty || kind != .object
                        ? (path.isEmpty ? kind : nil)
                        : builder.kind(at: path, in: box.object.node)
                },
                type: type, covers: { type != nil && $0 is Values.Type }, accepts: accepts,
                mapping: ObjectIdentifier(storage))
        }
    }

    /// Creates a case whose mapping is returned by a closure.
    init(_ choose: @escaping @Sendable (JSON) -> Mapping<Model>?) {
        condition = .choice(choose)
        tableIndex = 0
        target = { builder in builder.declining() }
        output = nil
    }
}

/// The condition of a case.
enum MatchCondition<Model>: Sendable {
    case value(MappingSource, MatchValue)
    case kind(MappingSource, JSONKind)
    case wrapper(String)
    case predicate(@Sendable (JSON) -> Bool)
    case choice(@Sendable (JSON) -> Mapping<Model>?)
    case always
}

/// Collects the cases of a mapping that selects by content, with support for `if`, `switch` and `for`.
@resultBuilder public enum MatchBuilder<Model> {
    /// Collects one case.
    public static func buildExpression(_ match: some MatchRule<Model>) -> [Match<Model>] { [match.match] }

    /// Collects consecutive cases.
    public static func buildBlock(_ matches: [Match<Model>]...) -> [Match<Model>] { matches.flatMap { $0 } }

    /// Combines the cases of an `if` without `else`.
    public static func buildOptional(_ matches: [Match<Model>]?) -> [Match<Model>] { matches ?? [] }

    /// Combines the cases of an `if`-`else` branch.
    public static func buildEither(first matches: [Match<Model>]) -> [Match<Model>] { matches }

    /// Combines the cases of an `if`-`else` branch.
    public static func buildEither(second matches: [Match<Model>]) -> [Match<Model>] { matches }

    /// Collects the cases of a loop.
    public static func buildArray(_ matches: [[Match<Model>]]) -> [Match<Model>] { matches.flatMap { $0 } }
}

/// One case of a mapping that selects by content: a `Match` or an `Otherwise`.
public protocol MatchRule<Model>: Sendable {
    /// The type of the model.
    associatedtype Model

    /// The case, for internal use.
    var match: Match<Model> { get }
}

/// A value that a `Match` compares with: a string, a number, a Boolean, or `nil` for null.
///
/// Values are compared as JSON: numbers by value, and `1` is equal to neither `true` nor `"1"`.
public struct MatchValue: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// The value.
    public let json: JSON

    /// Creates a value from its JSON, such as `MatchValue(Kind.circle)`.
    public init(_ value: some JSONConvertible) { json = value.json }

    /// Creates a string.
    public init(stringLiteral text: String) { json = .string(text) }

    /// Creates an integer.
    public init(integerLiteral value: Int64) { json = .integer(value) }

    /// Creates a number.
    public init(floatLiteral value: Double) { json = .double(value) }

    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { json = .bool(value) }

    /// Creates null, which differs from an absent value.
    public init(nilLiteral: ()) { json = .null }

    /// The value in messages.
    var name: String { json.string.map { "'\($0)'" } ?? json.text }
}

extension Mapping {
    /// Creates a mapping that selects by content; see `Match`.
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
    /// - Parameter matches: The cases in the order in which they are tested.
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

    /// Skips values: elements of a collection are omitted, and to-one relationships are unchanged.
    ///
    /// `map` throws, because it has no model to return.
    public static var decline: Mapping {
        Mapping(MappingStorage(isFilled: true) { _, _, builder in builder.declining() })
    }
}
