import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

/// A class whose mapping does not connect the rack: the keys are those of the seed.
private final class Tome: ManagedObject {
    @Stored(.identity) var tomeID = 0
    @Stored(.was("location")) var place: String? = nil
    @Stored var rackID: Int? = nil
    @ToOne var rack: Rack?
}

private final class Rack: ManagedObject {
    @Stored(.identity) var rackID = 0
}

@Suite struct SeedKeyTests {
    private let seed: TestStore
    private let store: ManagedObjectStore

    /// A seed with the rack 7, which tome 1 refers to; tome 2 refers to the missing rack 8, tome 3 is in a box.
    init() async throws {
        let integer = AttributeType(.integer)
        seed = try TestStore(
            EntityDescription(
                "Tome", identifiedBy: ["tomeID"],
                attributes: [
                    AttributeDescription("tomeID", integer), AttributeDescription("place", AttributeType(.string)),
                    AttributeDescription("rackID", integer),
                ],
                relationships: [
                    RelationshipDescription("rack", to: "Rack", by: ["rackID"], when: ["place": .string("shelf")])
                ]),
            EntityDescription(
                "Rack", identifiedBy: ["rackID"], attributes: [AttributeDescription("rackID", integer)]))
        try seed.build([
            TestObject("Rack", ["rackID": 7]), TestObject("Tome", ["tomeID": 1, "place": "shelf", "rackID": 7]),
            TestObject("Tome", ["tomeID": 2, "place": "shelf", "rackID": 8]),
            TestObject("Tome", ["tomeID": 3, "place": "box", "rackID": 7]),
        ])
        store = try await ManagedObjectStore.open(
            at: seed.url("app.sqlite"), model: ObjectModel(Tome.self, Rack.self), seed: seed.url())
    }

    private func rack(ofTome tome: Int) async throws -> Int? {
        try await store.perform { try $0.find(Tome.self, tome)?.rack?.rackID }
    }

    @Test func `the rows of a seed wait again for a target that is deleted`() async throws {
        #expect(try await rack(ofTome: 1) == 7)
        try await store.perform { context in
            if let rack = try context.find(Rack.self, 7) { context.delete(rack) }
            try context.save()
        }
        #expect(try await rack(ofTome: 1) == nil)
        try await store.perform { context in
            Rack(in: context).rackID = 7
            try context.save()
        }
        #expect(try await rack(ofTome: 1) == 7)
        #expect(try await rack(ofTome: 3) == nil)
    }

    @Test func `a row of a seed waits for the key that it is assigned`() async throws {
        try await store.perform { context in
            try context.find(Tome.self, 2)?.rackID = 9
            try context.save()
            Rack(in: context).rackID = 8
            try context.save()
        }
        #expect(try await rack(ofTome: 2) == nil)
        try await store.perform { context in
            Rack(in: context).rackID = 9
            try context.save()
        }
        #expect(try await rack(ofTome: 2) == 9)
    }

    @Test func `a copy of a seed has the keys of the seed and what the classes declare`() async throws {
        let model = try SeedDatabase(at: seed.url("app.sqlite")).model
        #expect(model.entity(named: "Tome")?.relationship(named: "rack")?.by == ["rackID"])
        #expect(model.entity(named: "Tome")?.attribute(named: "place")?.formerName == "location")
        #expect(try SeedDatabase(at: seed.url()).model == seed.model)
    }

    @Test func `a row of a seed does not wait if its condition is not met`() async throws {
        try await store.perform { context in
            let tome = try context.find(Tome.self, 2)
            tome?.place = "box"
            tome?.rackID = 7
            try context.save()
        }
        #expect(try await rack(ofTome: 2) == nil)
        #expect(try store.rows(sql: "SELECT * FROM _mappingkit_pending").isEmpty)
    }
}
