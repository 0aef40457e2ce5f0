/// A rule that sets a relationship to the object that a key of this one identifies.
///
/// ```swift
/// final class Task: Mappable {
///     var assignedUserID: Int?
///     var assignedUser: User?
///
///     static let mapping = Mapping({ Task() }) {
///         Attribute("assigned_user_id", \.assignedUserID)
///         Connection(\.assignedUser, by: \.assignedUserID)
///     }
/// }
/// ```
///
/// Its target is found by the properties that the mapping of the target is `identified(by:)`, wherever in the payload, or
/// in any payload of one `MappingSession`, it comes: connections are made once a payload was read, and one whose target
/// comes later is made then. Until then the relationship is nil, or holds those of its targets that are there: it is set
/// anew by each payload that brings some of them.
///
/// A null key clears the relationship, an absent one leaves it alone. Several connections may set one relationship if they
/// have conditions: the first one whose condition holds does; if none holds, the relationship is cleared.
///
/// A key and the property that identifies the target must have the same type; either may be optional.
public struct Connection<Model: AnyObject>: MappingRule {
    /// What the rule says, for the library's own use.
    public var definition: RuleDefinition<Model>

    private init(_ rule: ConnectionRule, _ condition: (@Sendable (Model) -> Bool)?) {
        definition = RuleDefinition("", .connection(rule))
        if let condition { self = when(condition) }
    }

    /// The same rule, only for objects with a certain value; further conditions must hold as well.
    public func when<Value: Equatable & Sendable>(
        _ property: any KeyPath<Model, Value> & Sendable, equals value: Value
    ) -> Connection {
        when { $0[keyPath: property] == value }
    }

    /// The same rule, only for objects that meet a condition; further ones must hold as well.
    public func when(_ condition: @escaping @Sendable (Model) -> Bool) -> Connection {
        guard var rule = definition.storage.connection else { return self }
        let outer = rule.condition
        rule.condition = { source in
            guard let model = source as? Model else { return false }
            return (outer?(source) ?? true) && condition(model)
        }
        return Connection(rule, nil)
    }
}

// MARK: By the mapping of the target's type

extension Connection {
    /// To one or none, by its key; by several properties, which are one compound key.
    ///
    /// - Parameters:
    ///   - property: The relationship.
    ///   - key: The property that holds the key.
    ///   - further: Those that hold the rest of a compound key, in the order in which the target is identified by them.
    ///   - condition: Which objects the rule is for; all by default.
    public init<
        Target: AnyObject & Mappable, Key: Hashable & SendableMetatype, each Further: Hashable & SendableMetatype
    >(
        _ property: any ReferenceWritableKeyPath<Model, Target?> & Sendable,
        by key: any KeyPath<Model, Key> & Sendable, _ further: repeat any KeyPath<Model, each Further> & Sendable,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) { self.init(property, by: key, repeat each further, to: Target.mapping, when: condition) }

    // With this one beside it the compiler has one thing to say of a misspelt property, not three.
    /// Not for properties that cannot be set.
    @available(
        *, unavailable,
        message:
            "a connection sets a `var`: an optional object by its key, or an array or set of objects by an array or set of keys"
    )
    public init<Value, Key: Hashable & SendableMetatype>(
        _ property: any KeyPath<Model, Value> & Sendable, by key: any KeyPath<Model, Key> & Sendable
    ) { definition = RuleDefinition("", RuleTarget.none) }

    /// To many, by an array or a set of keys.
    ///
    /// - Parameters:
    ///   - property: The relationship; its objects stand in the order of their keys.
    ///   - keys: The property that holds the keys.
    ///   - condition: Which objects the rule is for; all by default.
    public init<Target: AnyObject & Mappable, Keys: ConnectionKeys>(
        _ property: any ReferenceWritableKeyPath<Model, [Target]> & Sendable,
        by keys: any KeyPath<Model, Keys> & Sendable, when condition: (@Sendable (Model) -> Bool)? = nil
    ) where Keys.Key: SendableMetatype { self.init(property, by: keys, to: Target.mapping, when: condition) }

