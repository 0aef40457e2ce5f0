import ObjectMapping

/// The objects of a database that one thread uses.
final class Context {
    struct LinkID: Hashable {
        let source: Int
        let name: String
    }

    /// A call that throws, for tests of failures.
    struct Fault {
        enum Call { case begin, find, add, update, replace, connect, commit }

        let call: Call
        /// The number of the call within a decode, from 1.
        var number = 1
        /// The number of the decode, from 1; nil for each.
        var decode: Int?
    }

    let database: Database
    let schema: [Entity]
    var requiresIdentity = true
    /// Whether a decode saves its changes.
    var savesOnCommit = true
    /// Whether undo uses the copies of the engine instead of those of the entity.
    var usesKeptState = false
    /// Whether objects that are removed from a relationship are deleted.
    var deletesOrphans = true
    var fault: Fault? { didSet { decodes = 0 } }

    private(set) var objects: [Int: AnyObject] = [:]
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var slots: [Database.Slot: Int] = [:]
    private var versions: [Int: Int] = [:]
    private(set) var changed: Set<Int> = []
    private var deleted: Set<Int> = []
    private(set) var links: [LinkID: Database.Link] = [:]
    /// Objects that were removed from a relationship, and are deleted unless another one contains them.
    private var orphans: [Int] = []
    private var undo: [() -> Void] = []
    private var isInUse = false
    private var order = 0
    private var decodes = 0
    private var counts: [Fault.Call: Int] = [:]

    init(_ database: Database, _ schema: [Entity] = models, loadsAll: Bool = false) {
        self.database = database
        self.schema = schema
        guard loadsAll else { return }
        for number in database.numbers(where: { _ in true }) where objects[number] == nil { _ = load(number) }
    }

    // MARK: Objects

    /// Returns the object with a key; nil if there is none.
    func object<Model: Stored, Key: Hashable>(_: Model.Type, _ key: Key) -> Model? {
        ObjectKey(key).flatMap { object(Database.Slot(entity: "\(Model.self)", key: $0)) as? Model }
    }

    func object<Model: Stored>(_: Model.Type, parts: [ObjectKey]) -> Model? {
        object(Database.Slot(entity: "\(Model.self)", key: .compound(parts))) as? Model
    }

    private func object(_ slot: Database.Slot) -> AnyObject? {
        if let number = slots[slot] { return objects[number] }
        return database.number(of: slot).flatMap { objects[$0] == nil ? load($0) : nil }
    }

    private func object(_ key: ObjectKey, of kind: ObjectKind) -> AnyObject? {
        for entity in schema where kind.accepts(entity.type) {
            if entity.isIdentified(like: kind) {
                if let object = object(Database.Slot(entity: entity.name, key: key)) { return object }
                continue
            }
            for number in database.numbers(where: { $0.entity.name == entity.name }) where objects[number] == nil {
                _ = load(number)
            }
            let found = objects.values.first {
                type(of: $0) == entity.type && ObjectDatabaseTests.key(of: $0, by: kind.properties) == key
            }
            if let found { return found }
        }
        return nil
    }

    /// Creates the object of a row, and the objects that it refers to.
    private func load(_ number: Int) -> AnyObject? {
        guard !deleted.contains(number), let row = database[number] else { return nil }
        let object = row.entity.type.init()
        objects[number] = object
        numbers[ObjectIdentifier(object)] = number
        row.slot.map { slots[$0] = number }
        versions[number] = row.version
        for (column, value) in zip(row.entity.columns, row.values) { column.write(object, value) }
        for (name, link) in row.links { links[LinkID(source: number, name: name)] = link }
        for (relation, targets) in zip(row.entity.relations, row.targets) {
            relation.write(object, targets.compactMap { objects[$0] ?? load($0) })
        }
        return object
    }

    private func entity(of object: AnyObject) throws -> Entity {
        guard let entity = schema.first(where: { $0.type == type(of: object) }) else {
            throw ValidationFailure("the database has no entity for \(type(of: object))")
        }
        return entity
    }

