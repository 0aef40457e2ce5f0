import Foundation
import ObjectMapping
import ObjectStore
import TestSupport
import Testing

@testable import Seeder

@Suite struct ObjectSeederTests {
    static let model = try? ObjectModel(entities: [
        EntityDescription(
            "Project", identifiedBy: ["projectID"],
            attributes: [
                AttributeDescription("projectID", AttributeType(.integer)),
                AttributeDescription("name", AttributeType(.string), isOptional: false),
                AttributeDescription("taskCount", AttributeType(.integer)),
            ], relationships: [RelationshipDescription("tasks", to: "Task", isToMany: true, inverse: "project")]),
        EntityDescription(
            "Task", identifiedBy: ["taskID"],
            attributes: [
                AttributeDescription("taskID", AttributeType(.integer)),
                AttributeDescription("userID", AttributeType(.integer)),
            ],
            relationships: [
                RelationshipDescription("project", to: "Project"),
                RelationshipDescription("user", to: "User", by: ["userID"]),
            ]),
        EntityDescription(
            "User", identifiedBy: ["userID"], attributes: [AttributeDescription("userID", AttributeType(.integer))]),
    ])

    @Test func `mappings by name build the same database as a manifest`() throws {
        let folder = try TemporaryDirectory()
        let projects = try folder.write(
            #"{"all":[{"id":1,"name":"p","tasks":[{"id":10,"user":{"id":7}},{"id":11}]}]}"#, to: "projects.json")
        let users = try folder.write(#"{"7":{},"8":{}}"#, to: "users.json")
        let lines = try folder.write("{\"id\":12,\"user\":{\"id\":9}}\n", to: "tasks.ndjson")
        let output = folder.file("seed.sqlite")
        var seeder = ObjectSeeder(model: try #require(Self.model), output: output)
        let task = EntityMapping("Task", ["taskID": "id", "userID": "user.id"])
        try seeder.seed(
            from: projects,
            with: EntityMapping("Project", ["projectID": "id", "taskCount": "tasks.@count", "tasks": "tasks"]),
            at: "all")
        try seeder.seed(from: users, with: EntityMapping("User", ["userID": "@key"]), each: .member)
        try seeder.seed(from: lines, with: task)
        let report = try seeder.finish()
        #expect(report.entities.map { "\($0.name) \($0.rows)" } == ["Project 1", "Task 3", "User 2"])
        #expect(try rows("SELECT * FROM Project", in: output) == ["1, 1, 'p', 2"])
        #expect(
            try rows("SELECT * FROM Task", in: output) == [
                "1, 10, 7, 1, 1", "2, 11, NULL, 1, NULL", "3, 12, 9, NULL, NULL",
            ])
        #expect(report.unresolved.map { "\($0.relationship) \($0.count) \($0.samples)" } == [#"user 1 ["9"]"#])
    }

    @Test func `the default mapping of an entity has the names of its attributes as keys`() throws {
        let folder = try TemporaryDirectory()
        let users = try folder.write(#"[{"userID":7},{"userID":8}]"#, to: "users.json")
        var seeder = ObjectSeeder(model: try #require(Self.model), output: folder.file("seed.sqlite"))
        try seeder.seed(from: users, with: "User")
        #expect(try seeder.finish().entities.map(\.rows) == [0, 0, 2])
    }

    @Test func `wrapped elements need no mapping`() throws {
        let folder = try TemporaryDirectory()
        let mixed = try folder.write(#"[{"user":{"userID":7}},{"task":{"id":8}}]"#, to: "mixed.json")
        var seeder = ObjectSeeder(model: try #require(Self.model), output: folder.file("seed.sqlite"))
        try seeder.map(EntityMapping("Task", ["taskID": "id"]))
        try seeder.seed(from: mixed, with: nil)
        #expect(try seeder.finish().entities.map(\.rows) == [0, 1, 1])
    }

    @Test(arguments: [
        (EntityMapping("Usr"), "the model has no entity 'Usr'; did you mean 'User'?"),
        (
            EntityMapping("User", ["userId": "id"]),
            "User has no attribute or relationship 'userId'; did you mean 'userID'?"
        ),
        (
            EntityMapping("User", ["userID": "a.@counts"]),
            "User.userID: expected a collection operator, found '@counts' in the key path 'a.@counts'; did you mean '@count'?"
        ),
    ])
    func `a mapping that does not match the model is refused before the build`(mapping: EntityMapping, message: String)
        throws
    {
        var seeder = ObjectSeeder(model: try #require(Self.model), output: URL(filePath: "/tmp/never.sqlite"))
        let error = #expect(throws: SeedError.self) { try seeder.seed(from: URL(filePath: "x"), with: mapping) }
        #expect(error?.message == message)
    }

    @Test func `an entity has one mapping`() throws {
        var seeder = ObjectSeeder(model: try #require(Self.model), output: URL(filePath: "/tmp/never.sqlite"))
        try seeder.seed(from: URL(filePath: "x"), with: "User")
        try seeder.seed(from: URL(filePath: "y"), with: "User")
        let error = #expect(throws: SeedError.self) {
            try seeder.seed(from: URL(filePath: "z"), with: EntityMapping("User", ["userID": "id"]))
        }
        #expect(error?.description == "User has two different mappings\nUse the same mapping for all sources.")
    }

    @Test func `a seeder without a source builds nothing`() throws {
        let folder = try TemporaryDirectory()
        let seeder = ObjectSeeder(model: try #require(Self.model), output: folder.file("seed.sqlite"))
        #expect(throws: SeedError.self) { try seeder.finish() }
        #expect(try folder.names == [])
    }

    @Test func `a cancelled task ends its build and leaves nothing behind`() async throws {
        let folder = try SeedFolder(["seed.json": taskManifest(), "tasks.json": #"[{"id":1}]"#])
        let seeder = try ObjectSeeder(manifest: folder.folder.file("seed.json"), output: folder.output)
        let build = Task {
            while !Task.isCancelled { await Task.yield() }
            return try seeder.finish()
        }
        build.cancel()
        let error = await #expect(throws: SeedError.self) { try await build.value }
        #expect(error?.kind == .interrupted)
        #expect(try folder.folder.names == ["seed.json", "tasks.json"])
    }

    @Test func `a cancelled task reads no more of an element, however large it is`() async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write("[1]", to: "a.json").path
        let reading = Task {
            while !Task.isCancelled { await Task.yield() }
            let source = InputByteSource(try Descriptor(reading: path), name: "a.json", stamp: nil)
            let block = ByteBlock(count: 8)
            return try source.read(into: block.bytes)
        }
        reading.cancel()
        let error = await #expect(throws: SeedError.self) { try await reading.value }
        #expect(error?.kind == .interrupted)
    }

    @Test func `two entities that match the same wrapper are refused`() throws {
        let entities = ["ProjectTask", "Project_Task"].map { name in
            EntityDescription(name, attributes: [AttributeDescription("id", AttributeType(.integer))])
        }
        let model = try ObjectModel(entities: entities)
        var seeder = ObjectSeeder(model: model, output: URL(filePath: "/tmp/never.sqlite"))
        try seeder.seed(from: URL(filePath: "x"), with: "ProjectTask")
        let error = #expect(throws: SeedError.self) { try seeder.seed(from: URL(filePath: "y"), with: nil) }
        #expect(
            error?.description == """
                the element name 'project_task' is used by both ProjectTask and Project_Task
                Choose different element names, or use a separate source for each entity.
                """)
    }

    @Test func `a report is JSON too`() throws {
        let folder = try SeedFolder([
            "seed.json": taskManifest(), "tasks.json": #"[{"id":1},{"id":"x"}]"#,
        ])
        let result = try folder.run(
            "build", "seed.json", "-o", "out.sqlite", "--on-error", "skip", "--report", "report.json", "--quiet")
        #expect(result.status == 0)
        #expect(result.output.isEmpty && result.errors.isEmpty)
        let json = try JSON(folder.folder.data(of: "report.json"))
        #expect(
            json.object?.keys == [
                "path", "size", "seconds", "peakMemoryBytes", "rejects", "entities", "sources", "unresolved",
                "conflicts",
            ])
        #expect(json["path"].string == "out.sqlite")
        #expect(json["rejects"].string == "out.sqlite.rejects.ndjson")
        #expect(json["entities"].text == #"[{"name":"Task","rows":1,"merged":0,"conflicts":0}]"#)
        #expect(json["sources"].text == #"[{"file":"tasks.json","read":2,"kept":1,"rejected":1}]"#)
        #expect((json["peakMemoryBytes"].int ?? 0) > 1_000_000)
    }
}
