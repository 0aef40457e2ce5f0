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
