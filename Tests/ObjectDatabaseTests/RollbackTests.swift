import ObjectMapping
import Testing

struct RollbackTests {
    private let database = Database()
    private let context: Context

    init() throws {
        context = Context(database)
        try User.import(
            #"[{"id": 1, "name": "known", "friend": 99, "tasks": [{"id": 5, "title": "t"}]}]"#, context)
        try Tag.import(#"[{"name": "x"}]"#, context)
    }

    @Test(
        arguments: [false, true],
        [
            #"{"id": 2, "name": []}"#, #"{"tasks": [{"id": 6}], "name": [], "id": 2}"#,
            #"{"id": 1, "tags": ["x"], "friend": 1, "tasks": [{"id": 5, "title": "new"}], "name": []}"#,
            #"{"id": 1, "tasks": [], "version": "no"}"#, #"{"id": 1, "tasks": null, "version": "no"}"#,
            #"{"id": 1, "tasks": [{"id": 7, "user": 1}, {"id": 5, "title": {}}]}"#, #"{"id": []}"#, #"{"name": "a"}"#,
            #"{"id": 1, "name": "a", "id": {}}"#, #"{"id": 3, "tasks": [{"id": 8}, {"title": "no identity"}]}"#, "[]",
            "1",
        ]) func `A rejected element changes nothing`(usesKeptState: Bool, element: String) throws
    {
        context.usesKeptState = usesKeptState
        let before = context.description
        for payload in ["[\(element)]", "[\(element), \(element)]"] {
            #expect(throws: MappingError.self) { try User.import(payload, context) }
            #expect(context.description == before)
            #expect(try User.import(payload, context, .skipElement).isEmpty)
            #expect(context.description == before)
        }
        let users = try User.import(#"[{"id": 10}, \#(element), {"id": 11, "friend": 10}]"#, context, .skipElement)
        #expect(users.map(\.id) == [10, 11] && users[1].friend === users[0])
        let reference = try reference(#"[{"id": 10}, {"id": 11, "friend": 10}]"#)
        #expect(context.names == reference.names)
    }

    /// The content of a context after the accepted elements.
    private func reference(_ payload: String) throws -> Context {
        let context = Context(Database())
        try User.import(#"[{"id": 1, "name": "known", "friend": 99, "tasks": [{"id": 5, "title": "t"}]}]"#, context)
        try Tag.import(#"[{"name": "x"}]"#, context)
        try User.import(payload, context)
        return context
    }

    @Test func `A target of a rejected element sets no pending connection`() throws {
        let user = try #require(context.object(User.self, 1))
        try User.import(#"[{"id": 99, "name": []}, {"id": 50}]"#, context, .skipElement)
        #expect(user.friend == nil && context.linkCount == 1)
        try User.import(#"[{"id": 99}]"#, context)
        #expect(user.friend?.id == 99 && context.linkCount == 0)
    }

    @Test func `An object of a rejected element is created again by a later element`() throws {
        let users = try User.import(
            #"[{"id": 2, "name": [], "tasks": [{"id": 6}]}, {"id": 3, "tasks": [{"id": 6, "title": "t"}]}, {"id": 2}]"#,
            context, .skipElement)
        #expect(users.map(\.id) == [3, 2] && users[0].tasks.map(\.title) == ["t"] && users[1].tasks.isEmpty)
        #expect(context.object(Task.self, 6) === users[0].tasks[0])
    }

    @Test(arguments: [
        #"[{"id": 1, "name": "new"}, {"id": 2}"#, #"[{"id": 1, "name": "new", "tasks": []}, {"id": 2, }]"#,
        #"[{"id": 1, "name": "new"}] x"#, #"[{"id": 1, "name": "new", "tasks": [{"id": 5, "title": "\x"}]}]"#,
    ]) func `Broken JSON changes nothing`(payload: String) {
        let before = context.description
        for policy in [MappingReport.Policy.fail, .skipElement, .collect] {
            #expect(throws: MappingError.self) { try User.import(payload, context, policy) }
            #expect(context.description == before)
        }
    }

    // MARK: Failures

    struct Failure: Sendable, CustomTestStringConvertible {
        let call: Context.Fault.Call
        let number: Int
        let place: String

        var testDescription: String { "\(call) \(number)" }
    }

    private static let payload = """
        [{"id": 1, "name": "new", "friend": 3, "tasks": []},
         {"id": 2, "friend": 1, "tags": ["x"], "tasks": [{"id": 6, "user": 2}]},
         {"id": 3, "friend": 99}]
        """

    static let failures = [
        Failure(call: .begin, number: 1, place: "1:1 $"), Failure(call: .find, number: 1, place: "1:2 $[0]"),
        Failure(call: .find, number: 2, place: "2:2 $[1]"),
        Failure(call: .find, number: 3, place: "2:50 $[1].tasks[0]"),
        Failure(call: .find, number: 4, place: "3:2 $[2]"), Failure(call: .add, number: 1, place: "2:2 $[1]"),
        Failure(call: .add, number: 2, place: "2:50 $[1].tasks[0]"), Failure(call: .add, number: 3, place: "3:2 $[2]"),
        Failure(call: .update, number: 1, place: "1:2 $[0]"),
        Failure(call: .replace, number: 1, place: "1:49 $[0].tasks"),
        Failure(call: .connect, number: 1, place: "1:2 $[0]"),
        Failure(call: .connect, number: 2, place: "2:50 $[1].tasks[0]"),
        Failure(call: .connect, number: 3, place: "2:2 $[1]"), Failure(call: .connect, number: 4, place: "2:2 $[1]"),
        Failure(call: .connect, number: 5, place: "3:2 $[2]"), Failure(call: .commit, number: 1, place: "1:1 $"),
    ]

    @Test(arguments: failures, [false, true])
    func `An error of the database has its position, and nothing is applied partially`(
        failure: Failure, usesKeptState: Bool
    ) throws {
        context.usesKeptState = usesKeptState
        let before = context.description
        context.fault = Context.Fault(call: failure.call, number: failure.number)
        for policy in [MappingReport.Policy.fail, .skipElement, .collect] {
            let found = issues { try User.import(Self.payload, context, policy) }
            let rule = failure.call == .replace ? " (rule tasks -> User.tasks)" : ""
            #expect(
                found
                    == "\(failure.place): expected a data source that accepts the object, found an error: disk full\(rule)"
            )
            #expect(context.description == before)
        }
        context.fault = nil
        let users = try User.import(Self.payload, context)
        #expect(users[0].friend === users[2] && users[1].tags.count == 1 && users[1].tasks[0].user === users[1])
    }

    @Test func `An error of a call that is never made changes nothing`() throws {
        context.fault = Context.Fault(call: .add, number: 4)
        #expect(try User.import(Self.payload, context).count == 3)
    }
}

extension Context {
    /// The content without row numbers, which rejected elements use up.
    var names: [String] {
        objects.map { object in
            let known = try? entity(of: object)
            let values = known?.columns.map { "\($0.read(object))" } ?? []
            let targets = known?.relations.map { $0.read(object).map(firstValue) } ?? []
            return "\(values) \(targets)"
        }.sorted()
    }

    private func firstValue(of object: AnyObject) -> String {
        (try? entity(of: object)).map { "\($0.columns[0].read(object))" } ?? ""
    }
}
