import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

private let integer = AttributeType(.integer)
private let string = AttributeType(.string)
private let integers = AttributeType(.integer, isList: true)

/// An entity with an identity of one attribute called `id`.
private func entity(
    _ name: String, _ type: AttributeType = integer, _ attributes: [AttributeDescription] = [],
    _ relationships: [RelationshipDescription] = []
) -> EntityDescription {
    EntityDescription(
        name, identifiedBy: ["id"], attributes: [AttributeDescription("id", type)] + attributes,
        relationships: relationships)
}

private func tasksAndUsers() throws -> TestStore {
    try TestStore(
        entity(
            "Task", integer, [AttributeDescription("userID", integer)],
            [RelationshipDescription("user", to: "User", inverse: "tasks", by: ["userID"])]),
        entity("User", integer, [], [RelationshipDescription("tasks", to: "Task", isToMany: true)]))
}

@Suite struct `Wiring by key` {
    private let task = TestObject("Task", ["id": 1, "userID": 7])
    private let other = TestObject("Task", ["id": 2, "userID": 8])
    private let user = TestObject("User", ["id": 7])
    private let lateUser = TestObject("User", ["id": 8])

    @Test(arguments: [true, false])
    func `targets are found in any order`(isBlind: Bool) throws {
        let orders = [
            [task, other, user, lateUser], [user, lateUser, task, other], [task, user, other, lateUser],
            [lateUser, other, user, task],
        ]
        for order in orders {
            let store = try tasksAndUsers()
            let summary = try store.build(order, blind: isBlind ? ["Task", "User"] : [])
            let wires = "SELECT t.id, u.id FROM Task t JOIN User u ON t.user = u._id ORDER BY 1"
            #expect(try store.rows(wires) == ["1|7", "2|8"])
            #expect(summary.unresolved.isEmpty)
            #expect(try store.seed().damages().isEmpty)
        }
    }

    @Test func `unresolved connections are null, listed and counted`() throws {
        let store = try tasksAndUsers()
        let tasks = (1...9).map { number in
            TestObject(
                "Task",
                ["id": .value(.integer(number)), "userID": .value(.integer(number == 9 ? 7 : 100 + number / 2))])
        }
        let summary = try store.build(tasks + [user, TestObject("Task", ["id": 10, "userID": nil])])
        #expect(try store.rows("SELECT id FROM Task WHERE user IS NOT NULL") == ["9"])
        #expect(try store.rows("SELECT count(*) FROM _mappingkit_pending") == ["8"])
        #expect(try store.rows("SELECT * FROM _mappingkit_pending LIMIT 1") == ["'Task'|1|'user'|'[100]'"])
        let open = UnresolvedConnections(
            entity: "Task", relationship: "user", destination: "User", count: 8,
            samples: ["[100]", "[101]", "[102]", "[103]", "[104]"])
        #expect(summary.unresolved == [open])
        #expect(try store.seed().unresolvedConnections() == [open])
    }

    @Test func `a key that a later occurrence changes leaves no old link`() throws {
        let moved = TestObject("Task", ["id": 1, "userID": 8])
        let lost = TestObject("Task", ["id": 1, "userID": 99])
        let cleared = TestObject("Task", ["id": 1, "userID": nil])
        let silent = TestObject("Task", ["id": 1])
        let cases: [([TestObject], String)] = [
            ([user, lateUser, task, moved], "1|8"), ([task, moved, user, lateUser], "1|8"),
            ([user, task, moved], "1|NULL"), ([user, task, lost], "1|NULL"), ([user, task, cleared], "1|NULL"),
            ([user, task, silent], "1|7"),
        ]
        for (order, wire) in cases {
            let store = try tasksAndUsers()
            try store.build(order)
            #expect(try store.rows("SELECT t.id, u.id FROM Task t LEFT JOIN User u ON t.user = u._id") == [wire])
        }
    }

