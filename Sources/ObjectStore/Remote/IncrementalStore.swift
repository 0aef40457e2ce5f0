/// A remote store of objects, such as a web service, behind the file of a `ManagedObjectStore`.
///
/// ```swift
/// struct Folder: IncrementalStore {
///     let url: URL
///
///     func metadata() -> RemoteMetadata {
///         RemoteMetadata(typeName: "Folder", identifier: url.path, entities: ["Note"])
///     }
///     func fetch(_ fetch: RemoteFetch) throws -> RemoteObjects {
///         RemoteObjects(try Data(contentsOf: url.appending(path: "notes.json")), with: Note.mapping, isComplete: true)
///     }
///     func save(_ change: RemoteChange) throws -> RemoteOutcome { … }
/// }
///
/// let store = try await ManagedObjectStore.open(at: file, model: model, remote: Folder(url: folder))
/// let notes = try await context.fetch(Note.all, policy: .remote)
/// ```
///
/// The store calls the methods in separate tasks, several of them concurrently, and never on the main actor. What they
/// return is imported into the file. A method that never returns is abandoned when its caller is cancelled; a later save of
/// the context waits for a ``save(_:)`` that still runs. Errors are passed to the caller; throw ``RemoteError`` to say
/// whether a change can have arrived.
public protocol IncrementalStore: Sendable {
    /// Is called before ``metadata()``, with the model of the file that is opened; the default does nothing.
    func willOpen(_ model: ObjectModel) async throws

    /// Returns the type and the identifier of the remote, and its entities; called when the file is opened.
    func metadata() async throws -> RemoteMetadata

    /// Returns the objects of a fetch.
    ///
    /// A remote can ignore conditions, order, limit and offset: the file evaluates them again. See
    /// ``RemoteObjects/evaluates(_:)``.
    func fetch(_ fetch: RemoteFetch) async throws -> RemoteObjects

    /// Returns the current values of an object; `nil` if it no longer exists, which deletes it from the file.
    ///
    /// The default throws an error: the remote cannot read single objects.
    func values(of object: RemoteObject) async throws -> RemoteObjects?

    /// Returns the objects of a relationship.
    ///
    /// The default throws an error: the remote cannot read relationships.
    func values(of relationship: String, of object: RemoteObject) async throws -> RemoteObjects

    /// Returns the identities of new objects before they are saved, by the names of the attributes.
    ///
    /// - Returns: One element for each object, or none at all: the default, if ``save(_:)`` returns the identities.
    func identities(for objects: [RemoteObject]) async throws -> [[String: StoredValue]]

    /// Saves a change of one object.
    ///
    /// Changes are saved one after the other: new objects after those to which they refer, deletions last.
    ///
    /// - Returns: What the remote did.
    /// - Throws: ``RemoteError`` of kind `unavailable` if nothing was sent. After other errors, it is unknown whether the
    ///   change has arrived.
    func save(_ change: RemoteChange) async throws -> RemoteOutcome

    /// Looks for the result of an earlier insertion whose outcome is unknown.
    ///
    /// The default returns `.unknown`.
    func find(_ change: RemoteChange) async throws -> RemoteLookup

    /// Is called when contexts begin to hold saved objects that no context held before.
    ///
    /// Only with ``RemoteMetadata/observesObjectsInUse``: such as to subscribe to changes of these objects. Changes that follow
    /// each other quickly are one call, and the next call follows when this one has returned. The default does nothing.
    func didRegister(_ objects: Set<ObjectID>) async

    /// Is called when no context holds objects any more; see ``didRegister(_:)``.
    func didUnregister(_ objects: Set<ObjectID>) async

    /// Reads what a step needs from the managed object; the result is ``RemoteObject/preparation``.
    ///
    /// Called in a context of the store that has the object with its changes. The default returns `nil`.
    func prepare(_ step: RemoteStep, for object: ManagedObject) throws -> (any Sendable)?
}

/// A step for which an object is prepared.
public enum RemoteStep: Sendable, Hashable {
    /// Reading the values of the object.
    case values
    /// Reading a relationship, by its name.
    case relationship(String)
    /// Saving a change.
    case save(ChangeOperation)
}

/// The type, the identifier and the entities of a remote.
public struct RemoteMetadata: Sendable, Hashable {
    /// The name of the type of remotes, such as `REST`.
    public var typeName: String
    /// Identifies the remote and its user, such as a URL and an account.
    ///
    /// A file that belongs to another identifier is not opened.
    public var identifier: String
    /// The names of the entities that the remote has; others are local.
    ///
    /// `nil` for all.
    public var entities: Set<String>?
    /// Whether the remote saves a change only once if it receives it twice with the same `idempotencyKey`.
    ///
    /// Defaults to `false`.
    public var acceptsIdempotencyKeys: Bool
    /// Whether the remote is notified of the objects that contexts hold; see ``IncrementalStore/didRegister(_:)``.
    ///
    /// Defaults to `false`.
    public var observesObjectsInUse: Bool

    /// Creates metadata; see the properties.
    public init(
        typeName: String, identifier: String, entities: Set<String>? = nil, acceptsIdempotencyKeys: Bool = false,
        observesObjectsInUse: Bool = false
    ) {
        self.typeName = typeName
        self.identifier = identifier
        self.entities = entities
        self.acceptsIdempotencyKeys = acceptsIdempotencyKeys
        self.observesObjectsInUse = observesObjectsInUse
    }
}

/// An object of the file in a call of a remote.
public struct RemoteObject: Sendable {
    /// The name of the entity.
    public let entity: String
    /// The ID; temporary for a new object.
    public let id: ObjectID
    /// The values of the identity by attribute; without those that were never assigned.
    public let identity: [String: StoredValue]
    /// What ``IncrementalStore/prepare(_:for:)`` has returned for the step.
    public let preparation: (any Sendable)?
}

extension IncrementalStore {
    /// The default: nothing.
    public func willOpen(_ model: ObjectModel) async throws {}

    /// The default: an error of kind `unsupported`.
    public func values(of object: RemoteObject) async throws -> RemoteObjects? {
        throw RemoteError(.unsupported, "the remote cannot read single objects; implement values(of:)")
    }

    /// The default: an error of kind `unsupported`.
    public func values(of relationship: String, of object: RemoteObject) async throws -> RemoteObjects {
        throw RemoteError(.unsupported, "the remote cannot read relationships; implement values(of:of:)")
    }

    /// The default: no identities.
    public func identities(for objects: [RemoteObject]) async throws -> [[String: StoredValue]] { [] }

    /// The default: `unknown`.
    public func find(_ change: RemoteChange) async throws -> RemoteLookup { .unknown }

    /// The default: nothing.
    public func didRegister(_ objects: Set<ObjectID>) async {}

    /// The default: nothing.
    public func didUnregister(_ objects: Set<ObjectID>) async {}

    /// The default: `nil`.
    public func prepare(_ step: RemoteStep, for object: ManagedObject) throws -> (any Sendable)? { nil }
}
