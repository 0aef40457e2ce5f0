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
    ///   - keys: The keys of rules without a source; by default the names of their properties.
    ///   - rules: What is read into it.
    public init(
        _ make: @escaping @Sendable () -> Model, keys: KeyNaming = .asIs,
        @MappingBuilder<Model> _ rules: () -> [RuleDefinition<Model>]
    ) {
        let rules = rules()
        let model = TypedModelBox(make)
        let levels = KeyLevels(rules)
        storage = MappingStorage(isFilled: true, MappingTraits(keys: keys)) { identity, traits, builder in
            let draft = builder.draft(for: identity, model: model) { draft in
                for rule in rules { rule.add(to: draft, levels, traits, builder) }
            }
            let objects = FilledObjectBox(model, draft.node)
            return levels.count == 0 ? objects : KeyedObjectBox<Model>(objects, levels, builder)
        }
        identity = []
    }

    /// A mapping for a type that is made at once, of values read by another mapping.
    ///
    /// The fastest way to objects of a class, and one that leaves their properties constant:
    ///
    /// ```swift
    /// struct UserValues: Mappable {
    ///     var id = 0
    ///     var name = ""
    ///     static let mapping = Mapping(UserValues.init) { Attribute("id", \.id); Attribute("name", \.name) }
    /// }
    ///
    /// final class User: Mappable {
    ///     let id: Int
    ///     let name: String
    ///     init(_ values: UserValues) { (id, name) = (values.id, values.name) }
    ///     static let mapping = Mapping(User.init, from: UserValues.mapping)
    /// }
    /// ```
    ///
    /// `update` has nothing to set then, and throws.
    ///
    /// - Parameters:
    ///   - make: Makes the model of the values; called once for each object of a payload, but not for one with issues:
    ///     what is `required` is there.
    ///   - values: How the values are read.
    public init<Values>(
        _ make: @escaping @Sendable (Values) -> Model,
        from values: @autoclosure @escaping @Sendable () -> Mapping<Values>
    ) {
        storage = MappingStorage(isFilled: false) { _, _, builder in
            var box: ObjectBox?
            builder.nested {
                let values = values()
                builder.hold(values.storage)
                box = values.storage.objects(ObjectIdentifier(values.storage), builder)
            }
            // Without a box the mapping is made of itself: no plan comes of it.
            return box.map { box in
                let objects = ConvertedObjectBox(box.member, make)
                return box.levels.count == 0 ? objects : KeyedObjectBox<Model>(objects, box.levels, builder)
            }
                ?? ObjectBox(builder.newDraft(model: nil).node, size: 0, alignment: 1)
        }
        identity = []
    }

    init(_ storage: MappingStorage<Model>, identity: [any AnyKeyPath & Sendable]) {
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
    /// - Throws: `MappingError` with every mistake in it and in those that it refers to, such as an unknown operator;
    ///   also with those that no decode minds, such as two rules for one property.
    public func validate() throws(MappingError) {
        let compiled = try storage.compiled()
        let mistakes = compiled.doubts + compiled.plan.repeatedDestinations
        guard mistakes.isEmpty else { throw MappingError(mistakes) }
    }
}

/// How a mapping reads objects, and the plan made of it.
final class MappingStorage<Model>: Sendable {
    /// Whether models are made empty and then filled, so that one that is there can be filled as well.
    let isFilled: Bool
    private let traits: MappingTraits<Model>
    private let makeBox: @Sendable (ObjectIdentifier, MappingTraits<Model>, PlanBuilder) -> ObjectBox
    private let known = Mutex<Result<CompiledMapping, MappingError>?>(nil)

    init(
        isFilled: Bool, _ traits: MappingTraits<Model> = MappingTraits(),
        _ makeBox: @escaping @Sendable (ObjectIdentifier, MappingTraits<Model>, PlanBuilder) -> ObjectBox
    ) {
        self.isFilled = isFilled
        self.traits = traits
        self.makeBox = makeBox
    }

    /// The same with other traits.
    func with(_ change: (inout MappingTraits<Model>) -> Void) -> MappingStorage {
        var traits = traits
        change(&traits)
        return MappingStorage(isFilled: isFilled, traits, makeBox)
    }

    /// The mapping compiled, at the first call.
    func compiled() throws(MappingError) -> CompiledMapping {
        if let known = known.withLock({ $0 }) { return try known.get() }
        // Two threads may both compile: that costs time, never correctness, and no lock is held meanwhile.
        let result = Result { () throws(MappingError) in try compiled(by: PlanBuilder()) }
        known.withLock { $0 = result }
        return try result.get()
    }

    /// The mapping compiled anew.
    func compiled(by builder: PlanBuilder) throws(MappingError) -> CompiledMapping {
        let objects = objects(ObjectIdentifier(self), builder)
        return CompiledMapping(plan: try builder.plan(root: objects.node), objects: objects, doubts: builder.doubts)
    }

    /// How objects are read by this mapping.
    ///
    /// - Parameter identity: What all relationships of one plan that read by the mapping share, so that cycles end.
    func objects(_ identity: ObjectIdentifier, _ builder: PlanBuilder) -> ObjectBox {
        let box = traits.checks.reduce(kept(makeBox(identity, traits, builder), builder)) { box, check in
            kept(box.rewrapped(builder) { ValidatedObjectBox(kept($0, builder), check) }, builder)
        }
        return kept(builder.traced(box, Model.self), builder)
    }

    private func kept(_ box: ObjectBox, _ builder: PlanBuilder) -> ObjectBox {
        _ = builder.keep(box)
        return box
    }
}

/// A mapping compiled: the plan, and how an object becomes a model by it.
struct CompiledMapping: @unchecked Sendable {  // guarded by never changing
    let plan: Plan
    let objects: ObjectBox
    /// Mistakes in the mapping with which decodes run all the same.
    let doubts: [MappingIssue]
}
