import ObjectMapping

/// The objects of a database that one thread uses.
final class Context {
    /// What a context knows of an object.
    final class Item {
        let object: AnyObject
        let number: Int
        let table: Table
        var key: ObjectKey?
        /// The version of the row that was loaded; nil for a new object.
        var version: Int?
        /// Relationships with missing targets, by name.
        var links: [String: Database.Link] = [:]
        var isChanged = false
        /// Whether it was removed from a relationship; it is deleted unless another object refers to it.
        var isOrphan = false

        init(_ object: AnyObject, _ number: Int, _ table: Table) {
            (self.object, self.number, self.table) = (object, number, table)
        }
    }

    /// How a change is undone.
    enum Undo {
        case insert(Item)
        case other(() -> Void)
    }

    /// The objects of an entity that have a key.
    final class Table {
        let entity: Entity
        var items: [ObjectKey: Item] = [:]

        init(_ entity: Entity) { self.entity = entity }
    }

    /// The tables with objects of a kind, and whether their keys are those of the kind.
    private typealias KindTables = [(table: Table, isIdentified: Bool)]

    let database: Database
    var requiresIdentity = true
    /// Whether a decode saves its changes.
    var savesOnCommit = true
    /// Whether undo uses the copies of the engine instead of those of the entity.
    var usesKeptState = false
    /// Whether objects that are removed from a relationship are deleted.
    var deletesOrphans = true
    var fault: Fault? { didSet { progress.decodes = 0 } }

    let tables: [Table]
    let tablesOfTypes: [ObjectIdentifier: Table]
    private var tablesOfKinds: [ObjectIdentifier: KindTables] = [:]
    private var lastKind: (kind: ObjectKind, tables: KindTables)?
    private var index: [ObjectIdentifier: Item] = [:]
    /// New objects that are not in the index yet: most of them are only found by their key.
    var unindexed: [Item] = []
    /// The objects with a row in the database.
    var loaded: [Int: Item] = [:]
    var changedItems: [Item] = []
    var deleted: [Int: Item] = [:]
    var waiting: [ObjectIdentifier: Item] = [:]
    var orphans: [Item] = []
    var undo: [Undo] = []
    var progress = Progress()

    init(_ database: Database, _ schema: [Entity] = models, loadsAll: Bool = false) {
        self.database = database
        tables = schema.map(Table.init)
        tablesOfTypes = Dictionary(uniqueKeysWithValues: tables.map { (ObjectIdentifier($0.entity.type), $0) })
        guard loadsAll else { return }
        for number in database.numbers() { _ = load(number) }
    }

    // MARK: Objects

    var items: [ObjectIdentifier: Item] {
        for item in unindexed { index[ObjectIdentifier(item.object)] = item }
        unindexed = []
        return index
    }

    var objects: [AnyObject] { items.values.sorted { $0.number < $1.number }.map(\.object) }
    var changedCount: Int { changedItems.count + deleted.count }
    var linkCount: Int { waiting.values.reduce(0) { $0 + $1.links.count } }

    /// Returns the object with a key; nil if there is none.
    func object<Model: Stored, Key: Hashable>(_: Model.Type, _ key: Key) -> Model? {
        ObjectKey(key).flatMap { object(Model.self, parts: [$0]) }
    }

    func object<Model: Stored>(_: Model.Type, parts: [ObjectKey]) -> Model? {
        guard let table = tablesOfTypes[ObjectIdentifier(Model.self)], let key = ObjectKey(parts: parts) else {
            return nil
        }
        return item(key, in: table)?.object as? Model
    }

    func entity(of object: AnyObject) throws -> Entity { try table(of: object).entity }

    func item(_ key: ObjectKey, in table: Table) -> Item? {
        if let item = table.items[key] { return item }
        guard let number = database.number(of: key, in: table.entity) else { return nil }
        return loaded[number] == nil ? load(number) : nil
    }

    func item(_ key: ObjectKey, of kind: ObjectKind) -> Item? {
        for (table, isIdentified) in tables(of: kind) {
            if isIdentified {
                if let item = item(key, in: table) { return item }
                continue
            }
            for number in database.numbers(of: table.entity) { _ = load(number) }
            let found = items.values.first {
                $0.table === table && ObjectDatabaseTests.key(of: $0.object, by: kind.properties) == key
            }
            if let found { return found }
        }
        return nil
    }

    private func tables(of kind: ObjectKind) -> KindTables {
        if let lastKind, lastKind.kind === kind { return lastKind.tables }
        let tables =
            tablesOfKinds[ObjectIdentifier(kind)]
            ?? tables.filter { kind.accepts($0.entity.type) }.map { ($0, $0.entity.isIdentified(like: kind)) }
        tablesOfKinds[ObjectIdentifier(kind)] = tables
        lastKind = (kind, tables)
        return tables
    }

    func table(of object: AnyObject) throws -> Table {
        guard let table = tablesOfTypes[ObjectIdentifier(type(of: object))] else {
            throw ValidationFailure("the database has no entity for \(type(of: object))")
        }
        return table
    }

    /// Creates the object of a row, and the objects that it refers to.
    func load(_ number: Int) -> Item? {
        if let known = loaded[number] { return known }
        guard deleted[number] == nil, let row = database[number],
            let table = tablesOfTypes[ObjectIdentifier(row.entity.type)]
        else { return nil }
        let item = Item(row.entity.type.init(), number, table)
        (item.key, item.version, item.links) = (row.key, row.version, row.links)
        loaded[number] = item
        register(item)
        for (column, value) in zip(row.entity.columns, row.values) { column.write(item.object, value) }
        for (relation, targets) in zip(row.entity.relations, row.targets) {
            relation.write(item.object, targets.compactMap { load($0)?.object })
        }
        return item
    }

    func register(_ item: Item) {
        unindexed.append(item)
        if let key = item.key { item.table.items[key] = item }
        if !item.links.isEmpty { waiting[ObjectIdentifier(item.object)] = item }
    }

    func remove(_ item: Item) {
        if unindexed.last === item {
            unindexed.removeLast()
        } else {
            _ = items
            index[ObjectIdentifier(item.object)] = nil
        }
        if let key = item.key { item.table.items[key] = nil }
        waiting[ObjectIdentifier(item.object)] = nil
    }

    // MARK: Saving

    /// Saves all changes in the database, or none of them.
    func save() throws {
        try database.save(
            changedItems.map { item in
                Database.Change(
                    number: item.number, version: item.version, row: deleted[item.number] == nil ? row(of: item) : nil)
            })
        for item in changedItems {
            item.isChanged = false
            guard deleted[item.number] == nil else { continue }
            item.version = (item.version ?? 0) + 1
            loaded[item.number] = item
        }
        changedItems = []
        deleted = [:]
        undo = []
    }

    func row(of item: Item) -> Database.Row {
        let entity = item.table.entity
        return Database.Row(
            entity: entity, key: item.key, values: entity.columns.map { $0.read(item.object) },
            targets: entity.relations.map { $0.read(item.object).compactMap { items[ObjectIdentifier($0)]?.number } },
            links: item.links)
    }
}
