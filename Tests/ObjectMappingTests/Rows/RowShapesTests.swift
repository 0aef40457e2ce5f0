import ObjectMapping
import Testing

struct RowShapesTests {
    private static let entities = [
        RowEntity(
            name: "Project",
            attributes: [
                column("id", "integer", required: true), column("taskCount", "integer", from: "tasks.@count"),
                column("first", from: "tasks.@min.name"),
                column("owners", "[integer]", from: "tasks.@unionOfObjects.owner.id"),
                column("city", from: "place.city"),
            ],
            relationships: [
                RowRelationship(name: "tasks", path: "tasks", destination: 1, isToMany: true),
                RowRelationship(name: "owner", path: "people.owner", destination: 2, isToMany: false),
                RowRelationship(name: "inverse", path: nil, destination: 1, isToMany: true),
            ], elementNames: ["project"]),
        RowEntity(
            name: "Task", attributes: [column("id", "integer"), column("name")],
            relationships: [
                RowRelationship(name: "owner", path: "owner", destination: 2, isToMany: false),
                RowRelationship(name: "subtasks", path: "subtasks", destination: 1, isToMany: true),
            ], elementNames: ["task"]),
        RowEntity(
            name: "User", attributes: [column("id", "integer")], relationships: [], elementNames: ["user", "member"]),
    ]

    private static func rows(_ text: String, entity: Int? = 0) throws -> [String] {
        let texts = try rowTexts(of: text.utf8, entities, entity: entity)
        for size in [8, 33, 100] {
            expectTexts(try rowTexts(of: text.utf8, entities, entity: entity, windowSize: size, chunk: 5), texts)
        }
        return texts
    }

    @Test func `Nested objects become separate rows`() throws {
        let text = """
            [{"people": {"owner": {"id": 9}}, "place": {"city": "Rome"}, "id": 1,
              "tasks": [{"id": 5, "name": "b", "owner": {"id": 7}, "subtasks": [{"id": 6, "subtasks": []}]}, null, {"id": 8, "name": "a"}]}]
            """
        expectTexts(
            try Self.rows(text),
            [
                """
                Project(id: 1, taskCount: 3, first: "a", owners: "[7]", city: "Rome", tasks: [\
                Task(id: 5, name: "b", owner: User(id: 7), subtasks: [Task(id: 6, subtasks: [none])]), \
                Task(id: 8, name: "a")], owner: User(id: 9))
                """
            ])
    }

    @Test func `Rows are in the order of appearance, a parent before its children`() throws {
        let text =
            #"{"tasks": [{"subtasks": [{"id": 1}], "id": 2}, {"id": 3}], "id": 4, "people": {"owner": {"id": 5}}}"#
        let reader = try RowReader(
            source: ByteChunks(text.utf8), plan: RowPlan(entities: Self.entities), entity: 0, at: "", shape: .element)
        let element = try #require(try reader.next())
        #expect(element.rows.rows.map(\.entity) == [0, 1, 1, 1, 2])
        #expect(element.rows.rows.map(\.parent) == [-1, 0, 1, 0, 0])
        #expect(element.rows.rows.map(\.relationship) == [-1, 0, 1, 0, 1])
        #expect(element.rows.rows.map(\.offset) == [0, 11, 25, 47, 88])
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }

    @Test func `Null and empty relationships clear, absent ones do not`() throws {
        expectTexts(
            try Self.rows(
                #"[{"id": 1, "tasks": [], "people": {"owner": null}}, {"id": 2, "tasks": null, "people": null}, {"id": 3}]"#
            ),
            [
                #"Project(id: 1, taskCount: 0, first: null, owners: "[]", tasks: [none], owner: none)"#,
                #"Project(id: 2, taskCount: null, first: null, owners: null, tasks: [none], owner: none)"#,
                "Project(id: 3)",
            ])
    }

    @Test func `A single object is a collection of one`() throws {
        #expect(try Self.rows(#"{"id": 1, "tasks": {"id": 2}}"#)[0].hasSuffix("tasks: [Task(id: 2)])"))
    }

    @Test func `The last of repeated keys is used, also for rows`() throws {
        let text =
            #"{"id": 1, "id": 2, "tasks": [{"id": 3, "subtasks": [{"id": 4}]}], "place": {"city": "a"}, "tasks": [{"id": 5}], "place": {}}"#
        let texts = try rowTexts(of: text.utf8, Self.entities)
        #expect(texts == [#"Project(id: 2, taskCount: 1, first: null, owners: "[]", tasks: [Task(id: 5)])"#])
        #expect(
            try Self.rows(#"{"id": 1, "people": {"owner": null, "owner": {"id": 1}}}"#)[0].hasSuffix(
                "owner: User(id: 1))"))
        #expect(
            try Self.rows(#"{"id": 1, "people": {"owner": {"id": 1}, "owner": null}}"#)[0].hasSuffix("owner: none)"))
        let reader = try RowReader(
            source: ByteChunks(text.utf8), plan: RowPlan(entities: Self.entities), entity: 0, at: "", shape: .element)
        let element = try #require(try reader.next())
        #expect(element.isSound)
        #expect(element.issues.map(\.path) == ["$.id", "$.tasks", "$.place"])
    }

    @Test func `Invalid and missing values are issues, and the next element is read`() throws {
        expectTexts(
            try Self.rows(#"[{"id": "x", "tasks": [5, {"id": []}]}, {"tasks": 1}, {"id": null}, 5, {"id": 4}]"#),
            [
                """
                1:9 $[0].id: expected an integer, found a string that cannot be converted to an integer (rule id -> Project.id)
                1:24 $[0].tasks[0]: expected an object, found a number (rule tasks -> Project.tasks)
                1:34 $[0].tasks[1].id: expected an integer, found an array (rule id -> Task.id)
                """,
                """
                1:41 $[1].id: expected the key 'id', found no such key (rule id -> Project.id)
                1:51 $[1].tasks: expected an array of objects, found a number (rule tasks -> Project.tasks)
                """,
                "1:62 $[2].id: expected an integer, found null (rule id -> Project.id)",
                "1:69 $[3]: expected an object, found a number",
                "Project(id: 4)",
            ])
    }

    @Test func `The wrapper's name selects the entity`() throws {
        expectTexts(
            try Self.rows(
                #"[{"user": {"id": 1}}, {"task": {"id": 2, "owner": {"id": 3}}}, {"member": {"id": 4}, "task": {"id": 5}}]"#,
                entity: nil),
            [
                "User(id: 1)", "Task(id: 2, owner: User(id: 3))", "User(id: 4) + Task(id: 5)",
            ])
        expectTexts(
            try Self.rows(
                #"[{"task": {"id": 1}, "user": null}, {"task": {"id": 1}, "user": {"id": 2}, "task": {"id": 3}}]"#,
                entity: nil),
            ["Task(id: 1)", "User(id: 2) + Task(id: 3)"])
        expectTexts(
            try Self.rows(#"[{"usre": {"id": 1}}, {}, 5]"#, entity: nil),
            [
                "1:2 $[0]: expected a wrapper: one of project, task, user, member, found no wrapper; did you mean 'user'?",
                "1:23 $[1]: expected a wrapper: one of project, task, user, member, found no wrapper",
                "1:27 $[2]: expected an object that wraps an element, found a number",
            ])
    }
}
