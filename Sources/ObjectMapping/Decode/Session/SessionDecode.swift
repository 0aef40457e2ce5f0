/// What one decode does to its session, until it is known whether it succeeds.
///
/// Models are known from the moment they were read; connections are made by `commit()`.
final class SessionDecode {
    /// One object that is being read.
    struct Visit {
        fileprivate let outer: RuleMarks
        fileprivate let pending: Int
        let serial: Int
        private let fence: Bytes
        private let element: (index: Int, list: Bytes?)?

        fileprivate init(_ reader: borrowing PlanReader, outer: RuleMarks, pending: Int, serial: Int) {
            self.outer = outer
            self.pending = pending
            self.serial = serial
            fence = reader.fence
            element = reader.context?.pending
        }

        /// Has a reader go back to where it was.
        func rewind(_ reader: inout PlanReader) {
            reader.rewind(to: fence)
            reader.context?.pending = element
        }
    }

    /// A state to which a decode can go back.
    struct Savepoint {
        fileprivate let changes: Int
        fileprivate let pending: Int
    }

    private enum Change {
        case registered(IdentitySpace, AnyHashable, before: IdentitySpace.Entry?)
        case forgotten(IdentitySpace, AnyHashable, IdentitySpace.Entry)
        case read(undo: () -> Void)
    }

    /// An object whose relationships are to be set.
    private struct Pending {
        let source: AnyObject
        let group: ConnectionGroup
        /// Keys that mean nothing, since they were reset.
        let reset: UInt64
        /// Whether the session knows the object; another one may turn out to be superfluous.
        let isKnown: Bool
    }

    /// Where models of one mapping are known.
    private struct Place {
        /// Kept, as one of a mapping that a closure gave would leave its address to the next.
        let registration: Registration
        let space: IdentitySpace
        let view: IdentityView
    }

    let session: MappingSession
    /// Whether the bytes being read were read before, for another model.
    var isRereading = false
    private var marks = RuleMarks()
    private var changes: [Change] = []
    private var pending: [Pending] = []
    private var places: [ObjectIdentifier: Place] = [:]

    init(_ session: MappingSession) { self.session = session }

    // MARK: While objects are read

    func begin(_ reader: borrowing PlanReader) -> Visit {
        defer { marks = RuleMarks() }
        return Visit(reader, outer: marks, pending: pending.count, serial: session.nextSerial())
    }

    /// What the payload mentioned since the object was begun.
    func end(_ visit: Visit) -> RuleMarks {
        defer { marks = visit.outer }
        return marks
    }

    /// Notes that the payload gives a value.
    func give(_ mark: UInt64) {
        marks.mentioned |= mark
        marks.given |= mark
        marks.reset &= ~mark
    }

    /// Notes that a property was cleared.
    ///
    /// - Parameter isReset: Whether it has the value of a fresh model, which means nothing.
    func clear(_ mark: UInt64, isReset: Bool) {
        marks.mentioned |= mark
        marks.given &= ~mark
        if isReset { marks.reset |= mark } else { marks.reset &= ~mark }
    }

    func model(for key: AnyHashable, _ registration: Registration) -> Any? {
        place(registration).view.model(for: key)
    }

    func register(_ model: Any, for key: AnyHashable, _ registration: Registration, serial: Int) {
        register(model, for: key, in: place(registration).space, serial: serial)
    }

    private func register(_ model: Any, for key: AnyHashable, in space: IdentitySpace, serial: Int) {
        let before = space.entries[key]
        space.entries[key] = IdentitySpace.Entry(model: model, serial: before?.serial ?? serial)
        changes.append(.registered(space, key, before: before))
    }

    /// Where an object is known by a key: by the mapping of its class, or by one of a superclass.
    func spaces(knowing object: AnyObject, by key: AnyHashable, _ registration: Registration) -> [IdentitySpace] {
        session.spaces.filter { space in
            guard space.kind.isLike(registration.kind), let entry = space.entries[key] else { return false }
            return entry.model as AnyObject === object
        }
    }

    /// Whether a key that an object is given is that of another one.
    ///
    /// - Parameter spaces: Where the object is known so far; nothing is taken from one that is known nowhere.
    func isTaken(
        _ key: AnyHashable, besides object: AnyObject, in spaces: [IdentitySpace], _ registration: Registration
    ) -> Bool {
        guard !spaces.isEmpty else { return false }
        let holders = [model(for: key, registration)] + spaces.map { $0.entries[key]?.model }
        return holders.contains { $0.map { $0 as AnyObject !== object } ?? false }
    }

    /// Has an object be known by another key, or by none.
    ///
    /// Among the objects of a superclass it is not known any more: there it is found by the mapping of its own class.
    ///
    /// - Returns: Where the object appeared first; nil if none was known by the old key.
    func move(_ old: AnyHashable, to new: AnyHashable?, in space: IdentitySpace, _ registration: Registration) -> Int? {
        guard let entry = space.entries.removeValue(forKey: old) else { return nil }
        changes.append(.forgotten(space, old, entry))
        if let new, place(registration).view.spaces.contains(where: { $0 === space }) {
            register(entry.model, for: new, in: space, serial: entry.serial)
        }
        return entry.serial
    }

