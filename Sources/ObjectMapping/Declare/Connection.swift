/// A rule that sets a relationship to the objects with given keys.
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
/// A target is found by the properties in `identified(by:)` of its mapping, anywhere in the payload or in another
/// payload of the same `MappingSession`. Connections are set after a payload was read; if a target appears later, its
/// connection is set then. Until then the relationship is `nil`, or contains the known targets.
///
/// A null key clears the relationship, and an absent one leaves it unchanged. Several connections can set the same
/// relationship if they have conditions: the first one whose condition is met is used; if no condition is met, the
/// relationship is cleared.
///
/// A key and the property that identifies the target must have the same type; either can be optional.
///
/// With `matching`, keys are compared with other properties of the target than its identity: `Connection(\.product, by:
/// \.productSKU, matching: \.sku)`. Their values must be unique. If several objects have the value, the connection is
/// unresolved.
public struct Connection<Model: AnyObject>: MappingRule {
    /// The definition of the rule, for internal use.
    public var definition: RuleDefinition<Model>

    private init(_ rule: ConnectionRule) { definition = RuleDefinition("", .connection(rule)) }

    /// Limits the rule to objects with a certain value; all conditions must be met.
    ///
    /// - Parameters:
    ///   - property: The property that is compared.
    ///   - value: The value that it must have.
    public func when<Value: Equatable & Sendable>(
        _ property: any KeyPath<Model, Value> & Sendable, equals value: Value
    ) -> Connection {
        with(
            ConnectionRule.Condition(property: property, value: (value as? any JSONConvertible)?.json) {
                ($0 as? Model)?[keyPath: property] == value
            })
    }

    /// Limits the rule to objects that meet a condition; all conditions must be met.
    ///
    /// - Parameter condition: Receives the object after it was read.
    public func when(_ condition: @escaping @Sendable (Model) -> Bool) -> Connection {
        with(ConnectionRule.Condition { ($0 as? Model).map(condition) ?? false })
    }

    private func with(_ condition: ConnectionRule.Condition?) -> Connection {
        guard let condition, var rule = definition.storage.connection else { return self }
        rule.conditions.append(condition)
        return Connection(rule)
    }

    private func when(_ condition: (@Sendable (Model) -> Bool)?) -> Connection { condition.map(when) ?? self }
}

// MARK: By the mapping of the target's type

extension Connection {
    /// Connects one object by its key, or by several properties that form a compound key.
    ///
    /// - Parameters:
    ///   - property: The relationship.
    ///   - key: The property with the key.
    ///   - further: The properties with the rest of a compound key, in the order of the target's identity.
    ///   - condition: Selects the objects of the rule. Defaults to all objects.
    public init<
        Target: AnyObject & Mappable, Key: Hashable & SendableMetatype, each Further: Hashable & SendableMetatype
    >(
        _ property: any ReferenceWritableKeyPath<Model, Target?> & Sendable,
        by key: any KeyPath<Model, Key> & Sendable, _ further: repeat any KeyPath<Model, each Further> & Sendable,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) { self.init(property, by: key, repeat each further, to: Target.mapping, when: condition) }

    // Reduces the errors for a misspelled property to one.
    /// Rejects properties that cannot be set.
    @available(
        *, unavailable,
        message:
            "a connection sets a `var`: an optional object by its key, or an array or set of objects by an array or set of keys"
    )
    public init<Value, Key: Hashable & SendableMetatype>(
        _ property: any KeyPath<Model, Value> & Sendable, by key: any KeyPath<Model, Key> & Sendable
    ) { definition = RuleDefinition("", RuleTarget.none) }

    /// Connects one object by a unique property other than its identity, or by several properties together.
    ///
    /// - Parameters:
    ///   - property: The relationship.
    ///   - key: The property with the key.
    ///   - further: The properties with the rest of a compound key.
    ///   - match: The unique property of the target.
    ///   - others: The properties of the target for the rest of a compound key.
    ///   - condition: Selects the objects of the rule. Defaults to all objects.
    public init<
        Target: AnyObject & Mappable, Key: Hashable & SendableMetatype, each Further: Hashable & SendableMetatype,
        Match: Hashable & SendableMetatype, each Other: Hashable & SendableMetatype
    >(
        _ property: any ReferenceWritableKeyPath<Model, Target?> & Sendable,
        by key: any KeyPath<Model, Key> & Sendable, _ further: repeat any KeyPath<Model, each Further> & Sendable,
        matching match: any KeyPath<Target, Match> & Sendable,
        _ others: repeat any KeyPath<Target, each Other> & Sendable,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) {
        self.init(
            property, by: key, repeat each further, matching: match, repeat each others, to: Target.mapping,
            when: condition)
    }

