extension MappingSession {
    /// A change to the session by a decode, to be undone if it fails.
    enum Change {
        /// Entries of a space, by its number, received models in the order of their indexes.
        case added(space: Int, Range<Int>)
        /// The model of an entry was removed or replaced.
        indirect case removed(IdentitySpace, Int, IdentitySpace.Entry)
        case updated(AnyObject, restore: () -> Void)
    }

    /// The spaces of the objects of one kind.
    final class Location {
        /// Retained, because another kind could otherwise reuse its address.
        let kind: ObjectKind
        let space: IdentitySpace
        let view: IdentityView

        init(_ kind: ObjectKind, _ session: MappingSession) {
            self.kind = kind
            space = session.space(kind)
            view = session.view(kind)
        }
    }

    @inline(__always) private func withLocation<Result>(_ kind: ObjectKind, _ body: (Location) -> Result) -> Result {
        if let last = lastLocation, last.with({ $0.kind === kind }) { return last.with(body) }
        return findLocation(kind).with(body)
    }

    @inline(never) private func findLocation(_ kind: ObjectKind) -> Borrowed<Location> {
        let location = locations[ObjectIdentifier(kind)] ?? Location(kind, self)
        locations[ObjectIdentifier(kind)] = location
        let found = Borrowed(location)
        lastLocation = found
        return found
    }

    func forgetLocations() {
        lastLocation = nil
        locations = [:]
    }
}

extension MappingSession: MappingDataSource {
    package var requiresIdentity: Bool { false }

    package func begin() throws {
        guard !isInUse else {
            throw MappingError(
                .payload(
                    .dataSource,
                    "a MappingSession that is not in use (conversions, validations and property "
                        + "observers need a separate one)", "a session in use"))
        }
        isInUse = true
    }

    package func end() {
        isInUse = false
        forgetLocations()
        if removesAllLater { return removeAll() }
        if changes.isEmpty { for space in spaces { space.compact() } }
    }

    package func find(_ key: ObjectKey, of kind: ObjectKind) -> AnyObject? {
        withLocation(kind) { location in
            let index = location.space.index(of: key)
            let model = location.space.entries[index].model
            return model == nil && location.view.spaces.count > 1 ? location.view.model(for: key) : model
        }
    }

    package func add(_ object: AnyObject, _ key: ObjectKey?, of kind: ObjectKind, order: Int) {
        if let key { withLocation(kind) { add(object, key, to: $0.space, serial: order) } }
    }

    private func add(_ object: AnyObject, _ key: ObjectKey, to space: IdentitySpace, serial: Int) {
        let index = space.index(of: key)
        if space.entries[index].model == nil {
            space.setModel(object, at: index, serial: serial)
        } else {
            let old = space.entries[index]
            note(.removed(space, index, old))
            space.setModel(object, at: index, serial: old.serial)
        }
        if case .added(space.number, let indexes)? = changes.last, indexes.upperBound == index {
            changes[changes.count - 1] = .added(space: space.number, indexes.lowerBound..<index + 1)
            changeCount += 1
        } else {
            note(.added(space: space.number, index..<index + 1))
        }
    }

    private func note(_ change: Change) {
        changes.append(change)
        changeCount += 1
    }

    package func nextOrder() -> Int { nextSerial() }

    package func willUpdate(
        _ object: AnyObject, of kind: ObjectKind, isNewer: Bool, keepState: () -> () -> Void
    ) -> Bool {
        if isNewer { note(.updated(object, restore: keepState())) }
        return isNewer
    }

    package func didUpdate(_ object: AnyObject, of kind: ObjectKind, _ change: IdentityChange) throws {
        var key = change.isComplete ? change.new : nil
        var serial = change.order
        if let old = change.old, old != change.new {
            let spaces = spaces(holding: object, by: old, like: kind)
            // The payload may contain a part of a compound identity.
            if key == nil, !spaces.isEmpty { key = change.new }
            if let key, isTaken(key, besides: object, in: spaces, kind) {
                throw MappingError(
                    MappingIssue(
                        kind: .invalidValue, path: "$", expected: "a unique identity",
                        found: "the identity of another \(kind.type) of the session"))
            }
            for space in spaces { serial = move(old, to: key, in: space, kind) ?? serial }
        }
        if let key, find(key, of: kind) == nil { add(object, key, of: kind, order: serial) }
    }

    /// Returns the spaces that contain an object by a key: those of its class's mapping, or of a superclass.
    private func spaces(holding object: AnyObject, by key: ObjectKey, like kind: ObjectKind) -> [IdentitySpace] {
        spaces.filter { $0.kind.isLike(kind) && $0.model(for: key) === object }
    }