    @Test func `a nested object takes precedence over its key`() throws {
        let store = try tasksAndUsers()
        try store.build([
            lateUser,
            TestObject(
                "User",
                [
                    "id": 7,
                    "tasks": [
                        TestObject("Task", ["id": 1, "userID": 7]), TestObject("Task", ["id": 2]),
                        TestObject("Task", ["id": 3, "userID": 8]),
                    ],
                ]),
        ])
        #expect(
            try store.rows("SELECT t.id, u.id FROM Task t JOIN User u ON t.user = u._id") == ["1|7", "2|7", "3|7"])
    }

    @Test func `a task that is removed from a nested list is found by its key again`() throws {
        let store = try tasksAndUsers()
        try store.build([
            lateUser,
            TestObject("User", ["id": 7, "tasks": [TestObject("Task", ["id": 1, "userID": 8])]]),
            TestObject("User", ["id": 7, "tasks": []]),
        ])
        #expect(try store.rows("SELECT t.id, u.id FROM Task t JOIN User u ON t.user = u._id") == ["1|8"])
    }

    @Test func `rows of one table refer to each other`() throws {
        let store = try TestStore(
            entity(
                "Folder", integer, [AttributeDescription("parentID", integer)],
                [RelationshipDescription("parent", to: "Folder", by: ["parentID"])]))
        try store.build(
            [
                TestObject("Folder", ["id": 3, "parentID": 2]), TestObject("Folder", ["id": 2, "parentID": 1]),
                TestObject("Folder", ["id": 1, "parentID": 1]), TestObject("Folder", ["id": 4, "parentID": 2]),
            ], blind: ["Folder"])
        #expect(
            try store.rows("SELECT f.id, p.id FROM Folder f JOIN Folder p ON f.parent = p._id ORDER BY f._id") == [
                "3|2", "2|1", "1|1", "4|2",
            ])
    }

    @Test func `keys can be strings or have several parts`() throws {
        let store = try TestStore(
            EntityDescription(
                "City", identifiedBy: ["country", "code"],
                attributes: [AttributeDescription("country", string), AttributeDescription("code", string)]),
            entity(
                "Person", string,
                [
                    AttributeDescription("country", string), AttributeDescription("city", string),
                    AttributeDescription("friendID", string),
                ],
                [
                    RelationshipDescription("home", to: "City", by: ["country", "city"]),
                    RelationshipDescription("friend", to: "Person", by: ["friendID"]),
                ]))
        let summary = try store.build([
            TestObject("Person", ["id": "a'; --", "country": "CH", "city": "BE\n", "friendID": "b\"\0x"]),
            TestObject("Person", ["id": "b\"\0x", "country": "CH", "city": nil, "friendID": "b\""]),
            TestObject("Person", ["id": "c", "country": "DE", "city": "B", "friendID": "a'; --"]),
            TestObject("City", ["country": "CH", "code": "BE\n"]), TestObject("City", ["country": "D", "code": "EB"]),
        ])
        #expect(
            try store.rows("SELECT _id, home, friend FROM Person") == ["1|1|2", "2|NULL|NULL", "3|NULL|1"])
        #expect(summary.unresolved.map(\.count) == [1, 1])
        #expect(summary.unresolved.map(\.samples) == [[#"["DE","B"]"#], [#"["b\""]"#]])
    }

    @Test func `the first of several keys with a target is used`() throws {
        let store = try TestStore(
            entity(
                "Task", integer, [AttributeDescription("a", integer), AttributeDescription("b", integer)],
                [RelationshipDescription("user", to: "User", by: ["a", "b"], any: true)]), entity("User"))
        let summary = try store.build([
            TestObject("User", ["id": 1]), TestObject("Task", ["id": 1, "a": 1, "b": 2]),
            TestObject("Task", ["id": 2, "a": 9, "b": 2]), TestObject("Task", ["id": 3, "b": 1]),
            TestObject("Task", ["id": 4, "a": 3, "b": 1]), TestObject("Task", ["id": 5, "a": 8, "b": 9]),
            TestObject("Task", ["id": 6]), TestObject("User", ["id": 2]), TestObject("User", ["id": 3]),
        ])
        #expect(
            try store.rows("SELECT t.id, u.id FROM Task t LEFT JOIN User u ON t.user = u._id ORDER BY 1") == [
                "1|1", "2|2", "3|1", "4|3", "5|NULL", "6|NULL",
            ])
        #expect(summary.unresolved.map(\.count) == [1])
        #expect(summary.unresolved.map(\.samples) == [["[8]", "[9]"]])
    }

    @Test func `a later occurrence can decide a condition`() throws {
        let store = try TestStore(
            entity(
                "Sensor", integer,
                [
                    AttributeDescription("kind", string, defaultValue: .string("indoor")),
                    AttributeDescription("isOn", AttributeType(.boolean)), AttributeDescription("place", integer),
                ],
                [
                    RelationshipDescription(
                        "room", to: "Room", by: ["place"], when: ["kind": .string("indoor"), "isOn": true]),
                    RelationshipDescription("field", to: "Field", by: ["place"], when: ["kind": .string("outdoor")]),
                ]), entity("Room"), entity("Field"))
        let summary = try store.build([
            TestObject("Room", ["id": 1]), TestObject("Field", ["id": 1]),
            TestObject("Sensor", ["id": 1, "kind": "indoor", "place": 1, "isOn": true]),
            TestObject("Sensor", ["id": 2, "kind": "outdoor", "place": 1]),
            TestObject("Sensor", ["id": 3, "place": 1, "isOn": true]),
            TestObject("Sensor", ["id": 4, "kind": "indoor", "place": 1, "isOn": false]),
            TestObject("Sensor", ["id": 5, "kind": "indoor", "place": 1, "isOn": true]),
            TestObject("Sensor", ["id": 5, "kind": "outdoor"]),
            TestObject("Sensor", ["id": 6, "kind": nil, "place": 1]),
            TestObject("Sensor", ["id": 7, "kind": "outdoor", "place": 2]),
        ])
        #expect(
            try store.rows("SELECT id, room, field FROM Sensor") == [
                "1|1|NULL", "2|NULL|1", "3|1|NULL", "4|NULL|NULL", "5|NULL|1", "6|NULL|NULL", "7|NULL|NULL",
            ])
        #expect(summary.unresolved.map(\.relationship) == ["field"])
    }

    @Test func `a default can be the key`() throws {
        let store = try TestStore(
            entity(
                "Task", integer, [AttributeDescription("userID", integer, isOptional: false, defaultValue: 7)],
                [RelationshipDescription("user", to: "User", by: ["userID"])]), entity("User"))
        try store.build([user, TestObject("Task", ["id": 1])])
        #expect(try store.rows("SELECT userID, user FROM Task") == ["7|1"])
    }
}

