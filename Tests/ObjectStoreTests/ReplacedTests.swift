import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Nested objects without an identity` {
    /// A station with platforms (inverse to-one), keys (a table of links) and a clock (to-one); a platform has signs.
    private func store() throws -> TestStore {
        try TestStore(
            EntityDescription(
                "Station", identifiedBy: ["id"], attributes: [AttributeDescription("id", AttributeType(.integer))],
                relationships: [
                    RelationshipDescription("platforms", to: "Platform", isToMany: true, inverse: "station"),
                    RelationshipDescription("keys", to: "Key", isToMany: true),
                    RelationshipDescription("clock", to: "Clock", inverse: "station"),
                    RelationshipDescription("bell", to: "Bell"),
                ]),
            EntityDescription(
                "Platform", attributes: [AttributeDescription("track", AttributeType(.integer))],
                relationships: [
                    RelationshipDescription("station", to: "Station"),
                    RelationshipDescription("signs", to: "Sign", isToMany: true),
                ]),
            part("Key"), part("Bell"), part("Sign"),
            EntityDescription(
                "Clock", attributes: [AttributeDescription("n", AttributeType(.integer))],
                relationships: [RelationshipDescription("station", to: "Station")]))
    }

    private func part(_ name: String) -> EntityDescription {
        EntityDescription(name, attributes: [AttributeDescription("n", AttributeType(.integer))])
    }

    private func station(_ tracks: Int...) -> TestObject {
        TestObject(
            "Station",
            [
                "id": 1,
                "platforms": .objects(
                    tracks.map {
                        TestObject(
                            "Platform",
                            ["track": .value(.integer(Int64($0))), "signs": [TestObject("Sign", ["n": 1])]])
                    }),
                "keys": [TestObject("Key", ["n": .value(.integer(Int64(tracks[0])))])],
                "clock": .objects([TestObject("Clock", ["n": .value(.integer(Int64(tracks[0])))])]),
                "bell": .objects([TestObject("Bell", ["n": .value(.integer(Int64(tracks[0])))])]),
            ])
    }

    private func content(_ store: TestStore) throws -> [String] {
        try store.rows(
            """
            SELECT (SELECT group_concat(track) FROM Platform WHERE station = s._id), \
            (SELECT group_concat(n) FROM Station_keys JOIN Key ON Key._id = target WHERE owner = s._id), \
            (SELECT n FROM Clock WHERE _id = s.clock AND station = s._id), (SELECT n FROM Bell WHERE _id = s.bell) \
            FROM Station s
            """)
    }

    private func counts(_ store: TestStore) throws -> [String] {
        try ["Platform", "Sign", "Key", "Clock", "Bell", "Platform_signs"].flatMap {
            try store.rows("SELECT '\($0)', count(*) FROM \($0)")
        }
    }

    @Test func `replaced objects are removed with their own parts`() throws {
        let store = try store()
        let summary = try store.build([station(1, 2, 3), station(4, 5)])
        #expect(try content(store) == ["'4,5'|'4'|4|4"])
        #expect(
            try counts(store) == ["'Platform'|2", "'Sign'|2", "'Key'|1", "'Clock'|1", "'Bell'|1", "'Platform_signs'|2"])
        #expect(summary.entities.map(\.rows) == [1, 2, 1, 1, 2, 1])
        #expect(try store.seed().damages().isEmpty)
    }

    @Test func `replaced objects do not accumulate over many updates`() throws {
        let store = try store()
        for update in 0..<3 {
            let summary = try store.build([station(4, 5)], updating: update > 0)
            #expect(summary.entities.map(\.rows) == [1, 2, 1, 1, 2, 1])
            #expect(try content(store) == ["'4,5'|'4'|4|4"])
            #expect(try store.seed().damages().isEmpty)
        }
        let cleared = TestObject("Station", ["id": 1, "platforms": [], "keys": nil, "clock": nil, "bell": nil])
        try store.build([cleared], updating: true)
        #expect(try content(store) == ["NULL|NULL|NULL|NULL"])
        #expect(
            try counts(store) == ["'Platform'|0", "'Sign'|0", "'Key'|0", "'Clock'|0", "'Bell'|0", "'Platform_signs'|0"])
    }

    @Test func `objects are kept if the parent lacks the list, or if their entity has its own source`() throws {
        let store = try store()
        try store.build([station(1), TestObject("Station", ["id": 1]), TestObject("Key", ["n": 9]), station(2)])
        #expect(try content(store) == ["'2'|'2'|2|2"])
        #expect(try store.rows("SELECT n FROM Key") == ["1", "9", "2"])
        #expect(try store.rows("SELECT track FROM Platform") == ["2"])
        #expect(try store.seed().damages().isEmpty)
    }
}
