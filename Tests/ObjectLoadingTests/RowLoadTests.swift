import LoopbackServer
import ObjectLoading
import Synchronization
import Testing

/// The classes of two stores with the same tables: loads write rows for those of the first, and objects for those of the
/// second, which have hooks.
private enum Plain {
    final class Owner: ManagedObject, Mappable {
        @Stored(.identity) var number = 0
        @Stored var name = "nobody"
        @ToMany(inverse: \Item.owner, isOrdered: true) var items: [Item]
        override class var entityName: String { "Owner" }

        static let mapping = Mapping(Owner.self) {
            Attribute("id", \.number)
            Attribute("name", \.name)
            Relationship("items", \.items, Item.mapping)
        }
    }

    final class Item: ManagedObject, Mappable {
        @Stored(.identity) var number = 0
        @Stored var name: String? = nil
        @Stored var amount = 1.5
        @Stored var tags: [String] = []
        @Stored var revision: Int? = nil
        @Stored var ownerNumber: Int? = nil
        @Stored var origin: String? = nil
        @ToOne var owner: Owner?
        override class var entityName: String { "Item" }

        static let mapping = Mapping(Item.self) {
            Attribute("id", \.number)
            Attribute("name", \.name)
            Attribute("amount", \.amount)
            Attribute("tags", \.tags)
            Attribute("revision", \.revision)
            Attribute("owner_id", \.ownerNumber)
            Attribute(.metadata("HTTP.response.headers.X-Origin"), \.origin)
            Connection(\.owner, by: \.ownerNumber)
        }
        .modified(by: \.revision)
    }
}

private enum Hooked {
    final class Owner: ManagedObject, Mappable {
        @Stored(.identity) var number = 0
        @Stored var name = "nobody"
        @ToMany(inverse: \Item.owner, isOrdered: true) var items: [Item]
        override class var entityName: String { "Owner" }
        override func validateForSave() throws {}

        static let mapping = Mapping(Owner.self) {
            Attribute("id", \.number)
            Attribute("name", \.name)
            Relationship("items", \.items, Item.mapping)
        }
    }

    final class Item: ManagedObject, Mappable {
        @Stored(.identity) var number = 0
        @Stored var name: String? = nil
        @Stored var amount = 1.5
        @Stored var tags: [String] = []
        @Stored var revision: Int? = nil
        @Stored var ownerNumber: Int? = nil
        @Stored var origin: String? = nil
        @ToOne var owner: Owner?
        override class var entityName: String { "Item" }
        override func willSave() {}

        static let mapping = Mapping(Item.self) {
            Attribute("id", \.number)
            Attribute("name", \.name)
            Attribute("amount", \.amount)
            Attribute("tags", \.tags)
            Attribute("revision", \.revision)
            Attribute("owner_id", \.ownerNumber)
            Attribute(.metadata("HTTP.response.headers.X-Origin"), \.origin)
            Connection(\.owner, by: \.ownerNumber)
        }
        .modified(by: \.revision)
    }
}

/// Calls of hooks, by their name.
private final class Counted: ManagedObject, Mappable {
    static let calls = Mutex<[String]>([])
    @Stored(.identity) var number = 0
    @Stored var name = ""

    static let mapping = Mapping(Counted.self) {
        Attribute("id", \.number)
        Attribute("name", \.name)
    }

    override func awakeFromInsert() { Self.calls.withLock { $0.append("insert") } }
}

/// Counts its objects.
private final class Created: ManagedObject, Mappable {
    static let count = Atomic(0)
    @Stored(.identity) var number = 0

    static let mapping = Mapping(Created.self) { Attribute("id", \.number) }

    required init() {
        super.init()
        Self.count.add(1, ordering: .relaxed)
    }
}

private final class Shelf: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @ToMany(inverse: \Book.shelf) var books: [Book]

    static let mapping = Mapping(Shelf.self) { Attribute("id", \.number) }
}

/// Counts its objects.
private final class Book: ManagedObject, Mappable {
    static let count = Atomic(0)
    @Stored(.identity) var number = 0
    @Stored var shelfNumber: Int? = nil
    @ToOne var shelf: Shelf?

    static let mapping = Mapping(Book.self) {
        Attribute("id", \.number)
        Attribute("shelf_id", \.shelfNumber)
        Connection(\.shelf, by: \.shelfNumber)
    }

    required init() {
        super.init()
        Self.count.add(1, ordering: .relaxed)
    }
}

