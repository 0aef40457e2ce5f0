import ObjectMapping
import Testing

/// Payloads of unusual shapes, and modifiers of mappings.
struct ShapeTests {
    private let database = Database()
    private let context: Context

    init() { context = Context(database) }

    private func read<Model>(
        _ mapping: Mapping<Model>, _ payload: String, _ policy: MappingReport.Policy = .fail,
        at keyPath: JSONKeyPath = "",
        each shape: ElementShape = .element, metadata: JSON = [:]
    ) throws -> [Model] {
        var report = MappingReport(policy: policy)
        var options = MappingOptions()
        options.metadata = metadata
        return try mapping.mapAll(
            payload, at: keyPath, each: shape, dataSource: context, options: options, parallel: nil, report: &report)
    }

    @Test func `Objects are found by the keys of an object of objects`() throws {
        let tags = Mapping({ Tag() }) {
            Attribute(.key, \.name)
            Attribute("color", \.color)
        }
        .identified(by: \.name)
        let known = try Tag.import(#"{"name": "x"}"#, context)[0]
        let all = try read(tags, #"{"y": {"color": "blue"}, "x": {"color": "red"}}"#, each: .member)
        #expect(all.map(\.name) == ["y", "x"] && all[1] === known && known.color == "red")
        #expect(database.entities == ["Tag", "Tag"])
    }

    @Test func `A part of an identity can be a property of the parent`() throws {
        let seat = Mapping({ Seat() }) {
            Attribute(.parent("row"), \.row)
            Attribute("number", \.number)
        }
        .identified(by: \.row).identified(by: \.number)
        let rows = Mapping({ Row() }) { Relationship("seats", \.seats, seat) }
        let known = try Seat.import(#"{"at": {"row": "B"}, "number": 2}"#, context)[0]
        let all = try read(
            rows, #"[{"row": "A", "seats": [{"number": 1}, {"number": 2}]}, {"seats": [{"number": 2}], "row": "B"}]"#)
        #expect(all[1].seats[0] === known && database.entities.count == 3)
    }

    private struct Row { var seats: [Seat] = [] }

    @Test func `An identity can be metadata`() throws {
        let task = Mapping({ Task() }) {
            Attribute(.metadata("id"), \.id)
            Attribute("title", \.title)
        }
        .identified(by: \.id)
        for title in ["a", "b"] { _ = try read(task, #"{"title": "\#(title)"}"#, metadata: ["id": .integer(5)]) }
        #expect(context.object(Task.self, 5)?.title == "b" && database.entities == ["Task"])
    }

    @Test func `A key that occurs twice sets a replaced relationship twice`() throws {
        let user = try User.import(
            #"{"id": 1, "tasks": [{"id": 5}, {"id": 7}], "tasks": [{"id": 6}, {"id": 7}]}"#, context)[0]
        #expect(user.tasks.map(\.id) == [6, 7])
        #expect(database.entities == ["Task", "Task", "User"])
    }

    @Test func `An object that occurs twice in a relationship is one row`() throws {
        let user = try User.import(
            #"{"id": 1, "tasks": [{"id": 5, "title": "a"}, {"id": 5, "title": "b"}, null]}"#, context, .collect)[0]
        #expect(user.tasks.count == 2 && user.tasks[0] === user.tasks[1] && user.tasks[0].title == "b")
        #expect(database.entities == ["Task", "User"])
    }

    @Test func `If issues are collected, an object without an identity is not in its relationship`() throws {
        try User.import(#"{"id": 1, "tasks": [{"id": 5}]}"#, context)
        let users = try User.import(
            #"[{"id": 1, "tasks": [{"title": "no identity"}, {"id": 6}, {"id": []}]}, {"id": "?"}, {"name": "a"}]"#,
            context,
            .collect)
        #expect(users.map(\.id) == [1] && users[0].tasks.map(\.id) == [6])
        #expect(database.entities == ["Task", "User"])
    }

    @Test func `If issues are collected, an invalid value does not affect the other values`() throws {
        try User.import(#"{"id": 1, "name": "a", "version": 1}"#, context)
        let user = try User.import(#"{"id": 1, "name": [], "friend": 1, "version": "?"}"#, context, .collect)[0]
        #expect(user.name == "a" && user.friend === user && user.version == 1)
        user.friend = nil
    }

    static let stamps: [(String, String)] = [
        (#"{"id": 1, "name": "new", "version": 2}"#, "old"), (#"{"id": 1, "name": "new"}"#, "new"),
        (#"{"id": 1, "name": "new", "version": null}"#, "new"), (#"{"id": 1, "name": "new", "version": 1}"#, "old"),
        (#"{"version": "3", "id": 1, "name": "new"}"#, "new"),
    ]

    @Test(arguments: stamps)
    func `A timestamp can be equal, older, newer, null or missing`(payload: String, name: String) throws {
        try User.import(#"{"id": 1, "name": "old", "version": 2}"#, context)
        try User.import(payload, context)
        #expect(context.object(User.self, 1)?.name == name)
        let other = Context(database)
        #expect(other.object(User.self, 1)?.name == name)
    }

    // MARK: Replaced objects

    private static let replacing = Mapping({ User() }) {
        Attribute("id", \.id)
        Relationship("tasks", \.tasks, Task.mapping).policy(.replace).whenAbsent(.clear)
        Relationship("friend", \.friend, User.mapping).policy(.replace)
    }
    .identified(by: \.id)

    @Test func `An absent key that clears a relationship deletes its objects`() throws {
        _ = try read(Self.replacing, #"[{"id": 1, "tasks": [{"id": 5}], "friend": {"id": 2}}]"#)
        _ = try read(Self.replacing, #"[{"id": 1}]"#)
        #expect(database.entities == ["User", "User"])
        _ = try read(Self.replacing, #"[{"friend": {"id": 3}, "id": 1}]"#)
        #expect(database.entities == ["User", "User"] && context.object(User.self, 2) == nil)
    }

    @Test(arguments: [
        (#"[{"id": 9},\n {"id": 1, "tasks": []}]"#, "2:21 $[1].tasks"),
        (#"[{"id": 9},\n {"id": 1, "tasks": null}]"#, "2:21 $[1].tasks"),
        (#"[{"id": 9},\n {"id": 1, "tasks": [{"id": 6}]}]"#, "2:21 $[1].tasks"),
        (#"[{"id": 9},\n {"id": 1}]"#, "2:2 $[1]"),
    ]) func `An error about replaced objects has the position of the value or of its object`(
        payload: String, place: String
    ) throws {
        _ = try read(Self.replacing, #"[{"id": 1, "tasks": [{"id": 5}]}]"#)
        let before = context.description
        context.fault = Context.Fault(call: .replace)
        let found = issues { _ = try read(Self.replacing, payload.replacing("\\n", with: "\n")) }
        #expect(context.description == before && found.contains("found an error: disk full"))
        #expect(found.hasPrefix("\(place): "), "\(found)")
    }

    // MARK: Kinds

    private struct Item {
        let object: AnyObject
        init(_ object: AnyObject) { self.object = object }
    }

    @Test(arguments: [
        #"[{"kind": "tag", "name": "x"}, {"kind": "user", "id": 1, "tasks": [{"id": 5}], "tags": ["x"]}]"#,
        #"[{"id": 1, "tags": ["x"], "tasks": [{"id": 5}], "kind": "user"}, {"name": "x", "kind": "tag"}]"#,
    ]) func `A mapping that is chosen by content finds objects of several entities`(payload: String) throws {
        let item = Mapping<Item>(matching: {
            Match("kind", is: "tag", Tag.mapping, { Item($0) })
            Match("kind", is: "user", User.mapping, { Item($0) })
        })
        let first = try read(item, payload)
        let before = context.description
        let second = try read(item, payload)
        #expect(zip(first, second).allSatisfy { $0.object === $1.object } && context.description == before)
        #expect(context.object(User.self, 1)?.tags.count == 1 && database.entities == ["Tag", "Task", "User"])
    }

    @Test func `A relationship with the policy union keeps its objects and deletes none`() throws {
        let user = Mapping({ User() }) {
            Attribute("id", \.id)
            Relationship("tasks", \.tasks, Task.mapping).policy(.union)
        }
        .identified(by: \.id)
        for payload in [#"{"id": 1, "tasks": [{"id": 5}]}"#, #"{"tasks": [{"id": 6}, {"id": 5}], "id": 1}"#] {
            _ = try read(user, payload)
        }
        #expect(
            context.object(User.self, 1)?.tasks.map(\.id) == [5, 6] && database.entities == ["Task", "Task", "User"])
    }

    @Test func `A payload is read by one thread only`() throws {
        let elements = (0..<20_000).map { #"{"id": \#($0 % 500), "name": "n\#($0)", "friend": \#($0 % 7)}"# }
        var report = MappingReport()
        let users = try User.mapping.mapAll(
            "[" + elements.joined(separator: ", ") + "]", dataSource: context, parallel: ParallelReading(),
            report: &report)
        #expect(users.count == 20_000 && users[500] === users[0] && users[1].name == "n19501")
        #expect(database.entities.count == 500)
        for user in users { user.friend = nil }
    }

    // MARK: Updates in place

    @Test(arguments: [
        #"{"name": "b", "friend": 1, "tags": ["x"], "tasks": [], "version": []}"#, #"{"name": "b", "id": []}"#,
        #"{"tasks": [{"id": 5, "title": "new"}, {"id": 6}, {}]}"#, #"{"id": 2, "id": "x"}"#, #"{"name": "b""#,
        #"[{"id": 2}, {"id": 3}]"#, "7",
    ]) func `An update with issues changes nothing`(payload: String) throws {
        var user = try User.import(#"{"id": 1, "name": "a", "tasks": [{"id": 5, "title": "t"}]}"#, context)[0]
        let before = context.description
        var report = MappingReport()
        #expect(throws: MappingError.self) {
            try User.mapping.update(&user, from: payload, dataSource: context, report: &report)
        }
        #expect(context.description == before)
    }

    @Test func `An update in place changes only an object of its context`() throws {
        var user = try User.import(#"{"id": 1, "name": "a"}"#, context)[0]
        var report = MappingReport()
        try User.mapping.update(
            &user, from: #"{"name": "b", "tasks": [{"id": 5, "user": 1}]}"#, dataSource: context, report: &report)
        #expect(user.name == "b" && user.tasks[0].user === user && database.entities == ["Task", "User"])
        var foreign = User()
        let found = issues {
            try User.mapping.update(&foreign, from: #"{"id": 1, "name": "c"}"#, dataSource: context, report: &report)
        }
        #expect(found.hasPrefix("1:1 $: ") && found.hasSuffix("the object belongs to another context"))
        #expect(foreign.name.isEmpty && foreign.id == 0)
        for task in user.tasks { task.user = nil }
    }

    @Test func `An update in place with an older timestamp is skipped`() throws {
        var user = try User.import(#"{"id": 1, "name": "a", "version": 3}"#, context)[0]
        let before = context.description
        var report = MappingReport()
        for payload in [#"{"name": "b", "version": 2}"#, #"{"id": 9, "version": 3, "tasks": [{"id": 5}]}"#] {
            try User.mapping.update(&user, from: payload, dataSource: context, report: &report)
            #expect(context.description == before)
        }
    }
}
