import ObjectMapping
import Testing

struct IdentityTests {
    private let context = Context(Database())

    private static let missing = "expected a value for User.id, the identity of the object, found no value"

    @Test(arguments: [
        (#"[{"id": null, "name": "a"}]"#, "1:2 $[0]: \(missing)"),
        (#"[{"name": "a"}]"#, "1:2 $[0]: \(missing)"),
        ("[{}]", "1:2 $[0]: \(missing)"),
        (#"[{"id": {"a": 1}}]"#, "1:9 $[0].id: expected an integer, found an object (rule id -> User.id)"),
        (#"[{"name": "a", "id": true}]"#, "1:22 $[0].id: expected an integer, found a boolean (rule id -> User.id)"),
        (
            #"[{"id": "one"}]"#,
            "1:9 $[0].id: expected an integer, found a string that cannot be converted to an integer (rule id -> User.id)"
        ),
        (
            #"[{"id": 1, "tasks": [{"title": "a"}]}]"#,
            "1:22 $[0].tasks[0]: expected a value for Task.id, the identity of the object, found no value (rule tasks -> User.tasks)"
        ),
    ]) func `A missing or invalid identity is an issue at its position`(payload: String, issue: String) {
        let found = issues { try User.import(payload, context) }
        #expect(found.split(separator: "\n").contains { $0 == issue }, "\(found)")
        #expect(context.objects.isEmpty)
    }

    @Test(arguments: [#"[{"name": "a"}, {"name": "a"}]"#, #"[{"id": null, "name": "a"}, {"name": "a", "id": null}]"#])
    func `If identities are optional, each object without one is a new row`(payload: String) throws {
        context.requiresIdentity = false
        for _ in 0..<2 { try User.import(payload, context) }
        #expect(context.database.entities.count == 4)
    }

    @Test(arguments: [#"{"id": []}"#, #"{"id": 1, "id": []}"#])
    func `If identities are optional, an invalid one is still an issue`(element: String) {
        context.requiresIdentity = false
        #expect(throws: MappingError.self) { try User.import("[\(element)]", context) }
        #expect(context.objects.isEmpty && context.database.entities.isEmpty)
    }

    @Test(arguments: [false, true])
    func `A compound identity with a missing or null part is an issue`(isRequired: Bool) throws {
        context.requiresIdentity = isRequired
        for payload in [#"[{"number": 1}]"#, #"[{"number": 1, "at": {"row": null}}]"#, #"[{"number": 1, "at": null}]"#]
        {
            let found = issues { try Seat.import(payload, context) }
            #expect(
                found
                    == (isRequired
                        ? "1:2 $[0]: expected a value for Seat.row, Seat.number, the identity of the object, found no value"
                        : ""))
        }
        #expect(context.database.entities.count == (isRequired ? 0 : 3))
    }

    @Test(arguments: [
        (#"{"id": 1, "name": "a", "id": 2}"#, 2), (#"{"id": "x", "name": "a", "id": 2}"#, 2),
        (#"{"id": null, "name": "a", "id": 1}"#, 1),
    ]) func `Of duplicate identities, the last one is the row's`(element: String, id: Int) throws {
        let users = try User.import("[\(element)]", context)
        #expect(users.map(\.id) == [id] && context.object(User.self, id) === users[0])
        #expect(context.objects.count == 1 && context.database.entities == ["User"])
    }

    @Test func `A repeated equal identity in one object is valid`() throws {
        let users = try User.import(#"[{"id": 1, "name": "a", "id": "1"}]"#, context)
        #expect(context.object(User.self, 1) === users[0])
    }

    @Test(arguments: [0, 1, 10_000])
    func `An identity is found after any number of members`(count: Int) throws {
        let known = try User.import(#"[{"id": 1, "name": "known"}]"#, context)[0]
        let members = (0..<count).map { #""m\#($0)": {"id": [\#($0), {"id": 7}]}, "# }.joined()
        let users = try User.import(
            #"[{\#(members)"tasks": [{\#(members)"title": "t", "id": 5}], "name": "a", \#(members)"id": 1}]"#, context)
        #expect(users[0] === known && known.name == "a" && known.tasks.map(\.id) == [5])
        #expect(context.database.entities == ["Task", "User"])
    }

    @Test(arguments: [("caf\u{E9}", "cafe\u{301}", 2), ("a", "A", 2), ("", "", 1), (#"\u0061"#, "a", 1)])
    func `String keys are compared by their bytes`(first: String, second: String, count: Int) throws {
        try Tag.import(#"[{"color": "red", "name": "\#(first)"}, {"name": "\#(second)"}]"#, context)
        #expect(context.database.entities.count == count)
    }

    @Test func `UUID keys ignore case, and an invalid one is an issue`() throws {
        let id = "0F8FAD5B-D9CB-469F-A165-70867728950E"
        let tickets = try Ticket.import(#"[{"id": "\#(id)"}, {"id": "\#(id.lowercased())"}]"#, context)
        #expect(tickets[0] === tickets[1] && context.object(Ticket.self, tickets[0].id) === tickets[0])
        let found = issues { try Ticket.import(#"[{"id": "\#(id.dropLast())"}]"#, context) }
        #expect(found.hasPrefix("1:9 $[0].id: ") && context.objects.count == 1)
    }

    /// Refers to a user, but has no identity.
    private final class Note {
        var userID: Int?
        var user: User?

        static let mapping = Mapping({ Note() }) {
            Attribute("user", \.userID)
            Connection(\.user, by: \.userID)
        }
    }

    @Test func `A class without an identity, but with a connection, is an issue if identities are required`() {
        let found = issues { try Note.mapping.all(#"[{"user": 1}]"#, context) }
        #expect(context.objects.isEmpty)
        #expect(
            found
                == "expected a mapping of Note that is identified(by:) a property, found a mapping without an identity")
    }

    private final class Made: Stored {
        var id = 0
        init() {}
        static let mapping = Mapping({ Made() }) { Attribute("id", \.id) }.identified(by: \.id)
        static let entity = Entity(Made.self, by: [\Made.id], [column(\Made.id)])
    }

    @Test func `A class without an entity is refused`() {
        #expect(
            issues { try Made.import(#"[{"id": 1}]"#, context) }
                == "1:2 $[0]: expected a data source that accepts the object, found an error: the database has no entity for Made"
        )
    }
}
