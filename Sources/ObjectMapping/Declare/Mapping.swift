import Synchronization

/// Maps JSON to values of a type with a list of rules, which is declared once.
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
/// A mapping is an immutable value that can be shared between threads. It is compiled to a plan at its first use, or by
/// `validate()`. Store it in a `static let`, so that this happens once.
public struct Mapping<Model>: Sendable {
    let storage: MappingStorage<Model>

    /// Creates a mapping for a type that is created empty and then filled.
    ///
    /// - Parameters:
    ///   - make: Creates a new model; called once for each object of a payload.
    ///   - keys: Derives the keys of rules without a source. Defaults to the names of their properties.
    ///   - rules: The rules.
    @inlinable public init(
        _ make: @escaping @Sendable () -> Model, keys: KeyNaming = .asIs,
        @MappingBuilder<Model> _ rules: () -> [RuleDefinition<Model>]
    ) { self.init(make, keys, rules().map { $0.storage }) }

    @usableFromInline init(_ make: @escaping @Sendable () -> Model, _ keys: KeyNaming, _ rules: [RuleStorage]) {
        let model = TypedModelBox(make)
        self.init(model, rules, keys, isFilled: true) { FilledObjectBox(model, $0) }
        if Model.self is AnyClass, let type = Model.self as? any StoredModel.Type {
            self = identified(byPropertiesNamed: type.identityNames)
        }
    }

    /// Creates a mapping whose rules fill the result of a box; `objects` reads one object by the node of the rules.
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

    /// Creates a mapping for a type that is created with an initializer, from values read by another mapping.
    ///
    /// It is the fastest way to create objects of a class, whose properties can be constants:
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
    /// `update` throws for such a mapping, because there are no properties to set.
    ///
    /// - Parameters:
    ///   - make: Creates the model from the values; called once for each object of a payload without issues, after all
    ///     `required` values were read.
    ///   - mapping: The mapping of the values.
    ///   - values: Returns the values of a model for serialization; without it, `serialize` throws.
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
            // Without a box, the mapping is infinitely recursive and no plan is compiled.
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
    /// The mapping is stored for the model type and the location of the call as long as the process runs.
    ///
    /// - Parameters:
    ///   - file: Defaults to the file of the call.
    ///   - line: Defaults to the line of the call.
    ///   - column: Defaults to the column of the call.
    ///   - make: Creates the mapping. The result must depend only on the model type.
    public static func once(
        file: String = #fileID, line: Int = #line, column: Int = #column, _ make: () -> Mapping
    ) -> Mapping {
        let key = OnceKey(model: ObjectIdentifier(Model.self), file: file, line: line, column: column)
        if let known = onceMappings.withLock({ $0[key] }) as? Mapping { return known }
        // Created without the lock, because it can use other mappings; of two threads, the first result is kept.
        let new = make()
        let kept = onceMappings.withLock { mappings in
            let kept = mappings[key] ?? new
            mappings[key] = kept
            return kept
        }
        return kept as? Mapping ?? new
    }

    /// Identifies models by a property.
    ///
    /// Call repeatedly for a compound key.
    ///
    /// A payload creates one object of a class for each identity, and a `MappingSession` one for all of its payloads. The
    /// identity of structs is used in a session only. A model whose identity is absent, null or `nil` is created each time.
    public func identified<Value: Hashable & SendableMetatype>(
        by property: any KeyPath<Model, Value> & Sendable
    ) -> Mapping {
        // The class of a managed object may have declared it already.
        guard !storage.traits.identity.contains(where: { $0.keyPath as AnyKeyPath == property as AnyKeyPath }) else {
            return self
        }
        return Mapping(storage.with { $0.identity.append(KeyProperty(property)) })
    }

    /// Adds a modification stamp to the models: a payload that is not newer is not read into a model.
    ///
    /// In `update`, and for a repeated identity in a `MappingSession`, a payload whose stamp is equal or earlier leaves
    /// the model unchanged. If either has no stamp, the payload is read. Strings have no order: a different one counts
    /// as newer.
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

    /// Adds an optional modification stamp to the models.
    public func modified<Value: Comparable & SendableMetatype>(
        by property: any KeyPath<Model, Value?> & Sendable
    ) -> Mapping {
        Mapping(storage.with { $0.stamp = ModificationStamp(optional: property) })
    }
}

/// A type with a mapping from JSON.
///
/// Relationships use the mapping of their destination's type. A type can have further mappings.
public protocol Mappable: RelationshipValue {
    /// The mapping of the type, usually a `static let`, so that it is compiled once.
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

extension Mapping {
    /// The sources and properties of all rules, in order; empty if the mapping is invalid.
    package var outline: [String] { (try? storage.compiled(registering: false))?.plan.rules.map(\.description) ?? [] }
}