    /// Keeps how an object becomes again what it is now.
    func willChange(undo: @escaping () -> Void) { changes.append(.read(undo: undo)) }

    /// Notes the relationships of an object that was read; they are set once everything is.
    func connect(_ source: AnyObject, _ registration: Registration, _ marks: RuleMarks, isKnown: Bool) {
        for group in registration.groups {
            let isMentioned = group.marks & (marks.mentioned | ~registration.ruled) != 0
            guard isMentioned || group.marks == 0 || group.hasCondition else { continue }
            pending.append(Pending(source: source, group: group, reset: marks.reset, isKnown: isKnown))
        }
    }

    /// Forgets objects that no model holds, since another model was there in their place.
    func forget(_ visit: Visit) {
        guard pending.count > visit.pending else { return }
        let known = pending[visit.pending...].filter(\.isKnown)
        pending.replaceSubrange(visit.pending..., with: known)
    }

    private func place(_ registration: Registration) -> Place {
        if let known = places[ObjectIdentifier(registration)] { return known }
        let new = Place(
            registration: registration, space: session.space(registration.type, registration.kind),
            view: session.view(registration.kind))
        places[ObjectIdentifier(registration)] = new
        return new
    }

    // MARK: Going back

    func savepoint() -> Savepoint { Savepoint(changes: changes.count, pending: pending.count) }

    /// Takes back what was done since a savepoint.
    func rollback(to point: Savepoint?) {
        guard let point else { return }
        while changes.count > point.changes, let change = changes.popLast() {
            switch change {
            case .registered(let space, let key, let before): space.entries[key] = before
            case .forgotten(let space, let key, let entry): space.entries[key] = entry
            case .read(let undo): undo()
            }
        }
        pending.removeLast(pending.count - point.pending)
    }

    /// Takes back everything.
    func rollback() { rollback(to: Savepoint(changes: 0, pending: 0)) }

    // MARK: Connecting

    /// Sets the relationships of the objects that were read, and of others that waited for them.
    ///
    /// What follows may go on with the same decode, as that of a stream does.
    func commit() {
        if changes.isEmpty, pending.isEmpty { return }
        let (changes, pending) = (changes, pending)
        self.changes = []
        self.pending = []
        if let outer = session.transaction, outer !== self {
            outer.changes += changes
            outer.pending += pending
            return
        }
        for item in pending { connect(item) }
        var touched: [WaitingConnection] = []
        for change in changes {
            guard case .registered(let space, let key, _) = change else { continue }
            for view in session.views.values
            where !view.waiting.isEmpty && view.spaces.contains(where: { $0 === space }) {
                for waiting in view.waiting.removeValue(forKey: key) ?? []
                where !waiting.isCancelled && !waiting.isTouched {
                    waiting.isTouched = true
                    touched.append(waiting)
                }
            }
        }
        for waiting in touched {
            waiting.isTouched = false
            if !waiting.isCancelled { connect(waiting) }
        }
    }

    private func connect(_ item: Pending) {
        guard let first = item.group.connections.first else { return }
        let id = WaitingConnection.ID(source: ObjectIdentifier(item.source), property: first.rule.destination)
        if let old = session.waitingConnections.removeValue(forKey: id) { old.isCancelled = true }
        let connection = item.group.connections.first { $0.rule.condition?(item.source) ?? true }
        guard let connection, item.reset & connection.marks == 0, let keys = connection.rule.read(item.source) else {
            return first.rule.assign(item.source, nil)
        }
        connect(WaitingConnection(item.source, connection, keys, serial: session.nextSerial()), isNew: true)
    }

    /// Sets a relationship to those of its targets that are there, and has it wait for the others.
    private func connect(_ waiting: WaitingConnection, isNew: Bool = false) {
        let view = session.view(waiting.connection.target)
        var targets: [Any] = []
        var missing: [AnyHashable] = []
        for key in waiting.keys {
            if let target = view.model(for: key) { targets.append(target) } else { missing.append(key) }
        }
        if isNew { for key in missing { view.waiting[key, default: []].append(waiting) } }
        session.waitingConnections[waiting.id] = missing.isEmpty ? nil : waiting
        waiting.connection.rule.assign(waiting.source, targets)
    }
}

extension WaitingConnection {
    /// What is still waited for, key by key.
    func unresolved(in session: MappingSession) -> [UnresolvedConnection] {
        let view = session.view(connection.target)
        return keys.filter { view.model(for: $0) == nil }.map { key in
            UnresolvedConnection(
                source: source, destination: connection.rule.name, targetType: connection.rule.targetType,
                key: key.parts)
        }
    }
}