    // MARK: Changes

    /// Sets a property of the context; a rollback restores it.
    private func set<Value>(_ property: ReferenceWritableKeyPath<Context, Value>, to value: Value) {
        let old = self[keyPath: property]
        undo.append { [unowned self] in self[keyPath: property] = old }
        self[keyPath: property] = value
    }

    private func willChange(_ object: AnyObject, _ number: Int, keepState: (() -> () -> Void)? = nil) throws {
        let restore = try keepState.flatMap { usesKeptState ? $0() : nil } ?? entity(of: object).state(of: object)
        undo.append(restore)
        if !changed.contains(number) { set(\.changed, to: changed.union([number])) }
    }

    private func insert(_ object: AnyObject, _ key: ObjectKey?) throws {
        let entity = try entity(of: object)
        let number = database.nextNumber()
        if let key {
            let slot = Database.Slot(entity: entity.name, key: key)
            guard self.object(slot) == nil else { throw ValidationFailure("another \(entity.name) has the same key") }
            set(\.slots[slot], to: number)
        }
        set(\.objects[number], to: object)
        set(\.numbers[ObjectIdentifier(object)], to: number)
        set(\.changed, to: changed.union([number]))
    }

    private func delete(_ object: AnyObject, _ number: Int) throws {
        for slot in slots.filter({ $0.value == number }).keys { set(\.slots[slot], to: nil) }
        for id in links.keys where id.source == number { set(\.links[id], to: nil) }
        set(\.objects[number], to: nil)
        set(\.numbers[ObjectIdentifier(object)], to: nil)
        set(\.deleted, to: deleted.union([number]))
        set(\.changed, to: changed.union([number]))
    }

    private func deleteOrphans() throws {
        for number in orphans where deletesOrphans {
            guard let object = objects[number] else { continue }
            // A real database would query the unloaded rows that refer to it.
            let isHeld = try objects.values.contains { holder in
                try entity(of: holder).relations.contains { $0.read(holder).contains { $0 === object } }
            }
            if !isHeld { try delete(object, number) }
        }
        set(\.orphans, to: [])
    }

    private func connect(_ object: AnyObject, _ number: Int, _ link: Database.Link) throws {
        let targets = link.keys.map { self.object($0, of: link.connection.target) }
        try willChange(object, number)
        link.connection.assign(targets.compactMap(\.self), to: object)
        let id = LinkID(source: number, name: link.connection.name)
        set(\.links[id], to: targets.contains { $0 == nil } ? link : nil)
    }

    /// Connects pending connections to existing objects.
    private func connectPending() throws {
        for number in database.numbers(where: { !$0.links.isEmpty }) where objects[number] == nil { _ = load(number) }
        for (id, link) in links {
            guard let source = objects[id.source] else { continue }
            let count = link.keys.count { object($0, of: link.connection.target) != nil }
            if count > 0 { try connect(source, id.source, link) }
        }
    }

    // MARK: Saving

    /// Saves all changes in the database, or none of them.
    func save() throws {
        var changes = Database.Changes()
        for number in changed {
            changes.versions[number] = versions[number]
            changes.rows[number] = .some(try objects[number].map { try row(of: $0, number) })
        }
        try database.save(changes)
        for number in changed { versions[number] = deleted.contains(number) ? nil : (versions[number] ?? 0) + 1 }
        changed = []
        deleted = []
        undo = []
    }

    private func row(of object: AnyObject, _ number: Int) throws -> Database.Row {
        let entity = try entity(of: object)
        let own = links.filter { $0.key.source == number }.map { ($0.key.name, $0.value) }
        return Database.Row(
            entity: entity, key: slots.first { $0.value == number }?.key.key,
            values: entity.columns.map { $0.read(object) },
            targets: entity.relations.map { $0.read(object).compactMap { numbers[ObjectIdentifier($0)] } },
            links: Dictionary(uniqueKeysWithValues: own))
    }

