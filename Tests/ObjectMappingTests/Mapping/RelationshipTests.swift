import ObjectMapping
import Testing

private struct Tree: Mappable, Equatable {
    var name = ""
    var children: [Tree] = []
    static var mapping: Mapping<Tree> {
        Mapping(Tree.init) {
            Attribute("name", \.name)
            Relationship("children", \.children)
        }
    }
}

private struct Team: Mappable {
    var members: Set<House> = []
    var spares: Set<House>? = []
    var payments: [Payment]?
    var lead: Payment?
    var first = Payment()
    var counts: [Payment] = []

    static let amount = Mapping(Payment.init) { Attribute("", \.amount) }
    static let mapping = Mapping(Team.init) {
        Relationship("members", \.members)
        Relationship("spares", \.spares)
        Relationship("payments", \.payments)
        Relationship("lead", \.lead)
        Relationship("first", \.first)
        Relationship("amounts", \.counts, amount)
    }
}

struct RelationshipTests {
    @Test func `Types can contain themselves and each other`() throws {
        let text =
            #"{"name": "A", "boss": {"name": "B", "home": {"city": "Rome", "owner": {"name": "C", "boss": {}}}}}"#
        let person = try Person.mapping.map(text)
        #expect(person.boss?.home.city == "Rome")
        #expect(person.boss?.home.owner?.name == "C")
        #expect(person.boss?.home.owner?.boss?.name == "nobody")
    }

    @Test func `A mapping that is computed at each use is compiled once`() throws {
        let tree = try Tree.mapping.map(#"{"name": "a", "children": [{"name": "b", "children": [{"name": "c"}]}, {}]}"#)
        #expect(tree.children.map(\.name) == ["b", ""])
        #expect(tree.children[0].children == [Tree(name: "c")])
    }

    @Test func `A graph as deep as the limit is read, one level more is an issue`() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: #"{"name":"x","children":["#, count: levels) + String(repeating: "]}", count: levels)
        }
        var tree = try Tree.mapping.map(nested(256))
        var depth = 1
        while let child = tree.children.first {
            tree = child
            depth += 1
        }
        #expect(depth == 256)
        let found = issues { _ = try Tree.mapping.map(nested(257)) }
        #expect(found.hasSuffix("expected at most 512 levels of nesting, found nesting deeper than 512 levels"))
    }

    @Test func `Sets and optionals are destinations, and a single object is a collection of one`() throws {
        let text = """
            {"members": [{"city": "Rome"}, {"city": "Oslo"}, {"city": "Rome"}], "spares": {"city": "Bern"},
             "payments": {"id": 3}, "lead": {"id": 4}, "first": {"id": 5}}
            """
        let team = try Team.mapping.map(text)
        #expect(team.members.map(\.city).sorted() == ["Oslo", "Rome"])
        #expect(team.spares?.map(\.city) == ["Bern"])
        #expect(team.payments == [Payment(id: 3)])
        #expect(team.lead == Payment(id: 4))
        #expect(team.first == Payment(id: 5))
    }

    @Test func `Null elements are skipped, and null clears`() throws {
        let team = try Team.mapping.map(#"{"members": [null], "payments": [null, {"id": 1}, null], "spares": null}"#)
        #expect(team.members.isEmpty)
        #expect(team.payments == [Payment(id: 1)])
        #expect(team.spares == nil)
        #expect(try Team.mapping.map(#"{"payments": null}"#).payments == nil)
        #expect(try Team.mapping.map(#"{"payments": []}"#).payments == [])
    }

    @Test func `Objects can be created from values that are not objects`() throws {
        let team = try Team.mapping.map(#"{"amounts": [4, 7.5, null, "1"]}"#)
        #expect(team.counts.map(\.amount) == [4, 7.5, 1])
    }

    @Test func `Each value that is not an object is an issue`() {
        expectIssues(
            """
            1:19 $.payments[1]: expected an object, found a number (rule payments -> Team.payments)
            1:22 $.payments[2]: expected an object, found a string (rule payments -> Team.payments)
            1:27 $.payments[3]: expected an object, found an array (rule payments -> Team.payments)
            1:42 $.lead: expected an object, found an array (rule lead -> Team.lead)
            1:57 $.first: expected an object, found true (rule first -> Team.first)
            """.replacing("found true", with: "found a boolean")
        ) { _ = try Team.mapping.map(#"{"payments": [{}, 3, "x", [{}]], "lead": [{}], "first": true}"#) }
    }

    @Test func `Two mappings of one type can be used together`() throws {
        let account = try Account.mapping.map(accountText)
        #expect(account.payments.map(\.id) == [0, 0, 0, 0])
        #expect(try Payment.mapping.map(#"{"id": 5, "amount": 1}"#) == Payment(id: 5, amount: 1))
    }
}