@Suite("Loads that write rows")
struct RowLoadTests {
    /// Loads responses one after the other; returns the results and the content of the store.
    private static func load<Owner: ManagedObjectClass & Mappable, Item: ManagedObjectClass & Mappable>(
        _ owners: Owner.Type, _ items: Item.Type, _ bodies: [String], _ policy: MappingReport.Policy
    ) async throws -> [String] {
        let rest = Mutex(bodies)
        let server = try LoopbackServer { _ in
            .json(rest.withLock { $0.removeFirst() }, 200, [Header("X-Origin", "here"), Header("ETag", "\"1\"")])
        }
        let store = try ManagedObjectStore(inMemory: ObjectModel(Owner.self, Item.self))
        let manager = ObjectManager(client: RESTClient(baseURL: server.url), store: store)
        manager.responses.add(Item.mapping, at: "items", path: "/both")
        manager.responses.add(Owner.mapping, at: "owners", path: "/both")
        manager.responses.add(Owner.mapping, path: "/owners")
        manager.responses.add(Item.mapping, path: "/items")
        var found: [String] = []
        for (number, body) in bodies.enumerated() {
            let path = body.hasPrefix("{\"") ? "/both" : body.contains("items") ? "/owners" : "/items"
            do {
                let result = try await manager.load("\(path)?\(number)", policy: policy)
                let keyPaths = result.keyPaths.map(\.description)
                found.append("\(keyPaths) \(result.objectIDs) \(result.report.issues.count)")
            } catch { found.append("\(error)".replacing(/127.0.0.1:\d+/, with: "")) }
        }
        for table in ["Owner", "Item", "_mappingkit_connections"] {
            found += try await store.perform { _ in
                let names = try store.rows(sql: "SELECT name FROM pragma_table_info('\(table)') ORDER BY name")
                    .compactMap { $0.values[0].text }.filter { !$0.hasPrefix("_mappingkit") }
                guard !names.isEmpty else { return [] }
                let columns = names.map { "\"\($0)\"" }.joined(separator: ", ")
                return try store.rows(sql: "SELECT \(columns) FROM \"\(table)\" ORDER BY 1, 2").map {
                    "\(table): \($0.values)"
                }
            }
        }
        return found
    }

