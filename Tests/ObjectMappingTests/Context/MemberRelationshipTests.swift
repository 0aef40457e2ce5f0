import ObjectMapping
import Testing

@Suite struct MemberRelationshipTests {
    struct Member: Mappable, Hashable {
        var name = ""
        var id = 0
        static let mapping = Mapping(Member.init) {
            Attribute(.key, \.name)
            Attribute("id", \.id)
        }
        static let onlyID = Mapping(Member.init) { Attribute("id", \.id) }
    }

    final class Person: Mappable {
        var name = ""
        var friends: [Person] = []
        static let mapping = Mapping({ Person() }) {
            Attribute(.key, \.name)
            Relationship("friends", \.friends, each: .member)
        }
    }

    struct Team: Mappable, Equatable {
        var array: [Member] = []
        var maybeArray: [Member]?
        var set: Set<Member> = []
        var maybeSet: Set<Member>?
        static let mapping = Mapping(Team.init) {
            Relationship("array", \.array, each: .member)
            Relationship("maybeArray", \.maybeArray, each: .member)
            Relationship("set", \.set, each: .member)
            Relationship("maybeSet", \.maybeSet, each: .member)
        }
        static let byChoice = Mapping(Team.init) {
            Relationship("array", \.array, Member.onlyID, each: .member)
            Relationship("maybeArray", \.maybeArray, Member.onlyID, each: .member)
            Relationship("set", \.set, Member.onlyID, each: .member)
            Relationship("maybeSet", \.maybeSet, Member.onlyID, each: .member)
        }
    }

    private static func payload(_ value: String) -> String {
        #"{"array": \#(value), "maybeArray": \#(value), "set": \#(value), "maybeSet": \#(value)}"#
    }

    @Test(arguments: [
        ("{}", [Member]()),
        ("[]", []),
        (#"{"a": {"id": 1}}"#, [Member(name: "a", id: 1)]),
        (#"{"a": {"id": 1}, "b": null, "c": {"id": 3}}"#, [Member(name: "a", id: 1), Member(name: "c", id: 3)]),
        (#"{"a": {"id": 1}, "a": {"id": 2}}"#, [Member(name: "a", id: 2)]),
    ])
    func `Each member of a dictionary goes into a collection`(value: String, expected: [Member]) throws {
        let team = try Team.mapping.map(Self.payload(value))
        #expect(
            team == Team(array: expected, maybeArray: expected, set: Set(expected), maybeSet: Set(expected)))
        let ids = expected.map { Member(id: $0.id) }
        let other = try Team.byChoice.map(Self.payload(value))
        #expect(other == Team(array: ids, maybeArray: ids, set: Set(ids), maybeSet: Set(ids)))
    }

    @Test func `Null clears a dictionary of objects, an absent one is unchanged`() throws {
        let team = Team(array: [Member()], maybeArray: [Member()], set: [Member()], maybeSet: [Member()])
        var cleared = team
        try Team.mapping.update(&cleared, from: Self.payload("null"))
        #expect(cleared == Team())
        var kept = team
        try Team.mapping.update(&kept, from: "{}")
        #expect(kept == team)
    }

    @Test func `Dictionaries of objects nest, in classes as well`() throws {
        let people = try Person.mapping.mapAll(
            #"{"ada": {"friends": {"bob": {"friends": {"eve": {}}}, "sam": {}}}}"#, each: .member)
        #expect(people.map(\.name) == ["ada"])
        #expect(people[0].friends.map(\.name) == ["bob", "sam"])
        #expect(people[0].friends[0].friends.map(\.name) == ["eve"])
    }

    @Test(arguments: [
        ("[{}]", "1:11 $.array: expected an object of objects, found an array (rule array -> Team.array)"),
        ("7", "1:11 $.array: expected an object of objects, found a number (rule array -> Team.array)"),
        (#"{"a": 1}"#, "1:17 $.array.a: expected an object, found a number (rule array -> Team.array)"),
        (#"{"a": []}"#, "1:17 $.array.a: expected an object, found an array (rule array -> Team.array)"),
    ])
    func `Other values are issues`(value: String, expected: String) {
        expectIssues(expected) { _ = try Team.mapping.map(#"{"array": \#(value)}"#) }
    }

    @Test(arguments: [
        (
            Relationship<Box>("a", \.payments, each: .line),
            "expected `each: .element` or `each: .member` in a relationship, found `each: .line` (rule a -> Box.payments)"
        ),
        (
            Relationship<Box>("a", \.payment, Payment.mapping, each: .member),
            "expected an array or a set for `each: .member`, found a property that holds one object (rule a -> Box.payment)"
        ),
    ])
    func `Only collections have another shape, and never lines`(rule: Relationship<Box>, expected: String) {
        let mapping = Mapping(Box.init) { rule }
        expectIssues(expected) { try mapping.validate() }
    }
}
