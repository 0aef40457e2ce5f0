import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Projects with nested tasks, and users.
private func projects() throws -> TestStore {
    try TestStore(
        EntityDescription(
            "Project", identifiedBy: ["projectID"],
            attributes: [
                AttributeDescription("projectID", AttributeType(.integer)),
                AttributeDescription("name", AttributeType(.string)),
                AttributeDescription("rank", AttributeType(.integer), isOptional: false, defaultValue: 5),
            ],
            relationships: [
                RelationshipDescription("owner", to: "User"),
                RelationshipDescription("tasks", to: "Task", isToMany: true, inverse: "project"),
            ]),
        EntityDescription(
            "Task", identifiedBy: ["taskID"],
            attributes: [
                AttributeDescription("taskID", AttributeType(.integer)),
                AttributeDescription("name", AttributeType(.string)),
            ],
            relationships: [RelationshipDescription("project", to: "Project")]),
        EntityDescription(
            "User", identifiedBy: ["userID"],
            attributes: [
                AttributeDescription("userID", AttributeType(.integer)),
                AttributeDescription("name", AttributeType(.string)),
            ]))
}

private let nested = [
    TestObject(
        "Project",
        [
            "projectID": 1, "name": "one", "owner": [TestObject("User", ["userID": 7, "name": "Ann"])],
            "tasks": [
                TestObject("Task", ["taskID": 11, "name": "a"]), TestObject("Task", ["taskID": 12, "name": "b"]),
            ],
        ]),
    TestObject(
        "Project",
        [
            "projectID": 2, "name": "two", "owner": [TestObject("User", ["userID": 8])],
            "tasks": [TestObject("Task", ["taskID": 21, "name": "c"])],
        ]),
]

@Suite struct `Rows of elements` {
    @Test func `an entity without attributes has a row for each object`() throws {
        let store = try TestStore(EntityDescription("Mark", attributes: []))
        try store.build([TestObject("Mark", [:]), TestObject("Mark", [:])])
        #expect(try store.rows("SELECT * FROM Mark") == ["1", "2"])
    }

    @Test func `nested objects become rows of their tables`() throws {
        let store = try projects()
        let summary = try store.build(nested)
        #expect(try store.rows("SELECT * FROM Project") == ["1|1|'one'|5|1", "2|2|'two'|5|2"])
        #expect(try store.rows("SELECT * FROM Task") == ["1|11|'a'|1", "2|12|'b'|1", "3|21|'c'|2"])
        #expect(try store.rows("SELECT * FROM User") == ["1|7|'Ann'", "2|8|NULL"])
        #expect(summary.entities.map(\.rows) == [2, 3, 2])
        #expect(summary.entities.map(\.merged) == [0, 0, 0])
        #expect(summary.unresolved.isEmpty)
        #expect(try store.seed().damages().isEmpty)
    }

    @Test(arguments: [[], ["Project"], ["Project", "Task"], ["Project", "Task", "User"]])
    func `rows that are inserted and rows that are searched first make the same file`(blind: [String]) throws {
        let store = try projects()
        try store.build(nested)
        try store.build(nested, name: "other.sqlite", blind: blind)
        #expect(try store.dump() == store.dump("other.sqlite"))
    }

    @Test func `two builds are equal byte for byte`() throws {
        let store = try projects()
        let many = (0..<3000).map { number in
            TestObject(
                "Project",
                [
                    "projectID": .value(.integer(Int64(number % 2500))),
                    "name": .value(.text(String(repeating: "x", count: number % 90))),
                    "owner": [TestObject("User", ["userID": .value(.integer(Int64(number % 70)))])],
                    "tasks": [TestObject("Task", ["taskID": .value(.integer(Int64(number &* 7919 % 5000)))])],
                ])
        }
        try store.build(many)
        try store.build(many, name: "other.sqlite")
        #expect(try Data(contentsOf: store.url()) == Data(contentsOf: store.url("other.sqlite")))
        #expect(try store.seed().damages().isEmpty)
    }

    @Test func `an unexpected repeated identity requires careful mode`() throws {
        let store = try projects()
        let twice = [TestObject("Task", ["taskID": 1]), TestObject("Task", ["taskID": 1])]
        let error = #expect(throws: StoreError.self) { try store.build(twice, blind: ["Task"]) }
        #expect(error?.kind == .constraint)
        #expect(error?.needsLookups == true)
        #expect(error?.entity == "Task")
        #expect(error?.description == "duplicate identity in 'Task'")
    }

