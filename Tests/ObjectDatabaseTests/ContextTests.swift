import ObjectMapping
import Testing

@Suite(.serialized) struct ContextTests {
    private let database = Database()

    @Test func `Two contexts see only the committed objects of each other`() throws {
        let (a, b) = (Context(database), Context(database))
        a.savesOnCommit = false
        try User.import(#"[{"id": 1, "name": "a"}]"#, a)
        #expect(b.object(User.self, 1) == nil)
        try a.save()
        let (first, second) = (try #require(a.object(User.self, 1)), try #require(b.object(User.self, 1)))
        #expect(first !== second && second.name == "a")
        try User.import(#"[{"id": 1, "name": "b"}]"#, a)
        #expect(second.name == "a" && Context(database).object(User.self, 1)?.name == "a")
        try a.save()
        #expect(Context(database).object(User.self, 1)?.name == "b")
    }

    @Test func `A target that another context commits sets pending connections of the database`() throws {
        try Task.import(#"[{"id": 5, "user": 1}]"#, Context(database))
        let context = Context(database)
        let user = try User.import(#"[{"id": 1}]"#, context)[0]
        #expect(context.object(Task.self, 5)?.user === user)
        #expect(Context(database).object(Task.self, 5)?.user?.id == 1)
    }

    @Test(arguments: [#"[{"id": 1, "name": "b"}]"#, #"[{"id": 2, "name": "b"}]"#])
    func `A commit that conflicts with another context fails and is undone`(payload: String) throws {
        try User.import(#"[{"id": 1, "name": "a"}]"#, Context(database))
        let (a, b) = (Context(database), Context(database))
        #expect(b.object(User.self, 1) != nil)
        b.savesOnCommit = false
        try User.import(payload, b)
        let text = payload.replacing("\"b\"", with: "\"c\"")
        try User.import(text, a)
        b.savesOnCommit = true
        let before = b.description
        let found = issues { try User.import(payload.replacing("\"b\"", with: "\"d\""), b) }
        #expect(found.hasPrefix("1:1 $: expected a data source that accepts the object, found an error: another "))
        #expect(b.description == before)
    }

    // MARK: Concurrent decodes

    /// A class whose property observer begins another decode.
    private final class Note: Stored {
        nonisolated(unsafe) static var observer: (() -> Void)?
        var id = 0
        var tagName: String?
        var tag: Tag?
        var text = "" { didSet { Note.observer?() } }

        static let mapping = Mapping({ Note() }) {
            Attribute("id", \.id)
            Attribute("text", \.text)
            Attribute("tag", \.tagName)
            Connection(\.tag, by: \.tagName)
        }
        .identified(by: \.id)

        static let entity = Entity(
            Note.self, by: [\Note.id], [column(\Note.id), column(\Note.text)], [relation(\Note.tag)])
    }

    @Test func `A context refuses a second concurrent decode by name`() throws {
        let context = Context(database, models + [Note.entity])
        nonisolated(unsafe) var found = ""
        Note.observer = { found = issues { try Tag.import(#"[{"name": "x"}]"#, context) } }
        defer { Note.observer = nil }
        #expect(try Note.import(#"[{"id": 1, "text": "a"}, {"id": 2}]"#, context).count == 2)
        #expect(
            found
                == "1:1 $: expected a data source that accepts the object, found an error: the context is in use by another decode"
        )
        #expect(database.entities == ["Note", "Note"])
        #expect(try Tag.import(#"[{"name": "x"}]"#, context).count == 1)
    }

    @Test func `A decode by another context can run within a decode`() throws {
        let (a, b) = (Context(database, models + [Note.entity]), Context(database))
        nonisolated(unsafe) var found = "-"
        Note.observer = { found = issues { try Tag.import(#"[{"name": "x"}]"#, b) } }
        defer { Note.observer = nil }
        let note = try Note.import(#"[{"tag": "x", "id": 1, "text": "a"}]"#, a)[0]
        #expect(found.isEmpty && note.tag?.name == "x" && note.tag !== b.object(Tag.self, "x"))
    }

    // MARK: Streams

    private static let elements =
        #"[{"id": 1, "friend": 3}, {"id": 2, "friend": 1, "tasks": [{"id": 5, "user": 3}]}, {"id": 3, "friend": 2}]"#

    private func stream(
        _ text: String, _ context: Context, rejecting: ((RejectedElement) throws -> Void)? = nil
    ) -> MappingStream<User> {
        var stream = User.mapping.stream(from: Data(text.utf8), rejecting: rejecting)
        stream.dataSource = context
        return stream
    }

    @Test func `The elements of a stream are committed one by one, and connected to later ones`() async throws {
        let context = Context(database)
        var counts: [Int] = []
        for try await user in stream(Self.elements, context) {
            counts.append(database.entities.count)
            #expect(context.object(User.self, user.id) === user)
        }
        #expect(counts == [1, 3, 4])
        let users = try [1, 2, 3].map { try #require(context.object(User.self, $0)) }
        #expect(users.map { $0.friend?.id } == [3, 1, 2] && users[1].tasks[0].user === users[2])
        for user in users { user.friend = nil }
    }

    @Test func `Another decode can run between the elements of a stream`() async throws {
        let context = Context(database)
        for try await user in stream(Self.elements, context) {
            try Tag.import(#"[{"name": "\#(user.id)"}]"#, context)
        }
        #expect(database.entities == ["Tag", "Tag", "Tag", "Task", "User", "User", "User"])
    }

    @Test(arguments: [Context.Fault.Call.find, .add, .connect, .commit], [0, 1, 2])
    func `An error of the database ends a stream at the element`(call: Context.Fault.Call, element: Int) async {
        let context = Context(database)
        context.fault = Context.Fault(call: call, decode: element + 1)
        var ids: [Int] = []
        let error = await #expect(throws: MappingError.self) {
            for try await user in stream(
                #"[{"id": 1, "friend": 9}, {"id": 2, "friend": 9}, {"id": 3, "friend": 9}]"#, context)
            {
                ids.append(user.id)
            }
        }
        #expect(ids == Array([1, 2, 3].prefix(element)) && context.objects.count == element)
        #expect(
            error?.description
                == "1:\(2 + 24 * element) $[\(element)]: expected a data source that accepts the object, found an error: disk full"
        )
    }

    @Test func `An error at the start of a later element has its position`() async {
        let context = Context(database)
        context.fault = Context.Fault(call: .begin, decode: 2)
        let error = await #expect(throws: MappingError.self) { for try await _ in stream(Self.elements, context) {} }
        #expect(database.entities == ["User"])
        #expect(error?.description.hasPrefix("1:26 $[1]: ") == true)
    }

    @Test func `A rejected element of a stream changes nothing`() async throws {
        let context = Context(database)
        nonisolated(unsafe) var rejected = 0
        var ids: [Int] = []
        let text = #"[{"id": 1}, {"id": 1, "name": [], "tasks": [{"id": 5}]}, {"name": "a"}, {"id": 2}]"#
        for try await user in stream(text, context, rejecting: { _ in rejected += 1 }) { ids.append(user.id) }
        #expect(ids == [1, 2] && rejected == 2 && database.entities == ["User", "User"])
    }

    @Test func `A stream that ends early keeps the elements before`() async throws {
        let context = Context(database)
        for try await _ in stream(Self.elements, context) { break }
        #expect(database.entities == ["User"])
        #expect(try Tag.import(#"[{"name": "x"}]"#, context).count == 1)
    }
}
