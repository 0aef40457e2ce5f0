import ObjectMapping
import Testing

struct ImportTests {
    private let database = Database()
    private let context: Context

    init() { context = Context(database) }

    @Test func `A second import of the same payload makes no duplicates`() throws {
        let payload = #"[{"id": 1, "name": "a", "tasks": [{"id": 5}, {"id": 6}]}, {"id": 2, "tasks": [{"id": 7}]}]"#
        let first = try User.import(payload, context)
        let rows = database.entities
        #expect(rows == ["Task", "Task", "Task", "User", "User"])
        let second = try User.import(payload, context)
        #expect(
            zip(first, second).allSatisfy { $0 === $1 } && zip(first[0].tasks, second[0].tasks).allSatisfy { $0 === $1 }
        )
        let other = Context(database)
        let third = try User.import(payload, other)
        #expect(third[0] !== first[0] && third[0].tasks.map(\.id) == [5, 6] && database.entities == rows)
    }

    @Test func `An object is found in the context, then in the database, or is created`() throws {
        try User.import(#"{"id": 1, "name": "saved", "version": 1}"#, context)
        let other = Context(database)
        let found = try User.import(#"[{"id": 1}, {"id": 1}]"#, other)
        #expect(found[0] === found[1] && found[0].name == "saved" && found[0].version == 1)
        #expect(other.objects.count == 1 && database.entities == ["User"])
    }

    @Test func `An object with only an identity in the payload keeps its values`() throws {
        let user = try User.import(
            #"{"id": 1, "name": "a", "tags": ["x"], "tasks": [{"id": 5, "title": "t"}]}"#, context)[0]
        try User.import(#"[{"id": 1}]"#, context)
        try Task.import(#"[{"id": 5}]"#, context)
        #expect(user.name == "a" && user.tagNames == ["x"] && user.tasks.map(\.title) == ["t"])
        let fresh = try User.import(#"{"id": 9}"#, context)[0]
        #expect(fresh.id == 9 && fresh.name.isEmpty && fresh.tasks.isEmpty)
    }

    @Test func `Objects that are removed from a replaced relationship are deleted`() throws {
        let user = try User.import(#"{"id": 1, "tasks": [{"id": 5}, {"id": 6}, {"id": 7}]}"#, context)[0]
        try User.import(#"{"id": 1, "tasks": [{"id": 6}, {"id": 8}]}"#, context)
        #expect(user.tasks.map(\.id) == [6, 8] && context.object(Task.self, 5) == nil)
        #expect(database.entities == ["Task", "Task", "User"])
        try User.import(#"{"id": 1, "tasks": null}"#, context)
        #expect(user.tasks.isEmpty && database.entities == ["User"])
    }

    @Test(arguments: [
        #"[{"id": 1, "tasks": []}, {"id": 2, "tasks": [{"id": 5}]}]"#,
        #"[{"id": 2, "tasks": [{"id": 5}]}, {"id": 1, "tasks": []}]"#,
    ]) func `An object that moves from one relationship to another is not deleted`(payload: String) throws {
        try User.import(#"[{"id": 1, "tasks": [{"id": 5, "title": "t"}]}, {"id": 2}]"#, context)
        let users = try User.import(payload, context).sorted { $0.id < $1.id }
        #expect(users[0].tasks.isEmpty && users[1].tasks.map(\.title) == ["t"])
        #expect(database.entities == ["Task", "User", "User"])
    }

    @Test func `A payload that is older than the object is skipped, a newer one is read`() throws {
        let user = try User.import(
            #"{"id": 1, "name": "b", "version": 2, "tasks": [{"id": 5, "title": "new"}]}"#, context)[0]
        for policy in [MappingReport.Policy.fail, .collect, .skipElement] {
            let before = context.description
            try User.import(
                #"[{"name": "a", "tasks": [{"id": 5, "title": "old"}, {"id": 6}], "friend": 1, "version": 1, "id": 1}]"#,
                context, policy)
            #expect(context.description == before)
        }
        let other = Context(database)
        try User.import(#"{"id": 1, "name": "a", "version": 1}"#, other)
        #expect(other.object(User.self, 1)?.name == "b")
        try User.import(#"{"id": 1, "name": "c", "version": 3}"#, context)
        #expect(user.name == "c" && user.version == 3)
    }

    @Test func `An object that contains itself is one object`() throws {
        let task = Mapping<User>({ User() }) {
            Attribute("id", \.id)
            Attribute("name", \.name)
            Relationship("friend", \.friend, User.mapping)
        }
        .identified(by: \.id)
        let user = try task.all(#"{"id": 1, "friend": {"id": 1, "name": "inner"}, "name": "outer"}"#, context)[0]
        #expect(user.friend === user && user.name == "outer" && database.entities == ["User"])
        user.friend = nil
    }

    @Test func `Two mappings of a class can identify it by different properties`() throws {
        let user = try User.import(#"{"id": 1, "name": "a"}"#, context)[0]
        #expect(try User.byName.all(#"{"name": "a", "version": 7}"#, context)[0] === user && user.version == 7)
        let other = Context(database)
        #expect(try User.byName.all(#"{"name": "a"}"#, other)[0].id == 1 && database.entities == ["User"])
    }

    @Test func `An update in place gives an object another identity`() throws {
        let user = try User.import(#"[{"id": 1, "name": "a"}, {"id": 2}]"#, context)[0]
        var copy = user
        var report = MappingReport()
        try User.mapping.update(&copy, from: #"{"id": 3, "name": "b"}"#, dataSource: context, report: &report)
        #expect(context.object(User.self, 3) === user && context.object(User.self, 1) == nil && user.name == "b")
        let before = context.description
        let found = issues {
            try User.mapping.update(&copy, from: #"{"name": "c", "id": 2}"#, dataSource: context, report: &report)
        }
        #expect(found.hasPrefix("1:1 $: ") && found.hasSuffix("another User has the same key"))
        #expect(context.description == before)
    }

    @Test func `Objects that are not rows can contain rows, and be in a row`() throws {
        let page = Mapping({ Page() }) {
            Attribute("total", \.total)
            Relationship("users", \.users, User.mapping)
        }
        let pages = try page.all(#"[{"total": 2, "users": [{"id": 1}, {"id": 1}]}, {"users": [{"id": 1}]}]"#, context)
        #expect(pages[0].users[0] === pages[1].users[0] && pages[0].total == 2 && database.entities == ["User"])
    }

    private struct Page {
        var total = 0
        var users: [User] = []
    }

    @Test func `Payloads of several objects of each entity are saved together`() throws {
        context.savesOnCommit = false
        try User.import(#"[{"id": 1}, {"id": 2}]"#, context)
        try Tag.import(#"[{"name": "x"}]"#, context)
        #expect(database.entities.isEmpty && context.changedCount == 3)
        try context.save()
        #expect(database.entities == ["Tag", "User", "User"] && context.changedCount == 0)
    }

    @Test func `One object is found or created, and several instead of one change nothing`() throws {
        var report = MappingReport()
        let user = try User.mapping.map(#"{"id": 1, "tasks": [{"id": 5}]}"#, dataSource: context, report: &report)
        #expect(try User.mapping.map(#"[{"name": "a", "id": 1}]"#, dataSource: context, report: &report) === user)
        let before = context.description
        #expect(throws: MappingError.self) {
            try User.mapping.map(#"[{"id": 1, "name": "b"}, {"id": 2}]"#, dataSource: context, report: &report)
        }
        #expect(context.description == before && user.name == "a")
    }

    @Test(arguments: [false, true])
    func `Objects within a skipped payload are not created`(isLate: Bool) throws {
        // Two rules for an identity: it cannot be read before the object.
        let mapping = Mapping({ User() }) {
            Attribute("id", \.id)
            if isLate { Attribute("other id", \.id) }
            Attribute("version", \.version)
            Relationship("tasks", \.tasks, Task.mapping)
        }
        .identified(by: \.id).modified(by: \.version)
        context.requiresIdentity = false
        try mapping.all(#"{"id": 1, "version": 2, "tasks": [{"id": 5, "title": "new"}]}"#, context)
        try mapping.all(
            #"{"id": 1, "version": 1, "tasks": [{"id": 5, "title": "old"}, {"id": 6}]}"#, context)
        #expect(database.entities == ["Task", "User"] && context.object(Task.self, 5)?.title == "new")
        try mapping.all(#"{"id": 1, "version": 3, "tasks": [{"id": 5, "title": "newer"}, {"id": 6}]}"#, context)
        #expect(database.entities == ["Task", "Task", "User"] && context.object(Task.self, 5)?.title == "newer")
    }

    @Test func `An object that contains itself with the same timestamp is one object`() throws {
        let mapping = Mapping({ User() }) {
            Attribute("id", \.id)
            Attribute("other id", \.id)
            Attribute("version", \.version)
            Relationship("friend", \.friend, User.mapping)
            Relationship("tasks", \.tasks, Task.mapping)
        }
        .identified(by: \.id).modified(by: \.version)
        context.requiresIdentity = false
        try mapping.all(
            #"{"id": 1, "version": 1, "friend": {"id": 1, "version": 1, "tasks": [{"id": 5}]}}"#, context)
        #expect(database.entities == ["Task", "User"] && context.object(User.self, 1)?.tasks.map(\.id) == [5])
    }

    @Test func `An older payload for a matched object creates no nested objects`() throws {
        var tag = StampedTag(name: "a", version: 2, task: nil)
        let mapping = Mapping({ StampedTag(name: "", version: 0, task: nil) }) {
            Attribute("name", \.name)
            Attribute("version", \.version)
            Relationship("task", \.task, Task.mapping)
        }
        .identified(by: \.name).modified(by: \.version)
        context.requiresIdentity = false
        var report = MappingReport()
        let older = #"{"name": "a", "version": 1, "task": {"id": 5}}"#
        try mapping.update(&tag, from: older, dataSource: context, report: &report)
        #expect(context.object(Task.self, 5) == nil && database.entities.isEmpty && tag.task == nil)
    }

    private struct StampedTag {
        var name: String
        var version: Int
        var task: Task?
    }
}
