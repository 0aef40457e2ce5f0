import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

private final class Client: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored var name = ""
    @ToMany(inverse: \Order.client) var orders: [Order]

    static let mapping = Mapping(Client.self) {
        Attribute("id", \.number)
        Attribute("name", \.name)
    }
}

private final class Order: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored var title = ""
    @Stored var clientNumber: Int? = nil
    @Stored var slugs: [String] = []
    @ToOne var client: Client?
    @ToMany(inverse: \Tag.orders) var tags: [Tag]

    static let mapping = Mapping(Order.self) {
        Attribute("id", \.number)
        Attribute("title", \.title)
        Attribute("client", \.clientNumber)
        Attribute("tags", \.slugs)
        Connection(\.client, by: \.clientNumber)
        Connection(\.tags, by: \.slugs)
    }
}

private final class Tag: ManagedObject, Mappable {
    @Stored(.identity) var slug = ""
    @ToMany var orders: [Order]

    static let mapping = Mapping(Tag.self) { Attribute("slug", \.slug) }
}

/// Which objects an observation returns as updated.
@Suite struct `Objects of observed queries are updated` {
    private let store: ManagedObjectStore
    private let context: ObjectContext

    /// The clients 1 to 3, the tags a to c, and the orders 10 of client 1 with the tag a and 11 of the missing client 4.
    init() async throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Client.self, Order.self, Tag.self))
        context = ObjectContext(store)
        try await load(#"[{"id":1},{"id":2},{"id":3}]"#, Client.mapping)
        try await load(#"[{"slug":"a"},{"slug":"b"},{"slug":"c"}]"#, Tag.mapping)
        try await load(#"[{"id":10,"client":1,"tags":["a"]},{"id":11,"client":4}]"#, Order.mapping)
    }

    private func load<Model: ManagedObjectClass>(_ payload: String, _ mapping: Mapping<Model>) async throws {
        _ = try await store.importJSON(Data(payload.utf8), with: mapping)
    }

    /// A change of orders, and the positions of the clients whose lists it changes.
    enum Writer: String, CaseIterable {
        case importedTitle, importedMove, importedOrder, importedOrderWithoutClient, importedTags
        case takeoverOfTitle, takeoverOfClient, bulkTitle, bulkClient, bulkKey

        var clients: [Int] {
            switch self {
            case .importedTitle, .importedOrderWithoutClient, .importedTags, .takeoverOfTitle, .bulkTitle: []
            case .importedMove, .takeoverOfClient, .bulkClient: [0, 1]
            case .importedOrder, .bulkKey: [1]
            }
        }
    }

    private func write(_ writer: Writer) async throws {
        let other = ObjectContext(store)
        let second = try #require(try await other.find(Client.self, 2))
        switch writer {
        case .importedTitle: try await load(#"{"id":10,"title":"x"}"#, Order.mapping)
        case .importedMove: try await load(#"{"id":10,"client":2}"#, Order.mapping)
        case .importedOrder: try await load(#"{"id":12,"client":2}"#, Order.mapping)
        case .importedOrderWithoutClient: try await load(#"{"id":12}"#, Order.mapping)
        case .importedTags: try await load(#"{"id":10,"tags":["b"]}"#, Order.mapping)
        case .takeoverOfTitle, .takeoverOfClient:
            let order = Order(in: other)
            order.number = 10
            if writer == .takeoverOfTitle { order.title = "x" } else { order.client = second }
            try await other.save()
        case .bulkTitle: try await other.update(Order.all) { $0.set(\.title, to: "x") }
        case .bulkClient: try await other.update(Order.where { $0.number == 10 }) { $0.set(\.client, to: second) }
        case .bulkKey: try await other.update(Order.where { $0.number == 11 }) { $0.set(\.clientNumber, to: 2) }
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: Writer.allCases)
    func `if their row or their list was written`(_ writer: Writer) async throws {
        var changes = context.observe(Client.all.sorted(by: \.number)).makeAsyncIterator()
        let clients = try #require(try await changes.next()).objects
        #expect(clients.map { $0.orders.map(\.number) } == [[10], [], []])
        try await write(writer)
        // Without this commit, there would be no step for some of them.
        try await ObjectContext(store).update(Client.where { $0.number == 3 }) { $0.set(\.name, to: "last") }
        let change = try #require(try await changes.next())
        #expect(change.updated == writer.clients + [2])
        let other = ObjectContext(store)
        let fresh = try await other.fetch(Client.all.sorted(by: \.number))
        #expect(change.objects.map { $0.orders.map(\.number) } == fresh.map { $0.orders.map(\.number) })
    }

    @Test(.timeLimit(.minutes(1))) func `if tags are added to them or removed from them by an import`() async throws {
        var changes = context.observe(Tag.all.sorted(by: \.slug)).makeAsyncIterator()
        let tags = try #require(try await changes.next()).objects
        #expect(tags.map(\.orders.count) == [1, 0, 0])
        try await load(#"{"id":10,"tags":["b"]}"#, Order.mapping)
        let change = try #require(try await changes.next())
        #expect(change.updated == [0, 1] && change.objects.map(\.orders.count) == [0, 1, 0])
    }

    @Test(.timeLimit(.minutes(1))) func `if they are connected with an imported object`() async throws {
        var changes = context.observe(Order.all.sorted(by: \.number)).makeAsyncIterator()
        _ = try await changes.next()
        try await load(#"{"id":4}"#, Client.mapping)
        let change = try #require(try await changes.next())
        #expect(change.updated == [1] && change.objects[1].client?.number == 4)
    }

    enum Deletion: CaseIterable { case save, bulk, sql }

    @Test(.timeLimit(.minutes(1)), arguments: Deletion.allCases)
    func `if the object to which they refer is deleted`(_ deletion: Deletion) async throws {
        var changes = context.observe(Order.all.sorted(by: \.number)).makeAsyncIterator()
        _ = try await changes.next()
        let other = ObjectContext(store)
        switch deletion {
        case .save:
            other.delete(try #require(try await other.find(Client.self, 1)))
            try await other.save()
        case .bulk: try await other.delete(Client.where { $0.number == 1 })
        case .sql:
            try store.write(sql: "UPDATE \"Order\" SET client = NULL WHERE client = 1")
            try store.write(sql: "DELETE FROM Client WHERE number = 1")
        }
        let change = try #require(try await changes.next())
        #expect(deletion == .sql || change.updated == [0])
        #expect(change.objects[0].client == nil)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `if an object of their list is deleted`(_ isBulk: Bool) async throws {
        var clients = context.observe(Client.all.sorted(by: \.number)).makeAsyncIterator()
        var tags = context.observe(Tag.all.sorted(by: \.slug)).makeAsyncIterator()
        _ = try await (clients.next(), tags.next())
        let other = ObjectContext(store)
        if isBulk {
            try await other.delete(Order.where { $0.number == 10 })
        } else {
            other.delete(try #require(try await other.find(Order.self, 10)))
            try await other.save()
        }
        let (client, tag) = try await (clients.next(), tags.next())
        #expect(client?.updated == [0] && client?.objects[0].orders.isEmpty == true)
        #expect(tag?.updated == [0] && tag?.objects[0].orders.isEmpty == true)
    }

    @Test func `after a commit that came between the read of their rows and that of others`() async throws {
        let core = context.core
        let entity = try #require(core.store.entities.first { $0.name == Client.entityName })
        var objects: [ManagedObject] = []
        var calls = 0
        _ = try await core.reading { () throws(StoreError) in
            calls += 1
            // The rows are known then.
            if calls == 2 { try store.write(sql: "UPDATE Client SET name = 'new' WHERE number = 1") }
            try core.prepareFetch()
            objects = try core.read(entity, rows: [1], isFetch: true)
        }
        try await context.merge()
        #expect(calls == 2 && objects.map { ($0 as? Client)?.name } == ["new"])
    }
}
