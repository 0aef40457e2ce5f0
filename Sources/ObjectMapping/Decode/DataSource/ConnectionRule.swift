/// The declaration of a `Connection`, for objects of any class.
struct ConnectionRule: Sendable {
    struct Key: Sendable {
        let keyPath: any AnyKeyPath & Sendable
        let type: Any.Type
        /// The memory of a value of the property.
        let size: Int
        let alignment: Int
        /// Returns the keys of the value in initialized memory: one, or those of a list.
        let keys: @Sendable (Memory) -> [ObjectKey]
        let destroy: @Sendable (Memory) -> Void

        init<Model>(_ property: KeyProperty<Model>) {
            (keyPath, type) = (property.keyPath, property.value.type)
            (size, alignment) = (property.storage.size, property.storage.alignment)
            (keys, destroy) = (property.storage.keys, property.storage.destroy)
        }
    }

    /// A condition that an object must meet.
    struct Condition: Sendable {
        /// The property that is compared with `value`; `nil` for a closure.
        var property: (any AnyKeyPath & Sendable)?
        var value: JSON?
        let isMet: @Sendable (AnyObject) -> Bool
    }

    let destination: any AnyKeyPath & Sendable
    /// The properties with the keys; several form a compound key.
    let keys: [Key]
    let targetType: Any.Type
    /// The properties of the targets that are compared with the keys; `nil` for their identity.
    let matching: [any AnyKeyPath & Sendable]?
    /// The identity of the targets, as their mapping declares it; requested when the plan is compiled.
    let target: @Sendable () -> ConnectionTarget
    var conditions: [Condition] = []
    /// Returns the keys of an object's targets, one in a to-one relationship; `nil` without keys.
    let read: @Sendable (AnyObject) -> [ObjectKey]?
    /// Sets the property to targets; `nil` clears it.
    let assign: @Sendable (AnyObject, [AnyObject]?) -> Void

    /// Whether the connection applies to an object.
    func isMet(by object: AnyObject) -> Bool { conditions.allSatisfy { $0.isMet(object) } }

    /// The relationship for messages, such as `Task.assignedUser`.
    var name: String { Property.name(of: destination) }
    /// The keys for messages, such as `Task.assignedUserID`.
    var keyNames: String { keys.map { Property.name(of: $0.keyPath) }.joined(separator: ", ") }
}

/// The identity of a connection's targets.
struct ConnectionTarget {
    struct Part {
        let name: String
        let type: Any.Type
    }

    let kind: ObjectKind
    let parts: [Part]
    /// Whether the mapping declares an identity.
    let isIdentified: Bool

    /// - Parameter matching: The properties that are compared with the keys; `nil` for the identity.
    init<Model>(_ mapping: Mapping<Model>, matching: [KeyProperty<Model>]?) {
        let identity = mapping.storage.traits.identity
        let properties = matching ?? identity
        let isIdentity = properties.map { $0.keyPath as AnyKeyPath } == identity.map { $0.keyPath as AnyKeyPath }
        kind = ObjectKind(Model.self, by: properties, isMatching: !isIdentity)
        parts = properties.map { Part(name: $0.name, type: $0.value.type) }
        isIdentified = !identity.isEmpty
    }
}

/// A relationship that keys determine.
package final class ObjectConnection: Sendable {
    let rule: ConnectionRule
    /// The objects that the keys identify.
    package let target: ObjectKind
    /// The bits of the rule's keys among the marks of its mapping.
    let marks: UInt64

    init(rule: ConnectionRule, target: ObjectKind, marks: UInt64) {
        self.rule = rule
        self.target = target
        self.marks = marks
    }

    /// The relationship.
    package var destination: AnyKeyPath { rule.destination }
    /// The relationship for messages, such as `Task.assignedUser`.
    package var name: String { rule.name }
    /// The type of the targets.
    package var targetType: Any.Type { rule.targetType }

    /// Returns the current keys of an object; `nil` without keys.
    package func keys(of object: AnyObject) -> [ObjectKey]? { rule.read(object) }

    /// Sets the relationship of an object to targets, in order; `nil` clears it.
    package func assign(_ targets: [AnyObject]?, to object: AnyObject) { rule.assign(object, targets) }
}

/// The connections for one property: the first one whose condition is met sets it.
final class ConnectionGroup {
    private(set) var connections: [ObjectConnection] = []
    private(set) var marks: UInt64 = 0
    private(set) var hasCondition = false
    /// Whether the keys are collected before the payload is read.
    @safe @exclusivity(unchecked) var isCollected = false

    func add(_ connection: ObjectConnection) {
        connections.append(connection)
        marks |= connection.marks
        hasCondition = hasCondition || !connection.rule.conditions.isEmpty
    }
}

extension Mapping {
    /// The relationships determined by keys, with the properties of the keys, regardless of conditions, and those of the
    /// target with which the keys are compared; `nil` for its identity.
    package var keyedRelationships: [(destination: AnyKeyPath, keys: [AnyKeyPath], matching: [AnyKeyPath]?)] {
        storage.traits.connections.map { connection in
            (connection.destination, connection.keys.map(\.keyPath), connection.matching.map { $0.map { $0 } })
        }
    }
}
