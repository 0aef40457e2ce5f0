/// A change of one object that is saved by a remote.
public struct RemoteChange: Sendable {
    /// The kind of the change.
    public let operation: ChangeOperation
    /// The object.
    public let object: RemoteObject
    /// The assigned attributes of a new object, or the changed ones; empty for a deletion.
    public let values: [String: StoredValue]
    /// The targets of to-one relationships that were assigned or changed, with their identities; `nil` for none.
    public let targets: [String: RemoteObject?]
    /// The objects of to-many relationships that were assigned or changed, with their identities and in order.
    ///
    /// Without relationships whose inverse is to-one: these are changes of their objects. New objects that are saved later
    /// follow as another change.
    public let members: [String: [RemoteObject]]
    /// The same for each attempt to save the change: a UUID.
    public let idempotencyKey: String

    /// The names of the changed properties.
    var propertyNames: Set<String> { Set(values.keys).union(targets.keys).union(members.keys) }
}

/// The result of saving a change.
public enum RemoteOutcome: Sendable {
    /// The change was saved; with the values of the object that the remote assigned, such as its identity.
    case saved(RemoteObjects? = nil)
    /// The change was refused; the object stays changed.
    case refused(RemoteRefusal)
    /// The object was changed or deleted in the remote; the object stays changed.
    case conflict(RemoteRefusal)
}

/// The result of looking for an insertion whose outcome is unknown.
public enum RemoteLookup: Sendable {
    /// The object exists; with its values.
    case found(RemoteObjects)
    /// The insertion did not arrive: it is sent again.
    case notFound
    /// The remote cannot tell: the insertion is not sent again.
    case unknown
}

/// The reason why a change was refused.
public struct RemoteRefusal: Sendable, Hashable {
    /// The message.
    public var message: String
    /// The messages by attribute; the empty name is the object itself.
    public var errors: [String: [String]]

    /// Creates a reason.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - errors: The messages by attribute. Defaults to none.
    public init(_ message: String, errors: [String: [String]] = [:]) {
        self.message = message
        self.errors = errors
    }
}

/// An error of a remote.
public struct RemoteError: Error, Sendable, CustomStringConvertible {
    /// The kind of an error.
    public enum Kind: String, Sendable, Hashable {
        /// The remote was not reached, and nothing was sent.
        case unavailable
        /// The remote was reached, or possibly, and gave no answer that can be used.
        case noAnswer
        /// The remote refused the request.
        case refused
        /// The remote does not implement the call.
        case unsupported
        /// The result of the remote does not belong to the call.
        case invalidResult
    }

    /// The kind of the error.
    public let kind: Kind
    /// The message.
    public let message: String
    /// The error of the remote's own library; `nil` for none.
    public let underlying: (any Error)?

    /// Creates an error.
    public init(_ kind: Kind, _ message: String, underlying: (any Error)? = nil) {
        self.kind = kind
        self.message = message
        self.underlying = underlying
    }

    /// The message.
    public var description: String { message }
}