    private func check(_ call: Fault.Call) throws {
        counts[call, default: 0] += 1
        guard let fault, fault.call == call, fault.number == counts[call], fault.decode ?? decodes == decodes else {
            return
        }
        throw ValidationFailure("disk full")
    }
}

extension Context: MappingDataSource {
    func begin() throws {
        guard !isInUse else { throw ValidationFailure("the context is in use by another decode") }
        counts = [:]
        decodes += 1
        try check(.begin)
        isInUse = true
    }

    func end() { isInUse = false }

    func find(_ key: ObjectKey, of kind: ObjectKind) throws -> AnyObject? {
        try check(.find)
        guard let found = object(key, of: kind) else { return nil }
        if let number = numbers[ObjectIdentifier(found)], orphans.contains(number) {
            set(\.orphans, to: orphans.filter { $0 != number })
        }
        return found
    }

    func add(_ object: AnyObject, _ key: ObjectKey?, of kind: ObjectKind, order: Int) throws {
        try check(.add)
        try insert(object, key)
    }

    func nextOrder() -> Int {
        order += 1
        return order
    }

    func willUpdate(
        _ object: AnyObject, of kind: ObjectKind, isNewer: Bool, keepState: () -> () -> Void
    ) throws -> Bool {
        try check(.update)
        guard isNewer else { return false }
        guard let number = numbers[ObjectIdentifier(object)] else {
            throw ValidationFailure("the object belongs to another context")
        }
        // It does not escape this call: the copy is created now.
        try withoutActuallyEscaping(keepState) { try willChange(object, number, keepState: $0) }
        return true
    }

    func didUpdate(_ object: AnyObject, of kind: ObjectKind, _ change: IdentityChange) throws {
        guard let number = numbers[ObjectIdentifier(object)], change.old != change.new else { return }
        let entity = try entity(of: object)
        if let new = change.new {
            let slot = Database.Slot(entity: entity.name, key: new)
            guard self.object(slot) == nil else { throw ValidationFailure("another \(entity.name) has the same key") }
            set(\.slots[slot], to: number)
        }
        if let old = change.old { set(\.slots[Database.Slot(entity: entity.name, key: old)], to: nil) }
    }

    func didReplace(_ old: [AnyObject], in object: AnyObject, at property: AnyKeyPath) throws {
        try check(.replace)
        set(\.orphans, to: orphans + old.compactMap { numbers[ObjectIdentifier($0)] })
    }

    func connect(_ object: AnyObject, _ connection: ObjectConnection, _ keys: [ObjectKey]?) throws {
        try check(.connect)
        guard let number = numbers[ObjectIdentifier(object)] else {
            throw ValidationFailure("the object belongs to another context")
        }
        if let keys { return try connect(object, number, Database.Link(connection: connection, keys: keys)) }
        try willChange(object, number)
        connection.assign(nil, to: object)
        set(\.links[LinkID(source: number, name: connection.name)], to: nil)
    }

    func savepoint() -> Int { undo.count }

    func rollback(to savepoint: Int) { while undo.count > savepoint { undo.removeLast()() } }

    func commit() throws {
        try check(.commit)
        try connectPending()
        try deleteOrphans()
        if savesOnCommit { try save() }
        undo = []
    }
}

extension Context: CustomStringConvertible {
    /// The content of the context and its database, for comparisons.
    var description: String {
        let loaded = objects.sorted { $0.key < $1.key }.map { number, object in
            let entity = schema.first { $0.type == type(of: object) }
            let values = entity?.columns.map { "\($0.read(object))" } ?? []
            let targets = entity?.relations.map { $0.read(object).map { numbers[ObjectIdentifier($0)] ?? -1 } } ?? []
            return "#\(number) \(values) \(targets)"
        }
        let waiting = links.map { "\($0.key.source) \($0.key.name) \($0.value.keys)" }.sorted()
        return
            "\(loaded)\n\(waiting)\n\(changed.sorted()) \(deleted.sorted()) \(slots.count) \(numbers.count)\n\(database)"
    }
}
