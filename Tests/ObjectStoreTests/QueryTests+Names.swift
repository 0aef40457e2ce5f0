import ObjectMapping
import Testing

@testable import ObjectStore

/// Entities and attributes whose names have a meaning in SQL.
@Suite struct QueryNameTests {
    final class Node: ManagedObject, Mappable {
        override class var entityName: String { "_1" }

        @Stored(.identity) var key = 0
        @Stored(.indexed) var value = ""
        @Stored var select: Decimal? = nil
        @Stored var `order by`: [String] = []
        @ToOne var rowid: Node?
        @ToMany(inverse: \Node.rowid) var group: [Node]
        @ToOne var table: Table?

        static let mapping = Mapping(Node.self) {
            Attribute("key", \.key)
            Attribute("value", \.value)
            Relationship("table", \.table)
        }
    }

    final class Table: ManagedObject, Mappable {
        override class var entityName: String { #"select "_keys""# }

        @Stored(.identity) var from = ""
        @Stored var json_each = 0
        @ToMany(inverse: \Node.table) var index: [Node]
        @ToMany(inverse: \Keys.where) var join: [Keys]

        static let mapping = Mapping(Table.self) { Attribute("from", \.from) }
    }

    final class Keys: ManagedObject {
        override class var entityName: String { "_keys" }

        @Stored(.identity) var id = 0
        @ToMany var `where`: [Table]
    }

    private func context() throws -> ObjectContext {
        ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Node.self, Table.self, Keys.self)))
    }

    @Test func `Names that are words of SQL or aliases are read, written and queried`() throws {
        let context = try context()
        let table = Table(in: context)
        (table.from, table.json_each) = ("t", 3)
        let keys = (1...2).map { id in
            let keys = Keys(in: context)
            keys.id = id
            keys.where = [table]
            return keys
        }
        var last: Node?
        for key in 1...3 {
            let node = Node(in: context)
            (node.key, node.value, node.select, node.rowid, node.table) = (key, "v\(key)", Decimal(key), last, table)
            node.`order by` = ["a", "b"]
            last = node
        }
        for _ in 1...2 {
            #expect(try context.fetch(Node.where { $0.rowid.rowid.value == "v1" }).map(\.key) == [3])
            #expect(try context.fetch(Node.where { $0.table.json_each == 3 && $0.select > 1 }).count == 2)
            #expect(try context.fetch(Node.where { $0.group.any { $0.group.isEmpty } }).map(\.key) == [2])
            #expect(try context.fetch(Table.where { $0.index.count == 3 && $0.join.count == 2 }) == [table])
            #expect(try context.fetch(Keys.where { $0.where.any { $0.index.any { $0.key == 2 } } }) == keys)
            #expect(try context.fetch(Node.where { $0.value.isIn(["v1", "v2"]) }.sorted(by: \.table?.from)).count == 2)
            try context.save()
        }
        let other = ObjectContext(context.store)
        #expect(try other.fetch(Keys.all.prefetch(\.where)).map { $0.where.map(\.from) } == [["t"], ["t"]])
        #expect(try other.find(Table.self, "t")?.index.map(\.key) == [1, 2, 3])
        let groups = try other.aggregate(Node.all, by: { $0.table.from }) { $0.select.sum() }
        #expect(groups.count == 1 && groups[0].key == "t" && groups[0].values == 6)
        #expect(try other.update(Node.where { $0.table.from == "t" }) { $0.set(\.value, to: "x") } == 3)
        #expect(try other.delete(Keys.where { $0.id == 1 }) == 1)
        #expect(try other.fetch(Table.where { $0.join.count == 1 }).count == 1)
    }

    @Test func `Payloads are mapped and imported into entities with such names`() async throws {
        let store = try context().store
        let payload =
            #"[{"key": 1, "value": "a", "table": {"from": "t"}}, {"key": 2, "value": "b", "table": {"from": "t"}}]"#
        for value in ["a", "d"] {
            let text = payload.replacing("\"a\"", with: "\"\(value)\"")
            let values = try await store.perform { context in
                _ = try context.map(text, with: Node.mapping)
                try context.save()
                return try context.fetch(Node.all).map(\.value)
            }
            #expect(values == [value, "b"])
        }
        let data = Data(payload.replacing("\"a\"", with: "\"c\"").utf8)
        _ = try await store.importJSON(data, with: Node.mapping)
        #expect(try await store.perform { context in try context.fetch(Node.all).map(\.value) } == ["c", "b"])
    }

    @Test(arguments: ["json_each", "JSON_Each", "sqlite_node", "_mappingkit_1", "_MappingKit"])
    func `An entity with a name that statements of the store use is refused by name`(_ name: String) throws {
        let error = #expect(throws: ModelError.self) {
            try ObjectModel(entities: [EntityDescription(name, attributes: [])])
        }
        #expect(error?.problems.map(\.steps.first) == [.key(name)])
    }

    @Test(arguments: ["_1", "_keys", "order", "main", "temp", "pragma", "json_tree", "a.b", "x\"y", "[z]", "?", "é"])
    func `An entity with another name of SQL is stored`(_ name: String) throws {
        let store = try TestStore(
            EntityDescription(name, identifiedBy: ["id"], attributes: [AttributeDescription("id", .init(.integer))]))
        try store.build([])
        #expect(try store.rows("SELECT count(*) FROM \(Schema.quoted(name))") == ["0"])
    }
}
