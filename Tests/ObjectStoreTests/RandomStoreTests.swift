import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Random numbers that are the same on every machine.
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}

/// Persons with every kind of relationship, in random shapes.
private struct Crowd {
    var numbers: Numbers
    let count: Int64

    /// A person with random members.
    mutating func person(_ id: Int64, depth: Int) -> TestObject {
        var members: [(String, TestObject.Member)] = [("id", .value(.integer(id)))]
        if Bool.random(using: &numbers) { members.append(("name", .value(.text("n\(number())")))) }
        if Bool.random(using: &numbers) { members.append(("bossID", key())) }
        if Bool.random(using: &numbers) { members.append(("teamName", .value(.text("t\(number() % 9)")))) }
        if Bool.random(using: &numbers) { members.append(("friendIDs", list())) }
        if Bool.random(using: &numbers) { members.append(("spouseID", key())) }
        guard depth > 0 else { return TestObject("Person", members: members) }
        if number() % 3 == 0 { members.append(("reports", persons(depth))) }
        if number() % 3 == 0 { members.append(("pets", persons(depth))) }
        if number() % 3 == 0 {
            members.append(("team", [TestObject("Team", ["name": .value(.text("t\(number() % 9)"))])]))
        }
        return TestObject("Person", members: members)
    }

    private mutating func persons(_ depth: Int) -> TestObject.Member {
        let found = (0..<number() % 4).map { _ in person(number(), depth: depth - 1) }
        return found.isEmpty ? .cleared : .objects(found)
    }

    private mutating func number() -> Int64 { Int64.random(in: 1...count, using: &numbers) }

    private mutating func key() -> TestObject.Member { number() % 5 == 0 ? nil : .value(.integer(number() + 2)) }

    private mutating func list() -> TestObject.Member {
        let keys = (0..<number() % 4).map { _ in String(number() + 1) }
        return .value(.text("[\(keys.joined(separator: ","))]"))
    }
}

@Suite struct `Random rows` {
    private func store() throws -> TestStore {
        let integer = AttributeType(.integer)
        return try TestStore(
            EntityDescription(
                "Person", identifiedBy: ["id"],
                attributes: [
                    AttributeDescription("id", integer), AttributeDescription("name", AttributeType(.string)),
                    AttributeDescription("bossID", integer), AttributeDescription("teamName", AttributeType(.string)),
                    AttributeDescription("friendIDs", AttributeType(.integer, isList: true)),
                    AttributeDescription("spouseID", integer),
                ],
                relationships: [
                    RelationshipDescription("boss", to: "Person", inverse: "reports", by: ["bossID"]),
                    RelationshipDescription("reports", to: "Person", isToMany: true),
                    RelationshipDescription("friends", to: "Person", isToMany: true, by: ["friendIDs"]),
                    RelationshipDescription("pets", to: "Person", isToMany: true, inverse: "keepers"),
                    RelationshipDescription("keepers", to: "Person", isToMany: true),
                    RelationshipDescription("spouse", to: "Person", inverse: "partner", by: ["spouseID"]),
                    RelationshipDescription("partner", to: "Person"),
                    RelationshipDescription("team", to: "Team", inverse: "members", by: ["teamName"]),
                ]),
            EntityDescription(
                "Team", identifiedBy: ["name"], attributes: [AttributeDescription("name", AttributeType(.string))],
                relationships: [RelationshipDescription("members", to: "Person", isToMany: true)]))
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `the maps in memory change no result, and every file is consistent`(seed: UInt64) throws {
        var crowd = Crowd(numbers: Numbers(state: seed), count: seed % 2 == 0 ? 40 : 3000)
        let people = (1...Int64(400)).map { crowd.person(($0 &* 37) % crowd.count + 1, depth: 2) }
        let store = try store()
        let summary = try store.build(people)
        #expect(try store.build(people, name: "other.sqlite", mapSize: 0) == summary)
        let dump = try store.dump()
        #expect(try store.dump("other.sqlite") == dump)
        #expect(try store.seed().damages().isEmpty)
        try store.build(people, name: "third.sqlite", mapSize: 16 << 10)
        #expect(try store.dump("third.sqlite") == dump)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `links by key do not depend on the order of persons`(seed: UInt64) throws {
        var crowd = Crowd(numbers: Numbers(state: seed), count: 300)
        var people = (1...Int64(300)).map { crowd.person($0, depth: 0) }
        people += (1...9).map { TestObject("Team", ["name": .value(.text("t\($0)"))]) }
        let store = try store()
        let links = [
            "SELECT a.id, b.id FROM Person a JOIN Person b ON a.boss = b._id",
            "SELECT a.id, t.name FROM Person a JOIN Team t ON a.team = t._id",
            "SELECT a.id, b.id, position FROM Person_friends l JOIN Person a ON owner = a._id JOIN Person b ON target = b._id",
            "SELECT relationship, count(*) FROM _mappingkit_pending WHERE relationship <> 'spouse' GROUP BY 1",
        ].map { "\($0) ORDER BY 1, 2" }
        try store.build(people, blind: ["Person", "Team"])
        let expected = try links.map { try store.rows($0) }
        #expect(expected.allSatisfy { !$0.isEmpty })
        for name in ["a.sqlite", "b.sqlite"] {
            people.shuffle(using: &crowd.numbers)
            try store.build(people, name: name, blind: name == "a.sqlite" ? ["Person"] : [])
            #expect(try links.map { try store.rows($0, name: name) } == expected)
            #expect(try store.seed(name).damages().isEmpty)
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `both columns of a one-to-one refer to each other`(seed: UInt64) throws {
        var crowd = Crowd(numbers: Numbers(state: seed), count: 50)
        let store = try store()
        for run in 0..<3 {
            try store.build((1...Int64(50)).map { crowd.person($0, depth: 1) }, updating: run > 0)
            #expect(
                try store.rows("SELECT * FROM Person a JOIN Person b ON a.spouse = b._id WHERE b.partner IS NOT a._id")
                    == [])
            #expect(
                try store.rows("SELECT * FROM Person a JOIN Person b ON a.partner = b._id WHERE b.spouse IS NOT a._id")
                    == [])
            #expect(try store.seed().damages().isEmpty)
        }
    }
}