    /// To many or nil, by an array or a set of keys; nil if these are.
    ///
    /// - Parameters:
    ///   - property: The relationship; its objects stand in the order of their keys.
    ///   - keys: The property that holds the keys.
    ///   - condition: Which objects the rule is for; all by default.
    public init<Target: AnyObject & Mappable, Keys: ConnectionKeys>(
        _ property: any ReferenceWritableKeyPath<Model, [Target]?> & Sendable,
        by keys: any KeyPath<Model, Keys> & Sendable, when condition: (@Sendable (Model) -> Bool)? = nil
    ) where Keys.Key: SendableMetatype { self.init(property, by: keys, to: Target.mapping, when: condition) }

    /// To many without order, by an array or a set of keys.
    ///
    /// - Parameters:
    ///   - property: The relationship.
    ///   - keys: The property that holds the keys.
    ///   - condition: Which objects the rule is for; all by default.
    public init<Target: AnyObject & Mappable & Hashable, Keys: ConnectionKeys>(
        _ property: any ReferenceWritableKeyPath<Model, Set<Target>> & Sendable,
        by keys: any KeyPath<Model, Keys> & Sendable, when condition: (@Sendable (Model) -> Bool)? = nil
    ) where Keys.Key: SendableMetatype { self.init(property, by: keys, to: Target.mapping, when: condition) }

    /// To many without order or nil, by an array or a set of keys; nil if these are.
    ///
    /// - Parameters:
    ///   - property: The relationship.
    ///   - keys: The property that holds the keys.
    ///   - condition: Which objects the rule is for; all by default.
    public init<Target: AnyObject & Mappable & Hashable, Keys: ConnectionKeys>(
        _ property: any ReferenceWritableKeyPath<Model, Set<Target>?> & Sendable,
        by keys: any KeyPath<Model, Keys> & Sendable, when condition: (@Sendable (Model) -> Bool)? = nil
    ) where Keys.Key: SendableMetatype { self.init(property, by: keys, to: Target.mapping, when: condition) }
}

// MARK: By a mapping of one's choice

extension Connection {
    /// To one or none, by its key; by several properties, which are one compound key.
    ///
    /// - Parameters:
    ///   - property: The relationship.
    ///   - key: The property that holds the key.
    ///   - further: Those that hold the rest of a compound key, in the order in which the target is identified by them.
    ///   - mapping: One by which the targets are read, or that is identified by the same properties.
    ///   - condition: Which objects the rule is for; all by default.
    public init<Target: AnyObject, Key: Hashable & SendableMetatype, each Further: Hashable & SendableMetatype>(
        _ property: any ReferenceWritableKeyPath<Model, Target?> & Sendable,
        by key: any KeyPath<Model, Key> & Sendable, _ further: repeat any KeyPath<Model, each Further> & Sendable,
        to mapping: @autoclosure @escaping @Sendable () -> Mapping<Target>,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) {
        var parts = [KeyProperty(key)]
        for key in repeat each further { parts.append(KeyProperty(key)) }
        let properties = parts
        self.init(
            property, parts, mapping, condition, read: { properties.key(of: $0).map { [$0] } },
            assign: { $0[keyPath: property] = $1?.first })
    }

    /// To many, by an array or a set of keys.
    ///
    /// - Parameters:
    ///   - property: The relationship; its objects stand in the order of their keys.
    ///   - keys: The property that holds the keys.
    ///   - mapping: One by which the targets are read, or that is identified by the same properties.
    ///   - condition: Which objects the rule is for; all by default.
    public init<Target: AnyObject, Keys: ConnectionKeys>(
        _ property: any ReferenceWritableKeyPath<Model, [Target]> & Sendable,
        by keys: any KeyPath<Model, Keys> & Sendable,
        to mapping: @autoclosure @escaping @Sendable () -> Mapping<Target>,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) where Keys.Key: SendableMetatype {
        self.init(property, keys, mapping, condition) { $0[keyPath: property] = $1 ?? [] }
    }

    /// To many or nil, by an array or a set of keys; nil if these are.
    ///
    /// - Parameters:
    ///   - property: The relationship; its objects stand in the order of their keys.
    ///   - keys: The property that holds the keys.
    ///   - mapping: One by which the targets are read, or that is identified by the same properties.
    ///   - condition: Which objects the rule is for; all by default.
    public init<Target: AnyObject, Keys: ConnectionKeys>(
        _ property: any ReferenceWritableKeyPath<Model, [Target]?> & Sendable,
        by keys: any KeyPath<Model, Keys> & Sendable,
        to mapping: @autoclosure @escaping @Sendable () -> Mapping<Target>,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) where Keys.Key: SendableMetatype {
        self.init(property, keys, mapping, condition) { $0[keyPath: property] = $1 }
    }

