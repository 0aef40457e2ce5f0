import ObjectMapping
import Testing

struct ConnectionTests {
    private let database = Database()
    private let context: Context

    init() { context = Context(database) }

    /// A payload of one entity.
    struct Payload: Sendable, CustomTestStringConvertible {
        let type: any Stored.Type
        let text: String

        var testDescription: String { "\(type)" }

        func read(_ context: Context) throws { _ = try type.import(text, context) }
    }

    static let two = [
        Payload(type: User.self, text: #"[{"id": 1, "name": "a", "tasks": [{"id": 5, "user": 1}]}]"#),
        Payload(type: Task.self, text: #"[{"user": 1, "id": 5, "title": "t"}, {"id": 6, "user": 1}]"#),
    ]

    @Test(arguments: [[0, 1], [1, 0]])
    func `Two entities that refer to each other are connected in both orders`(order: [Int]) throws {
        for index in order { try Self.two[index].read(context) }
        for context in [context, Context(database)] {
            let user = try #require(context.object(User.self, 1))
            let tasks = try [5, 6].map { try #require(context.object(Task.self, $0)) }
            #expect(tasks.allSatisfy { $0.user === user } && user.tasks.first === tasks[0] && user.tasks.count == 1)
            #expect(tasks[0].title == "t" && context.linkCount == 0)
        }
        #expect(database.entities == ["Task", "Task", "User"])
    }

    static let three = [
        Payload(type: User.self, text: #"[{"id": 1, "friend": 2, "tags": ["x", "y", "x"]}, {"id": 2, "friend": 1}]"#),
        Payload(type: Tag.self, text: #"[{"name": "y"}, {"name": "x", "color": "red"}]"#),
        Payload(type: Task.self, text: #"[{"id": 5, "user": 2}, {"id": 6, "user": 1}]"#),
    ]
    static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

    @Test(arguments: orders, [false, true])
    func `Connections across three payloads are set in any order, by one context or several`(
        order: [Int], isShared: Bool
    ) throws {
        for index in order { try Self.three[index].read(isShared ? context : Context(database)) }
        let context = isShared ? context : Context(database)
        let users = try [1, 2].map { try #require(context.object(User.self, $0)) }
        #expect(users[0].friend === users[1] && users[1].friend === users[0])
        #expect(users[0].tags.map(\.name) == ["x", "y", "x"] && users[0].tags[0].color == "red")
        #expect(context.object(Task.self, 5)?.user === users[1] && context.object(Task.self, 6)?.user === users[0])
        #expect(context.linkCount == 0 && database.entities == ["Tag", "Tag", "Task", "Task", "User", "User"])
        for user in users { user.friend = nil }
    }

    @Test func `A pending connection is replaced by a new key and removed by null`() throws {
        let task = try Task.import(#"[{"id": 5, "user": 1}]"#, context)[0]
        try Task.import(#"[{"id": 5, "user": 2}]"#, context)
        try User.import(#"[{"id": 1}]"#, context)
        #expect(task.user == nil && context.linkCount == 1)
        try User.import(#"[{"id": 2}]"#, context)
        #expect(task.user?.id == 2 && context.linkCount == 0)
        try Task.import(#"[{"id": 5, "user": 3}]"#, context)
        try Task.import(#"[{"id": 5, "user": null}]"#, context)
        try User.import(#"[{"id": 3}]"#, context)
        #expect(task.user == nil && context.linkCount == 0)
        try Task.import(#"[{"id": 5, "title": "t"}]"#, context)
        #expect(task.userID == nil && task.title == "t")
    }

    @Test func `A cycle of connections, and an object that refers to itself, are connected`() throws {
        let users = try User.import(
            #"[{"id": 1, "friend": 2}, {"friend": 3, "id": 2}, {"id": 3, "friend": 1}, {"id": 4, "friend": 4}]"#,
            context)
        #expect(zip(users, [2, 3, 1, 4]).allSatisfy { $0.friend?.id == $1 } && users[3].friend === users[3])
        let other = Context(database)
        #expect(other.object(User.self, 1)?.friend?.friend?.friend === other.object(User.self, 1))
    }

    @Test func `Compound and UUID keys connect in both directions`() throws {
        let id = "0F8FAD5B-D9CB-469F-A165-70867728950E"
        let seats = try Seat.import(
            #"[{"number": 3, "ticket": "\#(id)", "at": {"row": "A"}}, {"at": {"row": "B"}, "number": 3}]"#, context)
        let ticket = try Ticket.import(#"[{"row": "A", "number": 3, "id": "\#(id.lowercased())"}]"#, context)[0]
        #expect(seats[0].ticket === ticket && ticket.seat === seats[0] && seats[1].ticket == nil)
        let again = try Seat.import(#"[{"number": "3", "at": {"x": 1, "row": "A"}}]"#, context)[0]
        #expect(again === seats[0] && context.object(Seat.self, parts: [.string("A"), .integer(3)]) === again)
        #expect(database.entities == ["Seat", "Seat", "Ticket"])
    }

    @Test func `A key with a null part connects nothing`() throws {
        let id = "0F8FAD5B-D9CB-469F-A165-70867728950E"
        try Seat.import(#"[{"at": {"row": "A"}, "number": 3}]"#, context)
        let ticket = try Ticket.import(#"[{"row": "A", "number": null, "id": "\#(id)"}]"#, context)[0]
        #expect(ticket.seat == nil && context.linkCount == 0)
        try Ticket.import(#"[{"number": 3, "id": "\#(id)"}]"#, context)
        #expect(ticket.seat?.row == "A")
    }
}
