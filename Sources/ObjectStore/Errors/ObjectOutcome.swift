/// A kind of change of an object.
public enum ChangeOperation: String, Sendable, Hashable, CaseIterable {
    /// A new object.
    case insert
    /// Changed attributes or relationships.
    case update
    /// A deletion.
    case delete
}

/// The outcome of a save with a remote for one object.
public struct ObjectOutcome: Sendable, Hashable, CustomStringConvertible {
    /// The kind of an outcome.
    public enum Kind: String, Sendable, Hashable {
        /// The remote and the file have the change.
        case saved
        /// The remote has refused the change.
        case refused
        /// The remote, or the file, has another version of the object.
        case conflict
        /// The remote was not reached.
        case unavailable
        /// Nobody knows whether the remote has the change.
        ///
        /// A new object is sent again only after the remote was asked for it; see `IncrementalStore.find(_:)`.
        case unknown
        /// The change was not sent, because of an earlier one or of what the message says.
        case notSent
        /// The remote has the change, and its answer could not be written to the file, or has no identity.
        case notStored
        /// The remote has the change, and the object was deleted here meanwhile: the next save sends the deletion.
        case deleted
        /// Others have deleted the object from the file, and nothing was sent.
        case missing
    }

    /// The object: that of the context if it already had the object that the remote returned for a new one.
    public let object: ObjectID
    /// The change.
    public let operation: ChangeOperation
    /// The kind of the outcome.
    public let kind: Kind
    /// The reason; empty for `saved`, unless another object of the context replaces the new one.
    public let message: String
    /// The reasons by attribute.
    public let errors: [String: [String]]

    init(
        _ object: ObjectID, _ operation: ChangeOperation, _ kind: Kind, _ message: String = "",
        errors: [String: [String]] = [:]
    ) {
        self.object = object
        self.operation = operation
        self.kind = kind
        self.message = message
        self.errors = errors
    }

    /// The object, the change and the outcome: `Person/7: update refused: the name is taken`.
    public var description: String {
        let text = "\(object): \(operation.rawValue) \(kind.rawValue)"
        return message.isEmpty ? text : "\(text): \(message)"
    }
}
