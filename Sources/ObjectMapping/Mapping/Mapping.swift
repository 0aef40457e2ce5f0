import Synchronization

/// How JSON becomes values of a type: a list of rules, declared once.
///
/// ```swift
/// struct User: Mappable {
///     var id = 0
///     var name = ""
///     static let mapping = Mapping(User.init) {
///         Attribute("id", \.id)
///         Attribute("profile.name", \.name)
///     }
/// }
///
/// let user = try User.mapping.map(data)
/// ```
///
/// An immutable value that may be shared between threads. It is compiled to a plan at its first use, or by
/// `validate()`; keep it in a `static let`, so that this happens once.
public struct Mapping<Model>: Sendable {
    let storage: MappingStorage<Model>
    /// The properties that tell one model from another, in the order given.
    let identity: [any AnyKeyPath & Sendable]

    /// A mapping for a type that is made empty and then filled.
    ///
    /// - Parameters:
    ///   - make: Makes a fresh model; called once for each object of a payload.
    ///   - rules: What is read into it.
    public init(
        _ make: @escaping @Sendable () -> Model, @MappingBuilder<Model> _ rules: () -> [RuleDefinition<Model>]
    ) {
        storage = MappingStorage(make, rules())
        identity = []
    }

    private init(_ storage: MappingStorage<Model>, identity: [any AnyKeyPath & Sendable]) {
        self.storage = storage
        self.identity = identity
    }

    /// The same mapping, for models that a property tells apart; called again, a further property of a compound key.
    ///
    /// `map`, `mapAll` and `update` make or fill the models they are asked for and do not look at it.
    public func identified<Value: Hashable>(by property: any KeyPath<Model, Value> & Sendable) -> Mapping {
        Mapping(storage, identity: identity + [property])
    }

    /// Compiles the mapping, which its first use would do otherwise.
    ///
    /// - Throws: `MappingError` with every mistake in it and in those that it refers to, such as an unknown operator.
    public func validate() throws(MappingError) { _ = try storage.plan() }
}

/// The rules of a mapping and the plan made of them.
final class MappingStorage<Model>: Sendable {
    let model: TypedModelBox<Model>
    private let rules: [RuleDefinition<Model>]
    private let compiled = Mutex<Result<Plan, MappingError>?>(nil)

    init(_ make: @escaping @Sendable () -> Model, _ rules: [RuleDefinition<Model>]) {
        model = TypedModelBox(make)
        self.rules = rules
    }

    /// The plan, compiled at the first call.
    func plan() throws(MappingError) -> Plan {
        if let known = compiled.withLock({ $0 }) { return try known.get() }
        // Two threads may both compile: that costs time, never correctness, and no lock is held meanwhile.
        let builder = PlanBuilder()
        let root = draft(ObjectIdentifier(self), builder)
        let result = Result { () throws(MappingError) in try builder.plan(root: root) }
        compiled.withLock { $0 = result }
        return try result.get()
    }

    /// The position at which objects are read by this mapping; shared by all relationships of one plan that use it.
    func draft(_ identity: ObjectIdentifier, _ builder: PlanBuilder) -> PlanBuilder.Draft {
        builder.draft(for: identity, model: model) { draft in
            for rule in rules { rule.add(to: draft, builder) }
        }
    }
}
