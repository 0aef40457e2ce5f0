import Foundation
import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// The hooks that were called, by class; the actor of a test waits in between.
private final class HookCounter: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func note(_ hook: String) { counts.withLock { $0[hook, default: 0] += 1 } }
    func take() -> [String: Int] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
    }
}

private enum HookCounts {
    @TaskLocal static var counter: HookCounter?
}

private final class Ship: ManagedObject, Mappable {
    @Stored(.identity) var shipID = 0
    @Stored var name = ""
    @Stored var harborID: Int? = nil
    @Stored var rack: Int? = nil
    @Stored var spot: Int? = nil
    @Stored var escortIDs: [Int] = []
    @ToOne var harbor: Harbor?
    @ToOne var berth: Berth?
    @ToMany var escorts: [Ship]
    @ToOne var owner: Owner?

    static let mapping: Mapping<Ship> = Mapping(Ship.self) {
        Attribute("id", \.shipID)
        Attribute("name", \.name)
        Attribute("harbor", \.harborID)
        Attribute("at.rack", \.rack)
        Attribute("at.spot", \.spot)
        Attribute("escorts", \.escortIDs)
        Relationship("owner", \.owner)
        Connection(\.harbor, by: \.harborID)
        Connection(\.berth, by: \.rack, \.spot)
        Connection(\.escorts, by: \.escortIDs)
    }

    override func awakeFromInsert() { HookCounts.counter?.note("inserted") }
    override func awakeFromFetch() { HookCounts.counter?.note("fetched") }
}

private final class Harbor: ManagedObject, Mappable {
    @Stored(.identity) var harborID = 0
    @Stored var name = ""
    static let mapping = Mapping(Harbor.self) {
        Attribute("id", \.harborID)
        Attribute("name", \.name)
    }
    override func awakeFromInsert() { HookCounts.counter?.note("inserted") }
}

private final class Berth: ManagedObject, Mappable {
    @Stored(.identity) var rack = 0
    @Stored(.identity) var spot = 0
    static let mapping = Mapping(Berth.self) {
        Attribute("rack", \.rack)
        Attribute("spot", \.spot)
    }
}

private final class Owner: ManagedObject, Mappable {
    @Stored(.identity) var name = ""
    static let mapping = Mapping(Owner.self) { Attribute("name", \.name) }
    override func awakeFromInsert() { HookCounts.counter?.note("inserted") }
}

/// Mapping into a context reads the store before the payload is decoded, and decodes it once.
@Suite @MainActor struct OneDecodeTests {
    private let store: ManagedObjectStore
    private let counter = HookCounter()

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Ship.self, Harbor.self, Berth.self, Owner.self))
        let context = ObjectContext(store)
        _ = try context.map(#"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#, with: Harbor.mapping) as [Harbor]
        _ = try context.map(#"[{"rack": 1, "spot": 2}]"#, with: Berth.mapping) as [Berth]
        _ = try context.map(#"[{"id": 9, "name": "known"}, {"id": 8}]"#, with: Ship.mapping) as [Ship]
        try context.save()
    }

    private static let ships =
        #"[{"id": 1, "harbor": 2, "at": {"rack": 1, "spot": 2}, "owner": {"name": "x"}, "escorts": [9, 8, 7]}, {"id": 9, "name": "n", "harbor": 1}, {"id": 3, "owner": {"name": "x"}, "harbor": 5}]"#

    /// The statements that a body runs.
    private func statements(_ body: () async throws -> Void) async rethrows -> [String] {
        let statements = Mutex<[String]>([])
        store.trace { event in statements.withLock { $0.append(event.sql) } }
        try await body()
        store.trace(nil)
        return statements.withLock(\.self).filter { $0.hasPrefix("SELECT") }
    }

    private func expectConnected(_ ships: [Ship]) {
        #expect(ships.map(\.shipID) == [1, 9, 3] && ships.map { $0.harbor?.name } == ["B", "A", nil])
        #expect(ships[0].berth?.spot == 2 && ships[0].escorts.map(\.shipID).sorted() == [8, 9])
        #expect(ships[0].owner === ships[2].owner && ships[0].owner?.name == "x" && ships[1].name == "n")
    }

    @Test func `An awaited mapping calls the hooks of each new object once`() async throws {
        let context = ObjectContext(store)
        try await HookCounts.$counter.withValue(counter) {
            let ships = try await context.map(Self.ships, with: Ship.mapping)
            #expect(counter.take() == ["inserted": 3, "fetched": 2])
            expectConnected(ships)
        }
    }

    @Test func `A payload of several types calls the hooks of each new object once`() async throws {
        let context = ObjectContext(store)
        let payload = PayloadMapping {
            Root("ships", Ship.mapping)
            Root("harbors", Harbor.mapping)
        }
        let text = #"{"ships": \#(Self.ships), "harbors": [{"id": 5, "name": "new"}, {"id": 1, "name": "A"}]}"#
        try await HookCounts.$counter.withValue(counter) {
            let result = try await context.map(text, with: payload)
            #expect(counter.take() == ["inserted": 4, "fetched": 2])
            #expect(result[Ship.self].map { $0.harbor?.name } == ["B", "A", "new"])
        }
    }

    @Test(arguments: [false, true]) func `Each entity is read by one statement`(isAwaited: Bool) async throws {
        let context = ObjectContext(store)
        let statements = try await statements {
            let ships: [Ship]
            if isAwaited {
                ships = try await context.map(Self.ships, with: Ship.mapping)
            } else {
                ships = try map(context)
            }
            #expect(ships.count == 3)
        }
        for entity in ["Ship", "Harbor", "Berth", "Owner"] {
            #expect(statements.filter { $0.contains("JOIN \"\(entity)\" ON") }.count == 1, "\(statements)")
        }
        #expect(statements.count == 4, "\(statements)")
    }

    private func map(_ context: ObjectContext) throws -> [Ship] { try context.map(Self.ships, with: Ship.mapping) }

    @Test func `Changes while the store is read are part of the result`() async throws {
        let context = ObjectContext(store)
        let number = context.core.reads.number
        // Nothing is read before the harbor is inserted.
        context.core.reads.queue.suspend()
        let task = Task { try await context.map(Self.ships, with: Ship.mapping).map { $0.harbor?.name } }
        #expect(await eventually { context.core.reads.number != number })
        let harbor = Harbor(in: context)
        (harbor.harborID, harbor.name) = (5, "unsaved")
        context.core.reads.queue.resume()
        let names = try await task.value
        #expect(names == ["B", "A", "unsaved"])
        let ship: Ship? = try await context.find(Ship.self, 3)
        #expect(ship?.harbor === harbor)
    }
}