    /// To many without order, by an array or a set of keys.
    ///
    /// - Parameters:
    ///   - property: The relationship.
    ///   - keys: The property that holds the keys.
    ///   - mapping: One by which the targets are read, or that is identified by the same properties.
    ///   - condition: Which objects the rule is for; all by default.
    public init<Target: AnyObject & Hashable & SendableMetatype, Keys: ConnectionKeys>(
        _ property: any ReferenceWritableKeyPath<Model, Set<Target>> & Sendable,
        by keys: any KeyPath<Model, Keys> & Sendable,
        to mapping: @autoclosure @escaping @Sendable () -> Mapping<Target>,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) where Keys.Key: SendableMetatype {
        self.init(property, keys, mapping, condition) { $0[keyPath: property] = Set($1 ?? []) }
    }

    /// To many without order or nil, by an array or a set of keys; nil if these are.
    ///
    /// - Parameters:
    ///   - property: The relationship.
    ///   - keys: The property that holds the keys.
    ///   - mapping: One by which the targets are read, or that is identified by the same properties.
    ///   - condition: Which objects the rule is for; all by default.
    public init<Target: AnyObject & Hashable & SendableMetatype, Keys: ConnectionKeys>(
        _ property: any ReferenceWritableKeyPath<Model, Set<Target>?> & Sendable,
        by keys: any KeyPath<Model, Keys> & Sendable,
        to mapping: @autoclosure @escaping @Sendable () -> Mapping<Target>,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) where Keys.Key: SendableMetatype {
        self.init(property, keys, mapping, condition) { $0[keyPath: property] = $1.map { Set($0) } }
    }

    private init<Target, Keys: ConnectionKeys>(
        _ property: any AnyKeyPath & Sendable, _ keys: any KeyPath<Model, Keys> & Sendable,
        _ mapping: @escaping @Sendable () -> Mapping<Target>, _ condition: (@Sendable (Model) -> Bool)?,
        assign: @escaping @Sendable (Model, [Target]?) -> Void
    ) where Keys.Key: SendableMetatype {
        let list = KeyProperty(list: keys)
        self.init(
            property, [list], mapping, condition,
            read: { $0[keyPath: keys].connectionKeys?.compactMap { withMemory(of: $0, list.value.key) } },
            assign: assign)
    }

    private init<Target>(
        _ property: any AnyKeyPath & Sendable, _ keys: [KeyProperty<Model>],
        _ mapping: @escaping @Sendable () -> Mapping<Target>, _ condition: (@Sendable (Model) -> Bool)?,
        read: @escaping @Sendable (Model) -> [ObjectKey]?, assign: @escaping @Sendable (Model, [Target]?) -> Void
    ) {
        self.init(
            ConnectionRule(
                destination: property, keys: keys.map { ConnectionRule.Key(keyPath: $0.keyPath, type: $0.value.type) },
                targetType: Target.self, target: { ConnectionTarget(mapping()) },
                read: { ($0 as? Model).flatMap(read) },
                assign: { source, targets in
                    guard let model = source as? Model else { return }
                    assign(model, targets?.compactMap { $0 as? Target })
                }), condition)
    }
}

/// The keys of a relationship to many: an array or a set of them, or an optional one.
public protocol ConnectionKeys: SendableMetatype {
    /// What identifies one target.
    associatedtype Key: Hashable

    /// The keys, in the order in which the targets shall stand; nil for none at all.
    var connectionKeys: [Key]? { get }
}

extension Array: ConnectionKeys where Element: Hashable {
    /// The elements.
    public var connectionKeys: [Element]? { self }
}

extension Set: ConnectionKeys {
    /// The elements, in any order.
    public var connectionKeys: [Element]? { Array(self) }
}

extension Optional: ConnectionKeys where Wrapped: ConnectionKeys {
    /// Those of the value; nil for nil.
    public var connectionKeys: [Wrapped.Key]? { flatMap(\.connectionKeys) }
}