    /// Connects several objects by an array or a set of values of their unique property.
    ///
    /// - Parameters:
    ///   - property: The relationship; an array is in the order of the keys, and an optional is `nil` if the keys are.
    ///   - keys: The property with the keys.
    ///   - match: The unique property of the targets.
    ///   - condition: Selects the objects of the rule. Defaults to all objects.
    public init<Targets: ConnectionTargets, Keys: ConnectionKeys, Match: Hashable & SendableMetatype>(
        _ property: any ReferenceWritableKeyPath<Model, Targets> & Sendable,
        by keys: any KeyPath<Model, Keys> & Sendable, matching match: any KeyPath<Targets.Target, Match> & Sendable,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) where Keys.Key: SendableMetatype, Targets.Target: Mappable {
        self.init(property, by: keys, matching: match, to: Targets.Target.mapping, when: condition)
    }

    /// Connects several objects by an array or a set of keys.
    ///
    /// - Parameters:
    ///   - property: The relationship; an array is in the order of the keys, and an optional is `nil` if the keys are.
    ///   - keys: The property with the keys.
    ///   - condition: Selects the objects of the rule. Defaults to all objects.
    public init<Targets: ConnectionTargets, Keys: ConnectionKeys>(
        _ property: any ReferenceWritableKeyPath<Model, Targets> & Sendable,
        by keys: any KeyPath<Model, Keys> & Sendable, when condition: (@Sendable (Model) -> Bool)? = nil
    ) where Keys.Key: SendableMetatype, Targets.Target: Mappable {
        self.init(property, by: keys, to: Targets.Target.mapping, when: condition)
    }
}

// MARK: By a custom mapping

extension Connection {
    /// Connects one object by its key, or by several properties that form a compound key, with a custom mapping.
    ///
    /// - Parameters:
    ///   - property: The relationship.
    ///   - key: The property with the key.
    ///   - further: The properties with the rest of a compound key, in the order of the target's identity.
    ///   - mapping: A mapping that reads the targets, or is identified by the same properties.
    ///   - condition: Selects the objects of the rule. Defaults to all objects.
    public init<Target: AnyObject, Key: Hashable & SendableMetatype, each Further: Hashable & SendableMetatype>(
        _ property: any ReferenceWritableKeyPath<Model, Target?> & Sendable,
        by key: any KeyPath<Model, Key> & Sendable, _ further: repeat any KeyPath<Model, each Further> & Sendable,
        to mapping: @autoclosure @escaping @Sendable () -> Mapping<Target>,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) {
        self.init(property, to: mapping, when: condition, ConnectionKeyPaths(key, repeat each further))
    }

    /// Connects one object by a unique property other than its identity, or by several, with a custom mapping.
    ///
    /// - Parameters:
    ///   - property: The relationship.
    ///   - key: The property with the key.
    ///   - further: The properties with the rest of a compound key.
    ///   - match: The unique property of the target.
    ///   - others: The properties of the target for the rest of a compound key.
    ///   - mapping: A mapping that reads the targets, or is identified by the same properties.
    ///   - condition: Selects the objects of the rule. Defaults to all objects.
    public init<
        Target: AnyObject, Key: Hashable & SendableMetatype, each Further: Hashable & SendableMetatype,
        Match: Hashable & SendableMetatype, each Other: Hashable & SendableMetatype
    >(
        _ property: any ReferenceWritableKeyPath<Model, Target?> & Sendable,
        by key: any KeyPath<Model, Key> & Sendable, _ further: repeat any KeyPath<Model, each Further> & Sendable,
        matching match: any KeyPath<Target, Match> & Sendable,
        _ others: repeat any KeyPath<Target, each Other> & Sendable,
        to mapping: @autoclosure @escaping @Sendable () -> Mapping<Target>,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) {
        self.init(
            property, to: mapping, when: condition, ConnectionKeyPaths(key, repeat each further),
            ConnectionKeyPaths(match, repeat each others))
    }

    private init<Target: AnyObject>(
        _ property: any ReferenceWritableKeyPath<Model, Target?> & Sendable,
        to mapping: @escaping @Sendable () -> Mapping<Target>, when condition: (@Sendable (Model) -> Bool)?,
        _ keys: ConnectionKeyPaths<Model>, _ matching: ConnectionKeyPaths<Target>? = nil
    ) {
        let properties = keys.properties
        self = Connection(
            property, properties, mapping, matching?.properties, read: { properties.key(of: $0).map { [$0] } },
            assign: { $0[keyPath: property] = $1?.first as? Target }
        ).when(condition)
    }

    /// Connects several objects by an array or a set of keys, with a custom mapping.
    ///
    /// - Parameters:
    ///   - property: The relationship; an array is in the order of the keys, and an optional is `nil` if the keys are.
    ///   - keys: The property with the keys.
    ///   - mapping: A mapping that reads the targets, or is identified by the same properties.
    ///   - condition: Selects the objects of the rule. Defaults to all objects.
    public init<Targets: ConnectionTargets, Keys: ConnectionKeys>(
        _ property: any ReferenceWritableKeyPath<Model, Targets> & Sendable,
        by keys: any KeyPath<Model, Keys> & Sendable,
        to mapping: @autoclosure @escaping @Sendable () -> Mapping<Targets.Target>,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) where Keys.Key: SendableMetatype {
        self.init(property, by: keys, to: mapping, matching: nil, when: condition)
    }

