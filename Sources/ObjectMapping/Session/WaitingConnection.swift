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