    /// Whether the new key of an object belongs to another one; false for an object without a space.
    private func isTaken(
        _ key: ObjectKey, besides object: AnyObject, in spaces: [IdentitySpace], _ kind: ObjectKind
    ) -> Bool {
        guard !spaces.isEmpty else { return false }
        let holders = [find(key, of: kind)] + spaces.map { $0.model(for: key) }
        return holders.contains { $0.map { $0 !== object } ?? false }
    }

    /// Changes or removes the key of an object.
    ///
    /// The object loses its key in the space of a superclass, whose objects the mapping of its class finds.
    ///
    /// - Returns: The position of the object's first appearance; `nil` if the old key is unknown.
    private func move(_ old: ObjectKey, to new: ObjectKey?, in space: IdentitySpace, _ kind: ObjectKind) -> Int? {
        let index = space.index(of: old)
        let entry = space.entries[index]
        guard let model = entry.model else { return nil }
        space.setModel(nil, at: index, serial: entry.serial)
        note(.removed(space, index, entry))
        if let new, withLocation(kind, { $0.view.spaces.contains { $0 === space } }) {
            add(model, new, to: space, serial: entry.serial)
        }
        return entry.serial
    }

    /// Objects that were removed from a relationship stay in the session.
    package func didReplace(_ old: [AnyObject], in object: AnyObject, at property: AnyKeyPath) {}

    // MARK: Connections

    package func connect(_ object: AnyObject, _ connection: ObjectConnection, _ keys: [ObjectKey]?) {
        let id = WaitingConnection.ID(source: ObjectIdentifier(object), property: connection.destination)
        if let old = waitingConnections.removeValue(forKey: id) { old.isCancelled = true }
        guard let keys else { return connection.assign(nil, to: object) }
        connect(WaitingConnection(object, connection, keys, serial: nextSerial()), isNew: true)
    }

    /// Sets a relationship to its known targets, and makes it wait for the others.
    private func connect(_ waiting: WaitingConnection, isNew: Bool = false) {
        let view = view(waiting.connection.target)
        examine(view)
        var targets: [AnyObject] = []
        var missing: [ObjectKey] = []
        for key in waiting.keys {
            if let target = view.model(for: key) { targets.append(target) } else { missing.append(key) }
        }
        if isNew { for key in missing { view.waiting[key, default: []].append(waiting) } }
        waitingConnections[waiting.id] = missing.isEmpty ? nil : waiting
        waiting.connection.assign(targets, to: waiting.source)
    }

    // MARK: Transactions

    package func savepoint() -> Int { changeCount }

    package func rollback(to savepoint: Int) {
        while changeCount > savepoint, let change = changes.popLast() {
            changeCount -= 1
            switch change {
            case .added(let number, let indexes):
                let last = indexes.upperBound - 1
                spaces[number].setModel(nil, at: last, serial: 0)
                if indexes.count > 1 { changes.append(.added(space: number, indexes.lowerBound..<last)) }
            case .removed(let space, let index, let entry): space.setModel(entry.model, at: index, serial: entry.serial)
            case .updated(_, let restore): restore()
            }
        }
        for view in views.values where view.kind.isMatching { view.removeModels() }
    }

    /// Adds the models that a decode added or changed to a view of other properties than the identity.
    private func examine(_ view: IdentityView) {
        guard view.kind.isMatching else { return }
        defer { view.examinedCount = changes.count }
        guard view.addAll() else { return }
        for change in changes[view.examinedCount...] {
            switch change {
            case .added(let number, let indexes):
                for index in indexes { if let model = spaces[number].entries[index].model { view.add(model) } }
            case .removed(_, _, let entry): if let model = entry.model { view.remove(model) }
            case .updated(let model, _): view.add(model)
            }
        }
    }

    package func commit() {
        let matching = views.values.filter(\.kind.isMatching)
        for view in matching { examine(view) }
        let changes = changes
        self.changes = []
        changeCount = 0
        let waitingViews = views.values.filter { !$0.waiting.isEmpty && !$0.kind.isMatching }
        var touched: [WaitingConnection] = []
        func touch(_ key: ObjectKey, _ views: [IdentityView]) {
            for waiting in views.flatMap({ $0.waiting.removeValue(forKey: key) ?? [] })
            where !waiting.isCancelled && !waiting.isTouched {
                waiting.isTouched = true
                touched.append(waiting)
            }
        }
        for view in matching { for key in view.takeArrived() { touch(key, [view]) } }
        for change in waitingViews.isEmpty ? [] : changes {
            guard case .added(let number, let indexes) = change else { continue }
            let space = spaces[number]
            let views = waitingViews.filter { $0.spaces.contains { $0 === space } }
            for key in views.isEmpty ? [] : space.entries[indexes].map(\.key) { touch(key, views) }
        }
        for waiting in touched {
            waiting.isTouched = false
            if !waiting.isCancelled { connect(waiting) }
        }
    }
}