    /// Connects several objects by an array or a set of values of their unique property, with a custom mapping.
    ///
    /// - Parameters:
    ///   - property: The relationship; an array is in the order of the keys, and an optional is `nil` if the keys are.
    ///   - keys: The property with the keys.
    ///   - match: The unique property of the targets.
    ///   - mapping: A mapping that reads the targets, or is identified by the same properties.
    ///   - condition: Selects the objects of the rule. Defaults to all objects.
    public init<Targets: ConnectionTargets, Keys: ConnectionKeys, Match: Hashable & SendableMetatype>(
        _ property: any ReferenceWritableKeyPath<Model, Targets> & Sendable,
        by keys: any KeyPath<Model, Keys> & Sendable, matching match: any KeyPath<Targets.Target, Match> & Sendable,
        to mapping: @autoclosure @escaping @Sendable () -> Mapping<Targets.Target>,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) where Keys.Key: SendableMetatype {
        self.init(property, by: keys, to: mapping, matching: [KeyProperty(match)], when: condition)
    }

    private init<Targets: ConnectionTargets, Keys: ConnectionKeys>(
        _ property: any ReferenceWritableKeyPath<Model, Targets> & Sendable,
        by keys: any KeyPath<Model, Keys> & Sendable, to mapping: @escaping @Sendable () -> Mapping<Targets.Target>,
        matching: [KeyProperty<Targets.Target>]?, when condition: (@Sendable (Model) -> Bool)?
    ) where Keys.Key: SendableMetatype {
        let list = KeyProperty(list: keys)
        self = Connection(
            property, [list], mapping, matching,
            read: { $0[keyPath: keys].connectionKeys?.compactMap { withMemory(of: $0, list.value.key) } },
            assign: { model, targets in
                model[keyPath: property] = Targets(connected: targets?.compactMap { $0 as? Targets.Target })
            }
        ).when(condition)
    }

    private init<Target>(
        _ property: any AnyKeyPath & Sendable, _ keys: [KeyProperty<Model>],
        _ mapping: @escaping @Sendable () -> Mapping<Target>, _ matching: [KeyProperty<Target>]?,
        read: @escaping @Sendable (Model) -> [ObjectKey]?, assign: @escaping @Sendable (Model, [AnyObject]?) -> Void
    ) {
        self.init(
            ConnectionRule(
                destination: property, keys: keys.map { ConnectionRule.Key($0) },
                targetType: Target.self, matching: matching.map { $0.map(\.keyPath) },
                target: { ConnectionTarget(mapping(), matching: matching) },
                read: { ($0 as? Model).flatMap(read) },
                assign: { source, targets in if let model = source as? Model { assign(model, targets) } }))
    }
}

/// The properties of a simple or compound key.
private struct ConnectionKeyPaths<Model> {
    let properties: [KeyProperty<Model>]

    init<Key: Hashable & SendableMetatype, each Further: Hashable & SendableMetatype>(
        _ key: any KeyPath<Model, Key> & Sendable, _ further: repeat any KeyPath<Model, each Further> & Sendable
    ) {
        var properties = [KeyProperty(key)]
        for key in repeat each further { properties.append(KeyProperty(key)) }
        self.properties = properties
    }
}

/// The property of a to-many relationship: an array or a set of objects, or an optional of one.
public protocol ConnectionTargets: SendableMetatype {
    /// The class of the objects.
    associatedtype Target: AnyObject

    /// Creates the value of the property; `nil` clears it.
    init(connected targets: [Target]?)
}

extension Array: ConnectionTargets where Element: AnyObject {
    /// Creates an array of the targets in the order of their keys; empty for `nil`.
    public init(connected targets: [Element]?) { self = targets ?? [] }
}

extension Set: ConnectionTargets where Element: AnyObject {
    /// Creates a set of the targets; empty for `nil`.
    public init(connected targets: [Element]?) { self = Set(targets ?? []) }
}

extension Optional: ConnectionTargets where Wrapped: ConnectionTargets {
    /// Wraps the targets; `nil` for `nil`.
    public init(connected targets: [Wrapped.Target]?) { self = targets.map { Wrapped(connected: $0) } }
}

/// The keys of a to-many relationship: an array or a set, or an optional of one.
public protocol ConnectionKeys: SendableMetatype {
    /// The key of one target.
    associatedtype Key: Hashable

    /// The keys, in the order of the targets; `nil` clears the relationship.
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
    /// The keys of the wrapped value; `nil` for `nil`.
    public var connectionKeys: [Wrapped.Key]? { flatMap(\.connectionKeys) }
}