@Suite struct `Wiring by lists of keys` {
    @Test func `a list makes links with positions, and missing targets are listed`() throws {
        let store = try TestStore(
            entity(
                "Post", integer, [AttributeDescription("tagIDs", integers)],
                [RelationshipDescription("tags", to: "Tag", isToMany: true, by: ["tagIDs"])]), entity("Tag"))
        let summary = try store.build([
            TestObject("Post", ["id": 1, "tagIDs": "[3,1,3,9]"]), TestObject("Tag", ["id": 1]),
            TestObject("Post", ["id": 2, "tagIDs": "[1,2]"]), TestObject("Tag", ["id": 2]),
            TestObject("Tag", ["id": 3]), TestObject("Post", ["id": 2, "tagIDs": "[3]"]),
            TestObject("Post", ["id": 3, "tagIDs": nil]), TestObject("Post", ["id": 4, "tagIDs": "[]"]),
        ])
        #expect(try store.rows("SELECT * FROM Post_tags") == ["1|1|1", "1|3|0", "2|3|0"])
        #expect(summary.unresolved.map(\.samples) == [["[9]"]])
        #expect(try store.seed().damages().isEmpty)
    }

    @Test func `a list of strings can be on the side that does not own the links`() throws {
        let store = try TestStore(
            entity("Tag", string, [], [RelationshipDescription("posts", to: "Post", isToMany: true)]),
            entity(
                "Post", integer, [AttributeDescription("names", AttributeType(.string, isList: true))],
                [RelationshipDescription("tags", to: "Tag", isToMany: true, inverse: "posts", by: ["names"])]))
        try store.build([
            TestObject("Post", ["id": 1, "names": #"["b","a \"q\""]"#]), TestObject("Tag", ["id": "a \"q\""]),
            TestObject("Tag", ["id": "b"]), TestObject("Post", ["id": 2, "names": #"["b\u0000c"]"#]),
        ])
        #expect(try store.rows("SELECT * FROM Tag_posts") == ["1|1|1", "2|1|0"])
        #expect(try store.rows("SELECT row FROM _mappingkit_pending") == ["2"])
    }

    @Test func `a list fills the column of a to-one inverse`() throws {
        let store = try TestStore(
            entity(
                "Team", integer, [AttributeDescription("memberIDs", integers)],
                [RelationshipDescription("members", to: "User", isToMany: true, inverse: "team", by: ["memberIDs"])]),
            entity("User", integer, [], [RelationshipDescription("team", to: "Team")]))
        let summary = try store.build([
            TestObject("Team", ["id": 1, "memberIDs": "[1,2]"]), TestObject("Team", ["id": 2, "memberIDs": "[2,3,4]"]),
            TestObject("User", ["id": 1]), TestObject("User", ["id": 2]), TestObject("User", ["id": 3]),
        ])
        #expect(try store.rows("SELECT id, team FROM User") == ["1|1", "2|1", "3|2"])
        #expect(summary.unresolved.map(\.count) == [1])
    }
}

@Suite struct `Plans of SQLite` {
    @Test(arguments: [AttributeType.Scalar.integer, .string, .uuid, .date, .boolean])
    func `targets are searched for by the index of their identity`(scalar: AttributeType.Scalar) throws {
        let type = AttributeType(scalar)
        let list = AttributeType(scalar, isList: true)
        let store = try TestStore(
            entity(
                "Task", integer,
                [
                    AttributeDescription("a", type), AttributeDescription("b", type), AttributeDescription("cs", list),
                ],
                [
                    RelationshipDescription("one", to: "User", by: ["a"], when: ["id": 1]),
                    RelationshipDescription("any", to: "User", by: ["a", "b"], any: true),
                    RelationshipDescription("many", to: "User", isToMany: true, by: ["cs"]),
                ]), entity("User", type))
        let writer = try RowStore(at: store.url().path, model: store.model)
        let table = writer.tables[0]
        let sql = table.plan.keyed.map { WireSQL($0, of: table.entity, in: writer.entities) }
        let statements = [
            (WireSQL.update(Array(sql[0...1])), 3), (sql[2].listLinks, 1), (sql[2].listPending, 1),
            (sql[2].listInsertion(into: "Task_many", isOwner: true), 1),
        ]
        for (statement, searches) in statements {
            let plan = try writer.database.prepare("EXPLAIN QUERY PLAN \(statement)")
            var steps: [String] = []
            while try plan.step() { steps.append(plan.value(at: 3).text ?? "") }
            let found = steps.filter {
                $0.contains("SEARCH _mappingkit_target USING COVERING INDEX _mappingkit_identity_User")
            }
            #expect(found.count == searches, "\(steps)")
        }
    }
}

@Suite struct `Many-to-many and one-to-one` {
    private func posts() throws -> TestStore {
        try TestStore(
            entity("Post", integer, [], [RelationshipDescription("tags", to: "Tag", isToMany: true, inverse: "posts")]),
            entity("Tag", integer, [], [RelationshipDescription("posts", to: "Post", isToMany: true)]))
    }

    @Test func `nested lists of both sides make the same links`() throws {
        let store = try posts()
        try store.build([
            TestObject("Post", ["id": 1, "tags": [TestObject("Tag", ["id": 5]), TestObject("Tag", ["id": 6])]]),
            TestObject("Tag", ["id": 6, "posts": [TestObject("Post", ["id": 2]), TestObject("Post", ["id": 1])]]),
        ])
        #expect(try store.rows("SELECT * FROM Post_tags") == ["1|1|0", "1|2|1", "2|2|0"])
        #expect(try store.seed().damages().isEmpty)
    }

    @Test func `a repeated list replaces the former one, on both sides`() throws {
        let store = try posts()
        let tags = [TestObject("Tag", ["id": 5]), TestObject("Tag", ["id": 6])]
        try store.build([
            TestObject("Post", ["id": 1, "tags": .objects(tags)]),
            TestObject("Post", ["id": 2, "tags": .objects(tags)]),
            TestObject("Post", ["id": 1, "tags": [TestObject("Tag", ["id": 7])]]),
            TestObject("Tag", ["id": 6, "posts": []]),
        ])
        #expect(try store.rows("SELECT * FROM Post_tags") == ["1|3|0", "2|1|0"])
    }

    private func countries() throws -> TestStore {
        try TestStore(
            entity("Capital", integer, [], [RelationshipDescription("country", to: "Country")]),
            entity(
                "Country", integer, [AttributeDescription("capitalID", integer)],
                [RelationshipDescription("capital", to: "Capital", inverse: "country", by: ["capitalID"])]))
    }

    @Test func `both columns of a one-to-one agree, by key and nested on any side`() throws {
        let store = try countries()
        try store.build([
            TestObject("Country", ["id": 1, "capitalID": 11]), TestObject("Capital", ["id": 11]),
            TestObject("Capital", ["id": 12, "country": [TestObject("Country", ["id": 2])]]),
            TestObject("Country", ["id": 3, "capital": [TestObject("Capital", ["id": 13])]]),
        ])
        #expect(try store.rows("SELECT id, capital FROM Country") == ["1|1", "2|2", "3|3"])
        #expect(try store.rows("SELECT id, country FROM Capital") == ["11|1", "12|2", "13|3"])
    }

    @Test func `a target of a one-to-one has one owner, and the others are unresolved`() throws {
        let store = try countries()
        let summary = try store.build([
            TestObject("Country", ["id": 1, "capitalID": 11]), TestObject("Country", ["id": 2, "capitalID": 11]),
            TestObject("Capital", ["id": 11]),
            TestObject("Country", ["id": 3, "capital": [TestObject("Capital", ["id": 13])]]),
            TestObject("Country", ["id": 4, "capital": [TestObject("Capital", ["id": 13])]]),
        ])
        #expect(try store.rows("SELECT id, capital FROM Country") == ["1|NULL", "2|1", "3|NULL", "4|2"])
        #expect(try store.rows("SELECT id, country FROM Capital") == ["11|2", "13|4"])
        #expect(summary.unresolved.map(\.samples) == [["[11]"]])
    }

    @Test func `clearing the secondary side of a one-to-one clears both`() throws {
        let store = try countries()
        try store.build([
            TestObject("Country", ["id": 3, "capital": [TestObject("Capital", ["id": 13])]]),
            TestObject("Capital", ["id": 13, "country": []]),
        ])
        #expect(try store.rows("SELECT capital FROM Country") == ["NULL"])
        #expect(try store.rows("SELECT country FROM Capital") == ["NULL"])
    }
}
