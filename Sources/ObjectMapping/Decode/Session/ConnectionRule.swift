/// What a `Connection` says, for objects of any class.
struct ConnectionRule: Sendable {
    struct Key: Sendable {
        let keyPath: any AnyKeyPath & Sendable
        let type: @Sendable () -> Any.Type
    }

    let destination: any AnyKeyPath & Sendable
    /// The properties that hold the keys; several are one compound key.
    let keys: [Key]
    let targetType: Any.Type
    /// By what the targets are identified, as their mapping says; asked for when the plan is made.
    let target: @Sendable () -> ConnectionTarget
    var condition: (@Sendable (AnyObject) -> Bool)?
    /// The keys of an object's targets, one in a relationship to one; nil for none.
    let read: @Sendable (AnyObject) -> [AnyHashable]?
    /// Sets the property to the targets that are there; nil clears it.
    let assign: @Sendable (AnyObject, [Any]?) -> Void

    /// The relationship for messages, as `Task.assignedUser`.
    var name: String { Property.name(of: destination) }
    /// The keys for messages, as `Task.assignedUserID`.
    var keyNames: String { keys.map { Property.name(of: $0.keyPath) }.joined(separator: ", ") }
}

/// By what the targets of a connection are identified.
struct ConnectionTarget {
    struct Part {
        let name: String
        let type: Any.Type
    }

    let kind: IdentityKind
    let parts: [Part]

    init<Model>(_ mapping: Mapping<Model>) {
        let identity = mapping.storage.traits.identity
        kind = IdentityKind(Model.self, by: identity)
        parts = identity.map { Part(name: $0.name, type: $0.type()) }
    }
}

/// A connection whose target is known to be identified by keys such as its own.
struct ResolvedConnection {
    let rule: ConnectionRule
    let target: IdentityKind
    /// Bits of the rule's keys among the marks of its mapping.
    let marks: UInt64
}

/// The connections that set one property: the first one whose condition holds is the one that does.
final class ConnectionGroup {
    private(set) var connections: [ResolvedConnection] = []
    private(set) var marks: UInt64 = 0
    private(set) var hasCondition = false

    func add(_ connection: ResolvedConnection) {
        connections.append(connection)
        marks |= connection.marks
        hasCondition = hasCondition || connection.rule.condition != nil
    }
}

/// The relationship of one object, while it waits for targets.
final class WaitingConnection {
    let source: AnyObject
    let connection: ResolvedConnection
    let keys: [AnyHashable]
    let serial: Int
    /// The object's properties are connected anew: what waited for them before waits no longer.
    var isCancelled = false
    /// Whether a target came and the property is yet to be set.
    var isTouched = false

    init(_ source: AnyObject, _ connection: ResolvedConnection, _ keys: [AnyHashable], serial: Int) {
        self.source = source
        self.connection = connection
        self.keys = keys
        self.serial = serial
    }
}

extension WaitingConnection {
    /// A property of an object.
    struct ID: Hashable {
        let source: ObjectIdentifier
        let property: AnyKeyPath
    }

    var id: ID { ID(source: ObjectIdentifier(source), property: connection.rule.destination) }
}

/// A connection that waits for its target.
public struct UnresolvedConnection: CustomStringConvertible, CustomDebugStringConvertible {
    /// The object whose property is to be set.
    public let source: AnyObject
    /// The property, as `Task.assignedUser`.
    public let destination: String
    /// The type of the object that is waited for.
    public let targetType: Any.Type
    /// What identifies that object: one value, or several of a compound key.
    public let key: [AnyHashable]

    /// What waits for what, without the key.
    public var description: String { "\(destination) waits for a \(targetType)" }

    /// As `description`, with the key.
    public var debugDescription: String {
        "\(description) with the key \(key.map { "\($0.base)" }.joined(separator: ", "))"
    }
}
