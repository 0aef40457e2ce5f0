import ObjectMapping
import Testing

struct UnchangedValuesTests {
    /// Properties whose observers count how often they are set.
    final class Account {
        var id = 0
        var owner: Person? { didSet { sets.append("owner") } }
        var people: [Person] = [] { didSet { sets.append("people") } }
        var pets: Set<Person> = [] { didSet { sets.append("pets") } }
        var point = Point() { didSet { sets.append("point") } }
        var bank: Bank? { didSet { sets.append("bank") } }
        var name = "" { didSet { sets.append("name") } }
        var sets: [String] = []

        static let mapping = Mapping({ Account() }) {
            Attribute("id", \.id)
            Relationship("owner", \.owner, Person.mapping)
            Relationship("people", \.people, Person.mapping)
            Relationship("pets", \.pets, Person.mapping)
            Relationship("point", \.point, Point.mapping)
            Relationship("bank", \.bank, Bank.mapping)
            Attribute("name", \.name)
        }
        .identified(by: \.id)
    }

    /// Equal by its identity, like many models.
    struct Person: Hashable {
        var id = 0
        var name = ""

        static func == (a: Person, b: Person) -> Bool { a.id == b.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }

        static let mapping = Mapping(Person.init) {
            Attribute("id", \.id)
            Attribute("name", \.name)
        }
    }

    /// Not equatable, so values cannot be compared.
    struct Point {
        var x = 0
        static let mapping = Mapping(Point.init) { Attribute("x", \.x) }
    }

    final class Bank {
        var id = 0
        var name = ""
        static let mapping = Mapping({ Bank() }) {
            Attribute("id", \.id)
            Attribute("name", \.name)
        }
        .identified(by: \.id)
    }

    private static let text = """
        {"id": 1, "owner": {"id": 1, "name": "A"}, "people": [{"id": 2, "name": "B"}, {"id": 3}], "pets": [{"id": 4}],
         "point": {"x": 1}, "bank": {"id": 9, "name": "N"}, "name": "n"}
        """

    @Test(
        arguments: [
            ("", "", ["point"]),
            (#""name": "A"}"#, #""name": "a"}"#, ["owner", "point"]),
            (#""name": "B""#, #""name": "b""#, ["people", "point"]),
            (#"[{"id": 4}]"#, #"[{"id": 4, "name": "C"}]"#, ["pets", "point"]),
            (#"{"id": 3}"#, #"{"id": 3}, {"id": 5}"#, ["people", "point"]),
            (#""name": "n""#, #""name": "m""#, ["point", "name"]),
            (#""id": 9, "name": "N""#, #""id": 9, "name": "M""#, ["point"]),
            (#""id": 9"#, #""id": 8"#, ["point", "bank"]),
        ]) func `Equal values of a known object are not set again`(old: String, new: String, sets: [String])
        throws
    {
        let session = MappingSession()
        let account = try Account.mapping.map(Self.text, in: session)
        account.sets = []
        let again = try Account.mapping.map(Self.text.replacing(old, with: new), in: session)
        #expect(again === account)
        #expect(account.sets == sets)
        account.sets = []
        try Account.mapping.update(account, from: Self.text.replacing(old, with: new), in: session)
        #expect(account.sets == ["point"])
    }

    @Test(
        arguments: [
            (#"{"people": {"a": {"id": 1, "name": "A"}}}"#, #"{"people": {"a": {"id": 1, "name": "B"}}}"#),
            (#"{"owner": {"id": 1, "name": "A"}}"#, #"{"owner": {"id": 1, "name": "B"}}"#),
            (#"{"text": "e\u0301"}"#, #"{"text": "\u00e9"}"#),
        ]) func `Values that are equal but not identical are set`(old: String, new: String) throws
    {
        struct Owner: Codable, Equatable {
            var id = 0
            var name = ""
            static func == (a: Owner, b: Owner) -> Bool { a.id == b.id }
        }
        final class Holder {
            var id = 1
            var people: [String: Person] = [:] { didSet { sets += 1 } }
            var owner: Owner? { didSet { sets += 1 } }
            var text = "" { didSet { sets += 1 } }
            var sets = 0
        }
        let mapping = Mapping({ Holder() }) {
            Relationship("people", \.people, Person.mapping)
            Attribute("owner", \.owner, using: .codable)
            Attribute("text", \.text)
        }
        let holder = try mapping.map(old)
        try mapping.update(holder, from: old)
        #expect(holder.sets == 1)
        try mapping.update(holder, from: new)
        #expect(holder.sets == 2)
    }

    @Test func `Objects in a new object are set, even within a known object`() throws {
        let session = MappingSession()
        let account = try Account.mapping.map(Self.text, in: session)
        let others = try Account.mapping.mapAll(
            "[\(Self.text), \(Self.text.replacing(#"{"id": 1, "owner""#, with: #"{"id": 2, "owner""#))]", in: session)
        #expect(others[0] === account)
        #expect(others[1].name == "n" && others[1].sets.contains("name"))
    }
}
