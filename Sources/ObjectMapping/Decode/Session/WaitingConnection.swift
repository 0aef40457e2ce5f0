/// The relationship of an object that waits for targets.
final class WaitingConnection {
    let source: AnyObject
    let connection: ObjectConnection
    let keys: [ObjectKey]
    let serial: Int
    /// Whether the property was connected again, which cancels this connection.
    var isCancelled = false
    /// Whether a target was added and the property has not been set yet.
    var isTouched = false

    init(_ source: AnyObject, _ connection: ObjectConnection, _ keys: [ObjectKey], serial: Int) {
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

    var id: ID { ID(source: ObjectIdentifier(source), property: connection.destination) }
}

extension WaitingConnection {
    /// Returns the missing targets, key by key.
    func unresolved(in session: MappingSession) -> [UnresolvedConnection] {
        let view = session.view(connection.target)
        return keys.filter { view.model(for: $0) == nil }.map { key in
            UnresolvedConnection(
                source: source, destination: connection.name, targetType: connection.targetType,
                key: key.parts.map(\.value))
        }
    }
}

/// A connection whose target is missing.
public struct UnresolvedConnection: CustomStringConvertible, CustomReflectable {
    /// The object with the property.
    public let source: AnyObject
    /// The property, such as `Task.assignedUser`.
    public let destination: String
    /// The type of the missing object.
    public let targetType: Any.Type
    /// The identity of the missing object: one value, or several for a compound key.
    public let key: [AnyHashable]

    /// The property and the type, without the key.
    public var description: String { "\(destination) waits for a \(targetType)" }

    /// The `description` with the key, which may be private data: do not log it.
    public var details: String { "\(description) with the key \(key.map { "\($0.base)" }.joined(separator: ", "))" }

    /// The description, without the object and the key.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
