import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Updating a file` {
    private func store() throws -> TestStore {
        try TestStore(
            EntityDescription(
                "Task", identifiedBy: ["id"],
                attributes: [
                    AttributeDescription("id", AttributeType(.integer)),
                    AttributeDescription("userID", AttributeType(.integer)),
                    AttributeDescription("tagIDs", AttributeType(.integer, isList: true)),
                ],
                relationships: [
                    RelationshipDescription("user", to: "User", by: ["userID"]),
                    RelationshipDescription("tags", to: "Tag", isToMany: true, by: ["tagIDs"]),
                    RelationshipDescription("room", to: "Tag"),
                ]),
            EntityDescription(
                "User", identifiedBy: ["id"], attributes: [AttributeDescription("id", AttributeType(.integer))]),
            EntityDescription(
                "Tag", identifiedBy: ["id"], attributes: [AttributeDescription("id", AttributeType(.integer))]))
    }

    private let first = [
        TestObject("User", ["id": 7]), TestObject("Task", ["id": 1, "userID": 7, "tagIDs": "[1,2]"]),
        TestObject("Task", ["id": 2, "userID": 8]), TestObject("Tag", ["id": 1]),
    ]

    @Test func `a pending connection is set when its target arrives`() throws {
        let store = try store()
        #expect(try store.build(first).unresolved.map(\.count) == [1, 1])
        let summary = try store.build(
            [TestObject("User", ["id": 8]), TestObject("Tag", ["id": 2])], updating: true)
        #expect(summary.unresolved.isEmpty)
        #expect(summary.entities.map(\.rows) == [2, 2, 2])
        #expect(summary.entities.map(\.inserted) == [0, 1, 1])
        #expect(try store.rows("SELECT id, user FROM Task") == ["1|1", "2|2"])
        #expect(try store.rows("SELECT * FROM Task_tags") == ["1|1|0", "1|2|1"])
        #expect(try store.rows("SELECT count(*) FROM _mappingkit_pending") == ["0"])
        #expect(try store.seed().damages().isEmpty)
    }

    @Test func `two updates have the same result as one build`() throws {
        let store = try store()
        let second = [
            TestObject("Task", ["id": 1, "userID": 9, "tagIDs": "[2]"]), TestObject("Tag", ["id": 2]),
            TestObject("Task", ["id": 3, "tagIDs": "[1]"]), TestObject("User", ["id": 8]),
        ]
        try store.build(first)
        try store.build(second, updating: true)
        try store.build(first + second, name: "other.sqlite")
        #expect(try store.dump() == store.dump("other.sqlite"))
    }

    @Test(arguments: [true, false])
    func `an update with equal objects writes no row, and searches no table for keys`(containsTargets: Bool) throws {
        let store = try store()
        let objects = [
            TestObject("User", ["id": 7]), TestObject("User", ["id": 8]),
            TestObject("Task", ["id": 1, "userID": 7, "tagIDs": "[1]"]), TestObject("Task", ["id": 2, "userID": 8]),
            TestObject("Tag", ["id": 1]),
        ]
        try store.build(objects)
        let before = try store.dump()
        let writer = try RowStore(at: store.url().path, model: store.model, updating: true)
        var statements: [String] = []
        writer.database.trace { sql, _, _ in statements.append(sql) }
        // A list of keys is followed at the end.
        for object in objects where object.members.count < 3 && (containsTargets || object.entity == "Task") {
            try writer.insert(object)
        }
        _ = try writer.finish()
        let writes = statements.filter { ["UPDATE", "INSERT", "DELETE"].contains($0.prefix(6)) }
        #expect(writes.allSatisfy { $0.contains("_mappingkit") }, "\(writes)")
        #expect(!writes.contains { $0.contains("_mappingkit_source") }, "\(writes)")
        #expect(try store.dump() == before)
    }

    @Test func `rows are added after the last one that an app left`() throws {
        let store = try store()
        try store.build(first)
        do {
            let database = try SQLiteDatabase(path: store.url().path, mode: .readWrite)
            try database.execute("DELETE FROM User; INSERT INTO User VALUES(40, 40); DELETE FROM Task WHERE id = 1")
        }
        try store.build(
            [TestObject("User", ["id": 41]), TestObject("Task", ["id": 3, "userID": 41])], updating: true)
        #expect(try store.rows("SELECT * FROM User") == ["40|40", "41|41"])
        #expect(try store.rows("SELECT _id, id, user FROM Task") == ["2|2|NULL", "3|3|41"])
    }

    @Test(arguments: [Int64.max - 1, .max])
    func `a file without free row numbers is refused`(last: Int64) throws {
        let store = try store()
        try store.build(first)
        do {
            let database = try SQLiteDatabase(path: store.url().path, mode: .readWrite)
            try database.execute("INSERT INTO Tag VALUES(\(last), 5)")
        }
        let error = #expect(throws: StoreError.self) {
            try store.build([TestObject("Tag", ["id": 2]), TestObject("Tag", ["id": 3])], updating: true)
        }
        #expect(error?.kind == .corrupt)
        #expect(error?.entity == "Tag")
        #expect(error?.message == "cannot add rows to 'Tag': its last row has the number \(last)")
    }

    @Test func `pending connections of an app are set, too`() throws {
        let store = try store()
        try store.build(first)
        do {
            let database = try SQLiteDatabase(path: store.url().path, mode: .readWrite)
            try database.execute(
                "INSERT INTO _mappingkit_pending VALUES('Task', 2, 'room', '[5]'), ('Task', 1, 'room', '[6]')")
        }
        let summary = try store.build([TestObject("Tag", ["id": 5])], updating: true)
        #expect(try store.rows("SELECT id, room FROM Task") == ["1|NULL", "2|2"])
        #expect(summary.unresolved.map(\.relationship) == ["user", "tags", "room"])
        #expect(summary.unresolved.last?.samples == ["[6]"])
    }

    @Test func `a file of another model is refused with the difference`() throws {
        let id = AttributeDescription("id", AttributeType(.integer))
        let name = AttributeDescription("name", AttributeType(.string))
        let text = AttributeDescription("id", AttributeType(.string))
        let cases: [([EntityDescription], String)] = [
            ([EntityDescription("Task", attributes: [id])], "$.Task.attributes.name is missing in the file"),
            (
                [EntityDescription("Task", attributes: [text, name])],
                #"$.Task.attributes.id.type is "string" in the file and "integer" in the model"#
            ),
            (
                [EntityDescription("Task", attributes: [id, name]), EntityDescription("User", attributes: [])],
                "$.User is only in the file"
            ),
            (
                [EntityDescription("Task", identifiedBy: ["id"], attributes: [id, name])],
                "$.Task.identifiedBy is only in the file"
            ),
        ]
        for (entities, difference) in cases {
            let directory = try TemporaryDirectory()
            let path = directory.file("test.sqlite").path
            _ = try RowStore(at: path, model: ObjectModel(entities: entities)).finish()
            let model = try ObjectModel(entities: [EntityDescription("Task", attributes: [id, name])])
            let error = #expect(throws: StoreError.self) { try RowStore(at: path, model: model, updating: true) }
            #expect(error?.kind == .modelMismatch)
            #expect(error?.message == "the database has another model: \(difference)")
        }
    }

    @Test func `a file whose model lists the same in another order is updated`() throws {
        let store = try store()
        try store.build(first)
        let turned = try ObjectModel(entities: store.model.entities.reversed())
        let writer = try RowStore(at: store.url().path, model: turned, updating: true)
        try writer.insert(TestObject("User", ["id": 8]))
        #expect(try writer.finish().unresolved.map(\.relationship) == ["tags"])
        #expect(try store.seed().damages().isEmpty)
    }

    @Test func `a file of another program, another file, or a missing file is refused`() throws {
        let store = try store()
        let missing = #expect(throws: StoreError.self) { try store.build(first, updating: true) }
        #expect(missing?.kind == .cannotOpen)
        try SQLiteDatabase(path: store.url().path, mode: .create).execute("CREATE TABLE t(a)")
        let foreign = #expect(throws: StoreError.self) { try store.build(first, updating: true) }
        #expect(foreign?.kind == .foreign)
        try Data(repeating: 7, count: 5000).write(to: store.url())
        let noise = #expect(throws: StoreError.self) { try store.build(first, updating: true) }
        #expect(noise?.kind == .corrupt)
    }

    @Test func `an existing file is not overwritten by a build`() throws {
        let store = try store()
        try store.build(first)
        #expect(throws: StoreError.self) { try store.build(first) }
    }
}
