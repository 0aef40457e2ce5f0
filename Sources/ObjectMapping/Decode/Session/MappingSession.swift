/// What several payloads share: one object for each identity, and connections that wait for their targets.
///
/// ```swift
/// let session = MappingSession()
/// let tasks = try Task.mapping.mapAll(tasksJSON, in: session)     // connected by `assignedUserID`
/// let users = try User.mapping.mapAll(usersJSON, in: session)     // now tasks[0].assignedUser is there
/// session.find(User.self, 7)
/// ```
///
/// Models are known by the properties that their mapping is `identified(by:)`:
///
/// - An object of a class is made once. Where its identity comes again, in the same payload or in a later one, the JSON
///   is read into that object, in the order of the text: what it does not mention stays unchanged. A second, different
///   identity in one JSON object is an issue.
/// - A struct is a copy, and a class whose objects are made of values cannot be read into: the last one is found.
/// - A model whose identity is absent or null in the payload is made, but the session does not know it.
///
/// An update that changes the identity of an object has it known by the new one; it throws if another object has that.
///
/// A decode that throws leaves no trace in its session: models it made are forgotten, objects it read into get their
/// old values back, and nothing is connected. A session keeps its models alive until `removeAll()` or its own end. It
/// belongs to one thread at a time, as the objects do, and to one decode: a conversion, a validation or a property
/// observer that passes it to another decode receives an error of the kind `dataSource`.
public final class MappingSession {
    // Exclusivity unchecked: a session belongs to one thread and no access outlasts a call; the checks cost every object.
    /// The objects of each kind, in the order of their first appearance.
    @safe @exclusivity(unchecked) private(set) var spaces: [IdentitySpace] = []
    @safe @exclusivity(unchecked) private(set) var views: [ObjectKind: IdentityView] = [:]
    /// Connections whose targets are missing.
    @safe @exclusivity(unchecked) var waitingConnections: [WaitingConnection.ID: WaitingConnection] = [:]
    @safe @exclusivity(unchecked) private var lastSerial = 0
    /// Whether a decode is in progress.
    var isInUse = false
    /// What the decode in progress did.
    @safe @exclusivity(unchecked) var changes: [Change] = []
    /// Where the objects of a kind are known, for the kinds of the decode in progress.
    @safe @exclusivity(unchecked) var locations: [ObjectIdentifier: Location] = [:]
    @safe @exclusivity(unchecked) var lastLocation: Location?

    /// A session that knows no model yet.
    public init() {}

    /// The model with an identity; nil if the session knows none.
    ///
    /// ```swift
    /// session.find(User.self, 7)
    /// session.find(Seat.self, "A", 12)      // in the order in which the mapping is identified by them
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the model; objects of its subclasses are found too.
    ///   - key: The value of each property that the mapping is identified by.
    /// - Complexity: O(*m*), where *m* is the number of types that the session knows.
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

    /// The models of a type, those of its subclasses too, in the order in which they appeared first.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of models of the type.
    public func all<Model>(_ type: Model.Type) -> [Model] {
        spaces.filter { $0.kind.type is Model.Type }.flatMap(\.entries).sorted { $0.serial < $1.serial }
            .compactMap { $0.model as? Model }
    }

    /// The connections that still wait, in the order in which their objects were read; one for each key.
    public var unresolved: [UnresolvedConnection] {
        waitingConnections.values.sorted { $0.serial < $1.serial }.flatMap { $0.unresolved(in: self) }
    }

    /// Forgets every model and every connection that waits.
    public func removeAll() {
        spaces = []
        views = [:]
        waitingConnections = [:]
        forgetLocations()
    }
}

extension MappingSession {
    /// A number above all before.
    func nextSerial() -> Int {
        lastSerial += 1
        return lastSerial
    }

    func space(_ kind: ObjectKind) -> IdentitySpace {
        if let known = spaces.first(where: { $0.kind == kind }) { return known }
        let space = IdentitySpace(kind)
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
