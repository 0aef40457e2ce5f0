/// Shares objects between payloads: one object per identity, and connections that wait for their targets.
///
/// ```swift
/// let session = MappingSession()
/// let tasks = try Task.mapping.mapAll(tasksJSON, in: session)     // connected by `assignedUserID`
/// let users = try User.mapping.mapAll(usersJSON, in: session)     // now tasks[0].assignedUser is there
/// session.find(User.self, 7)
/// ```
///
/// Models are identified by the properties in `identified(by:)` of their mapping:
///
/// - An object of a class is created once. If its identity occurs again, in the same payload or in a later one, the
///   JSON is read into the existing object, in the order of the text; missing members are unchanged. A second,
///   different identity by another rule is an issue.
/// - Structs are copies, and objects that are created with an initializer cannot be updated: the last one is found.
/// - If the identity is absent or null in the payload, the model is created, but cannot be found in the session.
///
/// An update that changes the identity of an object changes it in the session, too; it throws if another object has the
/// new identity.
///
/// A decode that throws does not change its session: its new models are removed, updated objects are restored, and
/// nothing is connected. A session retains its models until `removeAll()` or its own release. It is used by one thread
/// at a time, like the objects, and by one decode: a conversion, a validation or a property observer that passes it to
/// another decode receives an error of the kind `dataSource`.
public final class MappingSession {
    // Exclusivity unchecked: a session belongs to one thread and no access outlasts a call; the checks cost every object.
    /// The objects of each kind, in the order of their first appearance.
    @safe @exclusivity(unchecked) private(set) var spaces: [IdentitySpace] = []
    @safe @exclusivity(unchecked) private(set) var views: [ObjectKind: IdentityView] = [:]
    /// Connections with missing targets.
    @safe @exclusivity(unchecked) var waitingConnections: [WaitingConnection.ID: WaitingConnection] = [:]
    @safe @exclusivity(unchecked) private var lastSerial = 0
    /// Whether a decode is in progress.
    var isInUse = false
    /// Whether `removeAll()` was called during the decode in progress.
    var removesAllLater = false
    /// The changes by the decode in progress.
    @safe @exclusivity(unchecked) var changes: [Change] = []
    /// The number of changes to single entries.
    @safe @exclusivity(unchecked) var changeCount = 0
    /// The spaces of the kinds in the decode in progress.
    @safe @exclusivity(unchecked) var locations: [ObjectIdentifier: Location] = [:]
    @safe @exclusivity(unchecked) var lastLocation: Borrowed<Location>?

    /// Creates an empty session.
    public init() {}

    /// Returns the model with an identity; `nil` if the session does not contain it.
    ///
    /// ```swift
    /// session.find(User.self, 7)
    /// session.find(Seat.self, "A", 12)      // in the order in which the mapping is identified by them
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the model; objects of its subclasses are found, too.
    ///   - key: The value of each property in `identified(by:)`.
    /// - Complexity: O(*m*), where *m* is the number of types in the session.
    public func find<Model, each Key: Hashable>(_ type: Model.Type, _ key: repeat each Key) -> Model? {
        var parts: [ObjectKey] = []
        for value in repeat each key {
            guard let part = ObjectKey(value) else { return nil }
            parts.append(part)
        }
        guard let key = ObjectKey(parts: parts) else { return nil }
        for space in spaces where space.kind.type is Model.Type {
            if let model = space.model(for: key) as? Model { return model }
        }
        return nil
    }

    /// Returns the models of a type, including its subclasses, in the order of their first appearance.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of models of the type.
    public func all<Model>(_ type: Model.Type) -> [Model] {
        spaces.filter { $0.kind.type is Model.Type }.flatMap(\.entries).sorted { $0.serial < $1.serial }
            .compactMap { $0.model as? Model }
    }

    /// The unresolved connections, in the order in which their objects were read; one per key.
    public var unresolved: [UnresolvedConnection] {
        waitingConnections.values.sorted { $0.serial < $1.serial }.flatMap { $0.unresolved(in: self) }
    }

    /// Removes all models and unresolved connections.
    ///
    /// If a property observer, a conversion or a deinitializer calls it during a decode of the session, they are removed
    /// when the decode ends.
    public func removeAll() {
        guard !isInUse else { return removesAllLater = true }
        removesAllLater = false
        // Released last: deinitializers can use the session.
        let removed = (spaces, views, waitingConnections)
        (spaces, views, waitingConnections) = ([], [:], [:])
        forgetLocations()
        withExtendedLifetime(removed) {}
    }
}

extension MappingSession {
    /// Returns a number larger than all previous ones.
    func nextSerial() -> Int {
        lastSerial += 1
        return lastSerial
    }

    func space(_ kind: ObjectKind) -> IdentitySpace {
        if let known = spaces.first(where: { $0.kind == kind }) { return known }
        let space = IdentitySpace(kind, number: spaces.count)
        spaces.append(space)
        for view in views.values { view.consider(space) }
        return space
    }

    func view(_ kind: ObjectKind) -> IdentityView {
        if let known = views[kind] { return known }
        let view = IdentityView(kind)
        views[kind] = view
        for space in spaces { view.consider(space) }
        return view
    }
}
