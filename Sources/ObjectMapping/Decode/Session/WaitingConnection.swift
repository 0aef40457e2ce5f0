/// The relationship of one object, while it waits for targets.
final class WaitingConnection {
    let source: AnyObject
    let connection: ObjectConnection
    let keys: [ObjectKey]
    let serial: Int
    /// Whether the property was connected again since, so that this one no longer waits.
    var isCancelled = false
    /// Whether a target was added and the property is yet to be set.
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
    /// What is still waited for, key by key.
    func unresolved(in session: MappingSession) -> [UnresolvedConnection] {
        let view = session.view(connection.target)
        return keys.filter { view.model(for: $0) == nil }.map { key in
            UnresolvedConnection(
                source: source, destination: connection.name, targetType: connection.targetType,
                key: key.parts.map(\.value))
        }
    }
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