    @Test(
        arguments: [
            [#"[{"id": 1, "name": "a"}, {"id": 2, "amount": 2, "tags": ["x", "y"]}]"#],
            [#"[{"id": 1}, {"id": 1, "name": "later"}]"#, #"[{"id": 1, "name": null}]"#],
            [#"[{"id": 1, "owner_id": 7}]"#, #"[{"id": 7, "name": "Ada", "items": [{"id": 1}, {"id": 3}]}]"#],
            [
                #"[{"id": 7, "items": [{"id": 1}, {"id": 3}]}]"#,
                #"[{"id": 7, "items": [{"id": 3}, {"id": 4}, {"id": 1}]}]"#,
            ],
            [#"[{"id": 7, "items": [{"id": 1}]}, {"id": 8, "items": [{"id": 1}]}]"#, #"[{"id": 7, "items": []}]"#],
            [#"[{"id": 1, "revision": 5, "name": "new"}]"#, #"[{"id": 1, "revision": 4, "name": "old"}, {"id": 2}]"#],
            [#"{"items": [{"id": 1, "owner_id": 7}], "owners": [{"id": 7}]}"#, #"{"items": [{"id": 2}]}"#],
            [#"{"items": [], "owners": [{"id": 7}]}"#, #"{"items": null, "owners": {"id": 8}}"#, #"{"x": 1}"#],
            [#"[{"id": 1}, {"id": 2, "amount": "many"}, {"id": 3}]"#, #"[{"id": 3}, {"nothing": 1}]"#],
            [#"[{"id": 1}, null, {"id": 2}]"#, "[]", "null", #"{"#, #"[{"id": 1}"#, #"[{"id": null}]"#],
            [#"[{"id": 1, "id": 2, "name": "twice"}]"#, #"[[{"id": 3}]]"#, #"[{"name": "no identity"}]"#],
            [#"[{"id": 1, "owner_id": 7}, {"id": 2, "owner_id": 7}]"#, #"[{"id": 1, "owner_id": null}]"#],
        ], [MappingReport.Policy.fail, .skipElement, .collect])
    func `A response is written as rows like its objects are saved`(
        _ bodies: [String], _ policy: MappingReport.Policy
    ) async throws {
        let rows = try await Self.load(Plain.Owner.self, Plain.Item.self, bodies, policy)
        #expect(rows == (try await Self.load(Hooked.Owner.self, Hooked.Item.self, bodies, policy)))
    }

    @Test func `Hooks are called for the objects of a response`() async throws {
        let server = try LoopbackServer { _ in .json(#"[{"id": 1}, {"id": 2}]"#) }
        let store = try ManagedObjectStore(inMemory: ObjectModel(Counted.self))
        let manager = ObjectManager(client: RESTClient(baseURL: server.url), store: store)
        manager.responses.add(Counted.mapping, path: "/counted")
        #expect(try await manager.load("/counted").objectIDs.count == 2)
        #expect(Counted.calls.withLock { $0 } == ["insert", "insert"])
    }

    @Test func `A response creates no objects of a class without hooks`() async throws {
        let server = try LoopbackServer { _ in .json(#"[{"id": 1}, {"id": 2}]"#) }
        let store = try ManagedObjectStore(inMemory: ObjectModel(Created.self))
        let manager = ObjectManager(client: RESTClient(baseURL: server.url), store: store)
        manager.responses.add(Created.mapping, path: "/created")
        let before = Created.count.load(ordering: .relaxed)
        #expect(try await manager.load("/created").objectIDs.count == 2)
        #expect(Created.count.load(ordering: .relaxed) == before)
        #expect(try await manager.load("/created").objects(of: Created.self, in: ObjectContext(store)).count == 2)
    }

    @Test func `A load that prunes writes rows, and keeps the objects to which they are connected`() async throws {
        let all =
            #"{"books": [\#((1...9).map { #"{"id": \#($0), "shelf_id": \#($0 % 4)}"# }.joined(separator: ", "))], "#
            + #""shelves": [{"id": 0}, {"id": 1}, {"id": 2}, {"id": 3}]}"#
        let rest = Mutex([
            all, #"{"books": [{"id": 1, "shelf_id": 1}, {"id": 2, "shelf_id": 2}, {"id": 6}], "shelves": [{"id": 3}]}"#,
        ])
        let server = try LoopbackServer { _ in .json(rest.withLock { $0.removeFirst() }) }
        let store = try ManagedObjectStore(inMemory: ObjectModel(Shelf.self, Book.self))
        let manager = ObjectManager(client: RESTClient(baseURL: server.url), store: store)
        manager.responses.add(Shelf.mapping, at: "shelves", path: "/all")
        manager.responses.add(Book.mapping, at: "books", path: "/all")
        manager.offline.add("/all") { _ in [Shelf.all, Book.all] }
        _ = try await manager.load("/all")
        let before = Book.count.load(ordering: .relaxed)
        let result = try await manager.load("/all", pruning: .scope(upTo: 1))
        // Only those that are deleted are read.
        #expect(Book.count.load(ordering: .relaxed) == before + 6)
        #expect(result.deleted.filter { $0.entity == "Book" }.count == 6 && result.deleted.count == 7)
        let left = try await store.perform { context in
            let books = try context.fetch(Book.all.sorted(by: \.number)).map { [$0.number, $0.shelf?.number ?? -1] }
            return (books, try context.fetch(Shelf.all.sorted(by: \.number)).map(\.number))
        }
        #expect(left.0 == [[1, 1], [2, 2], [6, 2]] && left.1 == [1, 2, 3])
    }

    @Test func `Rows that others commit during the request are saved as objects, and keep their values`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Plain.Owner.self, Plain.Item.self))
        let gate = Gate()
        let server = try LoopbackServer { _ in
            gate.wait()
            return .json(#"[{"id": 1, "name": "server"}, {"id": 2, "name": "server"}]"#)
        }
        let manager = ObjectManager(client: RESTClient(baseURL: server.url), store: store)
        manager.responses.add(Plain.Item.mapping, path: "/items")
        async let load = manager.load("/items")
        await gate.arrival()
        try await store.perform { context in
            let item = context.insert(Plain.Item.self)
            (item.number, item.name) = (1, "here")
            try context.save()
        }
        gate.open()
        #expect(try await load.objectIDs.count == 2)
        let names = try await store.perform { try $0.fetch(Plain.Item.all.sorted(by: \.number)).map(\.name) }
        #expect(names == ["here", "server"])
    }
}
