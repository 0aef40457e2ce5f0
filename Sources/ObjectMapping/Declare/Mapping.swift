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

    /// A mapping for a type that is made empty and then filled.
    ///
    /// - Parameters:
    ///   - make: Makes a fresh model; called once for each object of a payload.
    ///   - keys: The keys of rules without a source; by default the names of their properties.
    ///   - rules: What is read into it.
    @inlinable public init(
        _ make: @escaping @Sendable () -> Model, keys: KeyNaming = .asIs,
        @MappingBuilder<Model> _ rules: () -> [RuleDefinition<Model>]
    ) { self.init(make, keys, rules().map { $0.storage }) }

    @usableFromInline init(_ make: @escaping @Sendable () -> Model, _ keys: KeyNaming, _ rules: [RuleStorage]) {
        let model = TypedModelBox(make)
        self.init(model, rules, keys, isFilled: true) { FilledObjectBox(model, $0) }
    }

    /// A mapping of rules that fill what a box makes; `objects` reads one object by the node of the rules.
    init(
        _ model: ModelBox, _ rules: [RuleStorage], _ keys: KeyNaming = .asIs, isFilled: Bool, isWritten: Bool = true,
        objects: @escaping @Sendable (NodeRef) -> ObjectBox
    ) {
        let rules = MappingRules(rules)
        let traits = MappingTraits<Model>(keys: keys, connections: rules.rules.compactMap { $0.connection })
        let output: MappingStorage<Model>.Output = { identity, traits, builder in
            builder.object(rules, traits.keys, of: Model.self, identity: identity)
        }
        storage = MappingStorage(
            isFilled: isFilled, rules: rules, output: isWritten ? output : nil, traits
        ) { identity, traits, builder in
            let draft = builder.draft(for: identity, model: model, rules, traits)
            let objects = builder.rows == nil ? objects(draft.node) : RowBox(draft.node)
            return rules.levels.count == 0 ? objects : KeyedObjectBox<Model>(objects, rules.levels, builder)
        }
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
    ///   - mapping: How the values are read.
    ///   - values: The way back, to write models; without it `serialize` throws.
    public init<Values>(
        _ make: @escaping @Sendable (Values) -> Model,
        from mapping: @autoclosure @escaping @Sendable () -> Mapping<Values>,
        values: (@Sendable (Model) -> Values)? = nil
    ) {
        let output = values.map { values in
            { @Sendable (_: ObjectIdentifier, _: MappingTraits<Model>, builder: OutputBuilder) in
                builder.converted(mapping, values)
            }
        }
        storage = MappingStorage(isFilled: false, output: output) { _, _, builder in
            var box: ObjectBox?
            builder.nested {
                let values = mapping()
                builder.hold(values.storage)
                box = values.storage.objects(ObjectIdentifier(values.storage), builder)
            }
            // Without a box the mapping is made of itself: no plan comes of it.
            return box.map { builder.converted($0, make) }
                ?? ObjectBox(builder.newDraft(model: nil).node, size: 0, alignment: 1)
        }
    }

    init(_ storage: MappingStorage<Model>) { self.storage = storage }

    /// Returns a mapping that is created at the first call and then reused, for generic types, which cannot have a
    /// `static let`.
    ///
    /// ```swift
    /// struct Page<Item: Mappable>: Mappable {
    ///     var items: [Item] = []
    ///     static var mapping: Mapping<Page> {
    ///         .once {
    ///             Mapping(Page.init) { Relationship("items", \.items) }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// The mapping is kept for the model type and the location of the call as long as the process runs.
    ///
    /// - Parameters:
    ///   - file: Defaults to the file of the call.
    ///   - line: Defaults to the line of the call.
    ///   - column: Defaults to the column of the call.
    ///   - make: Creates the mapping. The result must depend on nothing but the model type.
    public static func once(
        file: String = #fileID, line: Int = #line, column: Int = #column, _ make: () -> Mapping
    ) -> Mapping {
        let key = OnceKey(model: ObjectIdentifier(Model.self), file: file, line: line, column: column)
        if let known = onceMappings.withLock({ $0[key] }) as? Mapping { return known }
        // Created without the lock, because it may ask for others; of two threads the first one is kept.
        let new = make()
        let kept = onceMappings.withLock { mappings in
            let kept = mappings[key] ?? new
            mappings[key] = kept
            return kept
        }
        return kept as? Mapping ?? new
    }

    /// The same mapping, for models that a property tells apart; called again, a further property of a compound key.
    ///
    /// Within a `MappingSession`, and within one payload of a mapping with a `Connection`, an object of a class is made
    /// once for each identity. A model whose identity is absent or null is made each time. Without a session, `map`,
    /// `mapAll` and `update` make or fill the models they are asked for and do not look at it.
    public func identified<Value: Hashable & SendableMetatype>(
        by property: any KeyPath<Model, Value> & Sendable
    ) -> Mapping {
        Mapping(storage.with { $0.identity.append(KeyProperty(property)) })
    }

    /// The same for a property that may be nil; a model where it is has no identity.
    public func identified<Value: Hashable & SendableMetatype>(
        by property: any KeyPath<Model, Value?> & Sendable
    ) -> Mapping {
        Mapping(storage.with { $0.identity.append(KeyProperty(property)) })
    }

    /// The same mapping, for models that say how recent they are: what is not newer is not read over a model.
    ///
    /// In `update`, and where an identity comes again within a `MappingSession`, a payload whose stamp is the model's own
    /// or lies before it leaves the model as it is. Where either has no stamp, the payload is read. Texts have no order:
    /// one that differs is newer.
    ///
    /// ```swift
    /// static let mapping = Mapping(Task.init) { Attribute("updated_at", \.updatedAt) … }
    ///     .identified(by: \.id)
    ///     .modified(by: \.updatedAt)
    /// ```
    public func modified<Value: Comparable & SendableMetatype>(
        by property: any KeyPath<Model, Value> & Sendable
    ) -> Mapping {
        Mapping(storage.with { $0.stamp = ModificationStamp(property) })
    }

    /// The same for a stamp that may be nil.
    public func modified<Value: Comparable & SendableMetatype>(
        by property: any KeyPath<Model, Value?> & Sendable
    ) -> Mapping {
        Mapping(storage.with { $0.stamp = ModificationStamp(optional: property) })
    }
}

/// A type that says how JSON becomes it.
///
/// Relationships find the mapping of their destination by it. A type may have further mappings beside this one.
public protocol Mappable: ParameterValue, RelationshipValue {
    /// The type's mapping; best a `static let`, so that it is compiled once.
    static var mapping: Mapping<Self> { get }
}

private struct OnceKey: Hashable {
    let model: ObjectIdentifier
    let file: String
    let line: Int
    let column: Int
}

/// The mappings of generic types.
private let onceMappings = Mutex<[OnceKey: any Sendable]>([:])
