import ObjectMapping

extension Context {
    /// A call that throws, for tests of failures.
    struct Fault {
        enum Call { case begin, find, add, update, replace, connect, commit }

        let call: Call
        /// The number of the call within a decode, from 1.
        var number = 1
        /// The number of the decode, from 1; nil for each.
        var decode: Int?
    }

    /// The decodes of a context.
    struct Progress {
        var isDecoding = false
        var decodes = 0
        var order = 0
        /// The calls of the current decode, counted if one of them has to fail.
        var calls: [Fault.Call: Int] = [:]
    }

    private func check(_ call: Fault.Call) throws {
        guard let fault else { return }
        progress.calls[call, default: 0] += 1
        guard fault.call == call, fault.number == progress.calls[call],
            fault.decode ?? progress.decodes == progress.decodes
        else { return }
        throw ValidationFailure("disk full")
    }
}

extension Context: MappingDataSource {
    func begin() throws {
        guard !progress.isDecoding else { throw ValidationFailure("the context is in use by another decode") }
        progress.calls = [:]
        progress.decodes += 1
        try check(.begin)
        progress.isDecoding = true
    }

    func end() { progress.isDecoding = false }

    func find(_ key: ObjectKey, of kind: ObjectKind) throws -> AnyObject? {
        try check(.find)
        guard let found = item(key, of: kind) else { return nil }
        setOrphan(found, to: false)
        return found.object
    }

    func add(_ object: AnyObject, _ key: ObjectKey?, of kind: ObjectKind, order: Int) throws {
        try check(.add)
        try insert(object, key)
    }

    func nextOrder() -> Int {
        progress.order += 1
        return progress.order
    }

    func willUpdate(
        _ object: AnyObject, of kind: ObjectKind, isNewer: Bool, keepState: () -> () -> Void
    ) throws -> Bool {
        try check(.update)
        guard isNewer else { return false }
        let item = try knownItem(object)
        // It does not escape this call: the copy is created now.
        withoutActuallyEscaping(keepState) { willChange(item, keepState: $0) }
        return true
    }

    func didUpdate(_ object: AnyObject, of kind: ObjectKind, _ change: IdentityChange) throws {
        guard let item = items[ObjectIdentifier(object)], let key = change.new, change.old != key else { return }
        try requireUnused(key, in: item.table)
        setKey(of: item, to: key)
    }

    func didReplace(_ old: [AnyObject], in object: AnyObject, at property: AnyKeyPath) throws {
        try check(.replace)
        for item in old.compactMap({ items[ObjectIdentifier($0)] }) {
            setOrphan(item, to: true)
            orphans.append(item)
        }
    }

    func connect(_ object: AnyObject, _ connection: ObjectConnection, _ keys: [ObjectKey]?) throws {
        try check(.connect)
        let item = try knownItem(object)
        if let keys { return connect(item, Database.Link(connection: connection, keys: keys)) }
        willChange(item)
        connection.assign(nil, to: object)
        setLink(nil, connection.name, of: item)
    }

    func savepoint() -> Int { undo.count }

    func rollback(to savepoint: Int) { while undo.count > savepoint { undoLast() } }

    func commit() throws {
        try check(.commit)
        connectPending()
        deleteOrphans()
        orphans = []
        if savesOnCommit { try save() }
        undo = []
    }
}

extension Context: CustomStringConvertible {
    /// The content of the context and its database, for comparisons.
    var description: String {
        let known = items.values.sorted { $0.number < $1.number }.map { item in
            let row = row(of: item)
            let links = row.links.map { "\($0.key) \($0.value.keys)" }.sorted()
            let key = item.key.map { "\($0)" } ?? ""
            return "#\(item.number) \(key) \(row.values) \(row.targets) \(links) \(item.isChanged) \(item.isOrphan)"
        }
        let keys = tables.map { "\($0.entity.name) \($0.items.count)" }
        return "\(known)\n\(keys) \(waiting.count)\n\(changedItems.map(\.number)) \(deleted.keys.sorted())\n\(database)"
    }
}
