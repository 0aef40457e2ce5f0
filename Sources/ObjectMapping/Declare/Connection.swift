/// A rule that sets a relationship to the objects that keys of this one identify.
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
/// A target is found by the properties that its mapping is `identified(by:)`, anywhere in the payload or in any payload of
/// one `MappingSession`. Connections are made after a payload was read; one whose target appears later is made then. Until
/// then the relationship is nil, or holds the targets that are known.
///
/// A null key clears the relationship, an absent one leaves it unchanged. Several connections may set one relationship if
/// they have conditions: the first one whose condition is met sets it; if none is met, the relationship is cleared.
///
/// A key and the property that identifies the target must have the same type; either may be optional.
public struct Connection<Model: AnyObject>: MappingRule {
    /// The rule, for the library's own use.
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
    /// - Parameter condition: Receives the object once it is read.
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
    /// Connects one object by its key, or by several properties that are one compound key.
    ///
    /// - Parameters:
    ///   - property: The relationship.
    ///   - key: The property that holds the key.
    ///   - further: The properties that hold the rest of a compound key, in the order in which they identify the target.
    ///   - condition: Selects the objects of the rule. Defaults to all objects.
    public init<
        Target: AnyObject & Mappable, Key: Hashable & SendableMetatype, each Further: Hashable & SendableMetatype
    >(
        _ property: any ReferenceWritableKeyPath<Model, Target?> & Sendable,
        by key: any KeyPath<Model, Key> & Sendable, _ further: repeat any KeyPath<Model, each Further> & Sendable,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) { self.init(property, by: key, repeat each further, to: Target.mapping, when: condition) }

    // Reduces the errors for a misspelt property to one.
    /// Rejects properties that cannot be set.
    @available(
        *, unavailable,
        message:
            "a connection sets a `var`: an optional object by its key, or an array or set of objects by an array or set of keys"
    )
    public init<Value, Key: Hashable & SendableMetatype>(
        _ property: any KeyPath<Model, Value> & Sendable, by key: any KeyPath<Model, Key> & Sendable
    ) { definition = RuleDefinition("", RuleTarget.none) }

    /// Connects several objects by an array or a set of keys.
    ///
    /// - Parameters:
    ///   - property: The relationship; an array is in the order of the keys, an optional is nil if the keys are.
    ///   - keys: The property that holds the keys.
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
    /// Connects one object by its key, or by several properties that are one compound key.
    ///
    /// - Parameters:
    ///   - property: The relationship.
    ///   - key: The property that holds the key.
    ///   - further: The properties that hold the rest of a compound key, in the order in which they identify the target.
    ///   - mapping: A mapping that reads the targets, or is identified by the same properties.
    ///   - condition: Selects the objects of the rule. Defaults to all objects.
    public init<Target: AnyObject, Key: Hashable & SendableMetatype, each Further: Hashable & SendableMetatype>(
        _ property: any ReferenceWritableKeyPath<Model, Target?> & Sendable,
        by key: any KeyPath<Model, Key> & Sendable, _ further: repeat any KeyPath<Model, each Further> & Sendable,
        to mapping: @autoclosure @escaping @Sendable () -> Mapping<Target>,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) {
        var parts = [KeyProperty(key)]
        for key in repeat each further { parts.append(KeyProperty(key)) }
        let properties = parts
        self = Connection(
            property, parts, mapping, read: { properties.key(of: $0).map { [$0] } },
            assign: { $0[keyPath: property] = $1?.first }
        ).when(condition)
    }

    /// Connects several objects by an array or a set of keys.
    ///
    /// - Parameters:
    ///   - property: The relationship; an array is in the order of the keys, an optional is nil if the keys are.
    ///   - keys: The property that holds the keys.
    ///   - mapping: A mapping that reads the targets, or is identified by the same properties.
    ///   - condition: Selects the objects of the rule. Defaults to all objects.
    public init<Targets: ConnectionTargets, Keys: ConnectionKeys>(
        _ property: any ReferenceWritableKeyPath<Model, Targets> & Sendable,
        by keys: any KeyPath<Model, Keys> & Sendable,
        to mapping: @autoclosure @escaping @Sendable () -> Mapping<Targets.Target>,
        when condition: (@Sendable (Model) -> Bool)? = nil
    ) where Keys.Key: SendableMetatype {
        let list = KeyProperty(list: keys)
        self = Connection(
            property, [list], mapping,
            read: { $0[keyPath: keys].connectionKeys?.compactMap { withMemory(of: $0, list.value.key) } },
            assign: { $0[keyPath: property] = Targets(connected: $1) }
        ).when(condition)
    }

    private init<Target>(
        _ property: any AnyKeyPath & Sendable, _ keys: [KeyProperty<Model>],
        _ mapping: @escaping @Sendable () -> Mapping<Target>,
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
                }))
    }
}

/// The property of a relationship to many: an array or a set of objects, or an optional of one.
public protocol ConnectionTargets: SendableMetatype {
    /// The class of the objects.
    associatedtype Target: AnyObject

    /// Creates the value of the property; nil clears it.
    init(connected targets: [Target]?)
}

extension Array: ConnectionTargets where Element: AnyObject {
    /// The targets in the order of their keys; empty for nil.
    public init(connected targets: [Element]?) { self = targets ?? [] }
}

extension Set: ConnectionTargets where Element: AnyObject {
    /// The targets; empty for nil.
    public init(connected targets: [Element]?) { self = Set(targets ?? []) }
}

extension Optional: ConnectionTargets where Wrapped: ConnectionTargets {
    /// The targets, or nil.
    public init(connected targets: [Wrapped.Target]?) { self = targets.map { Wrapped(connected: $0) } }
}

/// The keys of a relationship to many: an array or a set, or an optional of one.
public protocol ConnectionKeys: SendableMetatype {
    /// The key of one target.
    associatedtype Key: Hashable

    /// The keys, in the order of the targets; nil clears the relationship.
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