    @Test func `objects without an identity are always new`() throws {
        let store = try TestStore(
            EntityDescription("Note", attributes: [AttributeDescription("text", AttributeType(.string))]))
        let note = TestObject("Note", ["text": "same"])
        #expect(try store.build([note, note]).entities.map(\.rows) == [2])
    }
}

@Suite struct `Merging of occurrences` {
    @Test func `present values and null replace, absent values are kept`() throws {
        let store = try projects()
        let summary = try store.build([
            TestObject("Project", ["projectID": 1, "name": "first", "rank": 1]),
            TestObject("Project", ["projectID": 1, "rank": 2]),
            TestObject("Project", ["projectID": 2, "name": "gone"]),
            TestObject("Project", ["projectID": 2, "name": nil]),
            TestObject("Project", ["projectID": 1]),
        ])
        #expect(try store.rows("SELECT * FROM Project") == ["1|1|'first'|2|NULL", "2|2|NULL|5|NULL"])
        #expect(summary.entities[0].rows == 2)
        #expect(summary.entities[0].merged == 3)
    }

    @Test func `an object that occurs twice in one element is one row`() throws {
        let store = try projects()
        try store.build([
            TestObject(
                "Project",
                [
                    "projectID": 1,
                    "tasks": [
                        TestObject("Task", ["taskID": 5, "name": "first"]),
                        TestObject("Task", ["taskID": 5, "name": "second"]),
                    ],
                ])
        ])
        #expect(try store.rows("SELECT * FROM Task") == ["1|5|'second'|1"])
    }

    @Test func `string and compound identities are found again, within an element and across elements`() throws {
        let store = try TestStore(
            EntityDescription(
                "Place", identifiedBy: ["country", "code"],
                attributes: [
                    AttributeDescription("country", AttributeType(.string)),
                    AttributeDescription("code", AttributeType(.integer)),
                    AttributeDescription("name", AttributeType(.string)),
                ],
                relationships: [
                    RelationshipDescription("parts", to: "Place", isToMany: true, inverse: "whole"),
                    RelationshipDescription("whole", to: "Place"),
                ]))
        try store.build([
            TestObject(
                "Place",
                [
                    "country": "CH", "code": 1,
                    "parts": [
                        TestObject("Place", ["country": "CH", "code": 2]),
                        TestObject("Place", ["country": "C", "code": 2]),
                        TestObject("Place", ["country": "CH", "code": 2, "name": "again"]),
                    ],
                ]),
            TestObject("Place", ["country": "CH", "code": 1, "name": "top"]),
        ])
        #expect(
            try store.rows("SELECT * FROM Place") == [
                "1|'CH'|1|'top'|NULL", "2|'CH'|2|'again'|1", "3|'C'|2|NULL|1",
            ])
    }

    @Test func `a present list replaces the former one`() throws {
        let store = try projects()
        try store.build(
            nested + [
                TestObject("Project", ["projectID": 1, "tasks": [TestObject("Task", ["taskID": 21])]]),
                TestObject("Project", ["projectID": 2, "owner": []]),
            ])
        #expect(try store.rows("SELECT taskID, project FROM Task") == ["11|NULL", "12|NULL", "21|1"])
        #expect(try store.rows("SELECT projectID, owner FROM Project") == ["1|1", "2|NULL"])
        #expect(try store.seed().damages().isEmpty)
    }

    @Test func `an empty list clears and an absent one keeps`() throws {
        let store = try projects()
        try store.build(
            nested + [TestObject("Project", ["projectID": 1, "tasks": []]), TestObject("Project", ["projectID": 2])])
        #expect(try store.rows("SELECT taskID, project FROM Task") == ["11|NULL", "12|NULL", "21|2"])
    }

    @Test func `elements of many shapes stay within the statement cache`() throws {
        let attributes = (0..<80).map { AttributeDescription("a\($0)", AttributeType(.integer)) }
        let store = try TestStore(EntityDescription("Wide", identifiedBy: ["a0"], attributes: attributes))
        let writer = try RowStore(at: store.url().path, model: store.model)
        for number in 1..<80 {
            try writer.insert(TestObject("Wide", ["a0": 1, "a79": 3]))
            let value = TestObject.Member.value(.integer(Int64(number)))
            try writer.insert(TestObject("Wide", members: [("a0", 1), ("a\(number)", value)]))
        }
        #expect(try writer.finish().entities[0].rows == 1)
        let sum = attributes.dropFirst().map(\.name).joined(separator: " + ")
        #expect(try store.rows("SELECT \(sum) FROM Wide") == ["\((1..<79).reduce(0, +) + 79)"])
    }
}
