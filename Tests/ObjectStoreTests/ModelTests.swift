import ObjectMapping
import Testing

@testable import ObjectStore

private typealias Entity = EntityDescription
private typealias Attribute = AttributeDescription
private typealias Relationship = RelationshipDescription

private let integer = AttributeType(.integer)
private let string = AttributeType(.string)
private let strings = AttributeType(.string, isList: true)
private let integers = AttributeType(.integer, isList: true)

private let user = Entity(
    "User", identifiedBy: ["userID"],
    attributes: [Attribute("userID", integer), Attribute("name", string), Attribute("taskIDs", integers)])

private func task(_ relationship: Relationship, _ attributes: Attribute...) -> [Entity] {
    [Entity("Task", attributes: [Attribute("userID", integer)] + attributes, relationships: [relationship]), user]
}

/// An invalid model, and its expected errors.
struct WrongModel: Sendable, CustomTestStringConvertible {
    let problems: [String]
    let entities: [EntityDescription]

    init(_ problems: String..., entities: [EntityDescription]) {
        self.problems = problems
        self.entities = entities
    }

    var testDescription: String { problems.joined(separator: " / ") }
}

private let names: [WrongModel] = [
    WrongModel("$: the model has no entity", entities: []),
    WrongModel(
        "$.task: the name 'task' differs from 'Task' in case only, which SQLite ignores",
        entities: [Entity("Task", attributes: []), Entity("task", attributes: [])]),
    WrongModel(
        "$.Task: the name 'Task' occurs twice",
        entities: [Entity("Task", attributes: []), Entity("Task", attributes: [])]),
    WrongModel(
        "$.sqlite_stat: names that begin with 'sqlite_' belong to SQLite",
        entities: [Entity("sqlite_stat", attributes: [])]),
    WrongModel(
        "$._MappingKit_pending: the prefix '_mappingkit' is reserved",
        entities: [Entity("_MappingKit_pending", attributes: [])]),
    WrongModel(#"$[""]: every entity needs a name"#, entities: [Entity("", attributes: [])]),
    WrongModel(#"$["a\u0000b"]: a name cannot contain NUL"#, entities: [Entity("a\0b", attributes: [])]),
    WrongModel(
        "$.Task.attributes._id: '_id' is the name of the row number in every table",
        "$.Task.attributes.Name: the name 'Name' differs from 'name' in case only, which SQLite ignores",
        "$.Task.relationships.NAME: 'name' is an attribute already; a relationship needs another name",
        entities: [
            Entity(
                "Task", attributes: [Attribute("_id", integer), Attribute("name", string), Attribute("Name", string)],
                relationships: [Relationship("NAME", to: "Task")])
        ]),
    WrongModel(
        "$.A.relationships.b: its table would be called 'A_b', as the entity 'a_B' is",
        entities: [
            Entity("A", attributes: [], relationships: [Relationship("b", to: "A", isToMany: true)]),
            Entity("a_B", attributes: []),
        ]),
    WrongModel(
        "$.A_b.relationships.c: its table would be called 'A_b_c', as the table of 'A.b_c' is",
        entities: [
            Entity("A", attributes: [], relationships: [Relationship("b_c", to: "A", isToMany: true)]),
            Entity("A_b", attributes: [], relationships: [Relationship("c", to: "A", isToMany: true)]),
        ]),
]

private let identities: [WrongModel] = [
    WrongModel(
        "$.Task.identifiedBy: 'Task' has no attribute 'taskId'; did you mean 'taskID'?",
        entities: [Entity("Task", identifiedBy: ["taskId"], attributes: [Attribute("taskID", integer)])]),
    WrongModel(
        "$.Task.identifiedBy[1]: 'a' occurs twice in the identity",
        "$.Task.identifiedBy[2]: an attribute of type [integer] cannot be part of the identity",
        entities: [
            Entity(
                "Task", identifiedBy: ["a", "a", "b"], attributes: [Attribute("a", integer), Attribute("b", integers)])
        ]),
]

private let defaults: [WrongModel] = [
    WrongModel(
        "$.T.attributes.a.default: the default of an attribute of type integer must be an integer",
        "$.T.attributes.b.default: the default of an attribute of type boolean must be true or false",
        "$.T.attributes.c.default: the default of an attribute of type date must be a date such as \"2026-11-21T07:23:00.000Z\"",
        "$.T.attributes.d.default: the default of an attribute of type [string] must be an array in which each element is a string",
        "$.T.attributes.e.default: the default of an attribute of type decimal must be a number, or a string with a number",
        entities: [
            Entity(
                "T",
                attributes: [
                    Attribute("a", integer, defaultValue: 1.5),
                    Attribute("b", AttributeType(.boolean), defaultValue: 1),
                    Attribute("c", AttributeType(.date), defaultValue: .string("2026-11-21")),
                    Attribute("d", AttributeType(.string, isList: true), defaultValue: [.string("a"), 1]),
                    Attribute("e", AttributeType(.decimal), defaultValue: .string("x")),
                ])
        ])
]

private let inverses: [WrongModel] = [
    WrongModel(
        "$.Task.relationships.user.to: unknown entity 'Usr'; did you mean 'User'?",
        entities: task(Relationship("user", to: "Usr"))),
    WrongModel(
        "$.Task.relationships.user.inverse: 'User' has no relationship 'tasks'",
        entities: task(Relationship("user", to: "User", inverse: "tasks"))),
    WrongModel(
        "$.A.relationships.b.inverse: 'B.c' refers to 'B', not to 'A'",
        entities: [
            Entity("A", attributes: [], relationships: [Relationship("b", to: "B", inverse: "c")]),
            Entity("B", attributes: [], relationships: [Relationship("c", to: "B")]),
        ]),
    WrongModel(
        "$.A.relationships.b.inverse: 'B.a' names 'x' as its inverse, not 'b'",
        entities: [
            Entity(
                "A", attributes: [],
                relationships: [Relationship("b", to: "B", inverse: "a"), Relationship("x", to: "B")]),
            Entity("B", attributes: [], relationships: [Relationship("a", to: "A", inverse: "x")]),
        ]),
    WrongModel(
        "$.A.relationships.y.inverse: 'B.a' is the inverse of 'x' already",
        entities: [
            Entity(
                "A", attributes: [],
                relationships: [Relationship("x", to: "B", inverse: "a"), Relationship("y", to: "B", inverse: "a")]),
            Entity("B", attributes: [], relationships: [Relationship("a", to: "A")]),
        ]),
    WrongModel(
        "$.A.relationships.a.inverse: a relationship cannot be its own inverse; declare two properties for a "
            + "symmetric relationship, such as 'friends' and 'friendsOf'",
        entities: [Entity("A", attributes: [], relationships: [Relationship("a", to: "A", inverse: "a")])]),
]

private let wires: [WrongModel] = [
    WrongModel(
        "$.Task.relationships.user.by: 'Task' has no attribute 'userId'; did you mean 'userID'?",
        entities: task(Relationship("user", to: "User", by: ["userId"]))),
    WrongModel(
        "$.Task.relationships.user.by: 'name' is of type string, but must be integer, the type of 'User.userID'",
        entities: task(Relationship("user", to: "User", by: ["name"]), Attribute("name", string))),
    WrongModel(
        "$.Task.relationships.users.by: 'userID' is of type integer, but must be [integer], a list of the type of 'User.userID'",
        entities: task(Relationship("users", to: "User", isToMany: true, by: ["userID"]))),
    WrongModel(
        "$.User.relationships.task.by: 'Task' has no identity for a key",
        entities: [
            Entity("Task", attributes: []),
            Entity(
                "User", attributes: [Attribute("id", integer)],
                relationships: [Relationship("task", to: "Task", by: ["id"])]),
        ]),
    WrongModel(
        "$.Task.relationships.user.by: expected one key for each identity attribute of 'User' ('userID'), found 2",
        entities: task(Relationship("user", to: "User", by: ["userID", "b"]), Attribute("b", integer))),
    WrongModel(
        "$.Task.relationships.user.by[1]: 'b' is of type string, but must be integer, the type of 'User.userID'",
        entities: task(Relationship("user", to: "User", by: ["userID", "b"], any: true), Attribute("b", string))),
    WrongModel(
        "$.Task.relationships.user.any: 'any' needs the keys of 'by'",
        "$.Task.relationships.user.when: 'when' needs the keys of 'by'",
        entities: task(Relationship("user", to: "User", any: true, when: ["userID": 1]))),
    WrongModel(
        "$.Task.relationships.user.when.kin: 'Task' has no attribute 'kin'; did you mean 'kind'?",
        "$.Task.relationships.user.when.kind: 'kind' is of type string, so it is compared with a string",
        entities: task(
            Relationship("user", to: "User", by: ["userID"], when: ["kind": 1, "kin": .string("x")]),
            Attribute("kind", string))),
    WrongModel(
        "$.A.relationships.b.by: 'B.a' is also connected by key; only one side of a one-to-one relationship can be",
        "$.B.relationships.a.by: 'A.b' is also connected by key; only one side of a one-to-one relationship can be",
        entities: [
            Entity(
                "A", identifiedBy: ["id"], attributes: [Attribute("id", integer)],
                relationships: [Relationship("b", to: "B", inverse: "a", by: ["id"])]),
            Entity(
                "B", identifiedBy: ["id"], attributes: [Attribute("id", integer)],
                relationships: [Relationship("a", to: "A", by: ["id"])]),
        ]),
]

@Suite struct `Models` {
    @Test(arguments: names + identities + defaults + inverses + wires)
    func `all mistakes are reported together, with their positions`(model: WrongModel) {
        let error = #expect(throws: ModelError.self) { try ObjectModel(entities: model.entities) }
        #expect(error?.problems.map(\.description) == model.problems)
    }

    @Test(
        arguments: [
            (.decimal, "12abc"), (.decimal, " 12"), (.decimal, "0x10"), (.decimal, ""),
            (.date, "2026-99-99T99:99:99.999Z"), (.date, "2026-02-29T00:00:00.000Z"),
            (.date, "2026-06-30T23:59:60.000Z"),
            (.uuid, "f81d4fae"), (.url, ""), (.data, "?"), (.integer, "12"), (.double, "1.5"), (.boolean, "true"),
        ] as [(AttributeType.Scalar, String)])
    func `a default of another type is refused`(type: AttributeType.Scalar, text: String) {
        let attribute = Attribute("a", AttributeType(type), defaultValue: .string(text))
        let error = #expect(throws: ModelError.self) {
            try ObjectModel(entities: [Entity("T", attributes: [attribute])])
        }
        #expect(error?.problems.map(\.path) == ["$.T.attributes.a.default"])
    }

    @Test(
        arguments: [
            (.decimal, "12.50", "12.5"), (.date, "2028-02-29T23:59:59.999Z", "2028-02-29T23:59:59.999Z"),
            (.uuid, "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
            (.url, "https://example.org/a", "https://example.org/a"), (.string, "12abc", "12abc"),
        ] as [(AttributeType.Scalar, String, StoredValue)])
    func `a default is stored like the same text in a dump`(
        type: AttributeType.Scalar, text: String, stored: StoredValue
    ) {
        #expect(Attribute("a", AttributeType(type), defaultValue: .string(text)).storedDefault == stored)
    }

    @Test func `problems of several entities are in order`() {
        let error = #expect(throws: ModelError.self) {
            try ObjectModel(entities: [
                Entity("A", attributes: [], relationships: [Relationship("b", to: "C", isToMany: true)]),
                Entity("B", identifiedBy: ["x"], attributes: []),
            ])
        }
        #expect(error?.problems.map(\.path) == ["$.A.relationships.b.to", "$.B.identifiedBy"])
        #expect(error?.problems.first?.steps == [.key("A"), .key("relationships"), .key("b"), .key("to")])
    }

    @Test func `an inverse that is declared on one side is known on both`() throws {
        let model = try ObjectModel(entities: [
            Entity("A", attributes: [], relationships: [Relationship("b", to: "B")]),
            Entity("B", attributes: [], relationships: [Relationship("as", to: "A", isToMany: true, inverse: "b")]),
        ])
        #expect(model.entity(named: "A")?.relationship(named: "b")?.inverse == "as")
    }

    private var rich: [EntityDescription] {
        [
            Entity(
                "Task", identifiedBy: ["b", "a"],
                attributes: [
                    Attribute("b", integer), Attribute("a", string),
                    Attribute("c", integers, isOptional: false, defaultValue: [1, 2]),
                ],
                relationships: [
                    Relationship("user", to: "User", inverse: "tasks", by: ["b"], when: ["a": .string("x")]),
                    Relationship("next", to: "Task"),
                ]),
            Entity(
                "User", identifiedBy: ["id"], attributes: [Attribute("id", integer)],
                relationships: [Relationship("tasks", to: "Task", isToMany: true)]),
        ]
    }

    @Test func `Keys can be compared with unique attributes`() throws {
        func problems(_ relationship: Relationship, _ unique: Attribute..., indexes: [ObjectIndex] = []) -> [String] {
            var entities = task(relationship, Attribute("user_name", string), Attribute("names", strings))
            entities[1].attributes += unique
            entities[1].indexes = indexes
            do {
                let model = try ObjectModel(entities: entities)
                return [model.entities[0].relationships[0].matching.joined(separator: " ")]
            } catch {
                return error.problems.map(\.description)
            }
        }
        let place = "$.Task.relationships.user"
        func user(_ by: String..., matching: String..., many: Bool = false, any: Bool = false) -> Relationship {
            Relationship("user", to: "User", isToMany: many, by: by, matching: matching, any: any)
        }
        let login = Attribute("login", string, isUnique: true)
        let score = Attribute("score", AttributeType(.double), isUnique: true)
        #expect(problems(user("user_name", matching: "login"), login) == ["login"])
        #expect(problems(user("names", matching: "login", many: true), login) == ["login"])
        #expect(problems(user("userID", matching: "userID")) == [""])
        #expect(
            problems(user("user_name", "userID", matching: "name", "userID"), indexes: [.unique("userID", "name")])
                == ["name userID"])
        #expect(
            problems(user("user_name", "userID", matching: "login"), login)
                == ["\(place).by: expected one key for each unique attribute of 'User' ('login'), found 2"])
        #expect(
            problems(user("userID", matching: "login"), login)
                == ["\(place).by: 'userID' is of type integer, but must be string, the type of 'User.login'"])
        #expect(
            problems(user("names", matching: "score"), score)
                == [
                    "\(place).matching: keys cannot be compared with an attribute of type double",
                    "\(place).by: 'names' is of type [string], but must be double, the type of 'User.score'",
                ])
    }

    private let text = """
        {"Task":{"identifiedBy":["b","a"],"attributes":{"b":{"type":"integer"},"a":{"type":"string"},\
        "c":{"type":"[integer]","optional":false,"default":[1,2]}},"relationships":{"user":{"to":"User",\
        "inverse":"tasks","by":["b"],"when":{"a":"x"}},"next":{"to":"Task"}}},"User":{"identifiedBy":["id"],"attributes":{"id":{"type":\
        "integer"}},"relationships":{"tasks":{"to":"Task","many":true,"inverse":"user"}}}}
        """

    @Test func `the JSON form has the order, and omits defaults`() throws {
        let model = try ObjectModel(entities: rich)
        #expect(model.json.text == text)
        let again = try ObjectModel(json: JSON(text))
        #expect(again.json.text == text)
        #expect(again.hash == model.hash)
        #expect(again.entities.flatMap(\.attributes).compactMap(\.defaultValue) == [[1, 2]])
        #expect(model.entities.flatMap(\.attributes).compactMap(\.defaultValue) == [[1, 2]])
        #expect(again == model)
    }

    @Test func `the JSON form has everything that a model declares`() throws {
        var entities = rich
        entities[0].indexes = [.index("a", "user"), .unique("b", "a")]
        entities[0].attributes[0].formerName = "bee"
        entities[0].attributes[1].isIndexed = true
        entities[0].attributes[2].isUnique = true
        entities[0].relationships[0].any = true
        entities[0].relationships[0].isRequired = true
        entities[0].relationships[1].deleteRule = .deny
        entities[1].relationships[0].deleteRule = .cascade
        entities[1].relationships[0].sortedBy = "a"
        let model = try ObjectModel(entities: entities)
        let text = """
            {"Task":{"identifiedBy":["b","a"],"attributes":{"b":{"type":"integer","was":"bee"},"a":{"type":"string",\
            "indexed":true},"c":{"type":"[integer]","optional":false,"default":[1,2],"unique":true}},"relationships":\
            {"user":{"to":"User","inverse":"tasks","by":["b"],"any":true,"when":{"a":"x"},"required":true},"next":\
            {"to":"Task","deleteRule":"deny"}},"indexes":[{"attributes":["a","user"]},{"attributes":["b","a"],"unique":\
            true}]},"User":{"identifiedBy":["id"],"attributes":{"id":{"type":"integer"}},"relationships":{"tasks":\
            {"to":"Task","many":true,"inverse":"user","deleteRule":"cascade","sortedBy":"a"}}}}
            """
        #expect(model.json.text == text)
        #expect(try ObjectModel(json: JSON(text)) == model)
        // None of it changes the stored data.
        #expect(try model.hash == ObjectModel(entities: rich).hash)
        #expect(try model.difference(from: ObjectModel(entities: rich)) == nil)
    }

    @Test func `the hash depends on the content, not on its order`() throws {
        let model = try ObjectModel(entities: rich)
        let turned = try ObjectModel(entities: rich.reversed())
        #expect(model.hash == turned.hash)
        #expect(model.hash.count == 64)
        var changed = rich
        changed[0].attributes[1].isOptional = false
        #expect(try ObjectModel(entities: changed).hash != model.hash)
        var ordered = rich
        ordered[0].identity.reverse()
        #expect(try ObjectModel(entities: ordered).hash != model.hash)
    }

    @Test(arguments: [
        ("[]", "$: expected an object, found an array"),
        (#"{"A":1}"#, "$.A: expected an object, found a number"),
        (
            #"{"A":{"atributes":{}}}"#,
            "$.A.atributes: expected the key 'identifiedBy', 'attributes', 'relationships', 'indexes' or 'was', found an unknown key; did you mean 'attributes'?"
        ),
        (#"{"A":{"attributes":{"a":{}}}}"#, "$.A.attributes.a: expected the key 'type', found no such key"),
        (
            #"{"A":{"attributes":{"a":{"type":"strin"}}}}"#,
            "$.A.attributes.a.type: expected a type (string, integer, double, boolean, date, decimal, uuid, url, data, json, or a list such as [string]), found another string; did you mean 'string'?"
        ),
        (
            #"{"A":{"attributes":{"a":{"type":"string","optional":1}}}}"#,
            "$.A.attributes.a.optional: expected a boolean, found a number"
        ),
        (
            #"{"A":{"identifiedBy":["a",1],"attributes":{"a":{"type":"string"}}}}"#,
            "$.A.identifiedBy[1]: expected a string, found a number"
        ),
        (#"{"A":{"relationships":{"b":{"to":3}}}}"#, "$.A.relationships.b.to: expected a string, found a number"),
        (
            #"{"A":{"relationships":{"b":{"to":"A","deleteRule":"casade"}}}}"#,
            "$.A.relationships.b.deleteRule: expected 'nullify', 'cascade' or 'deny', found another string; did you mean 'cascade'?"
        ),
        (
            #"{"A":{"attributes":{"a":{"type":"string"}},"relationships":{"b":{"to":"A","many":true,"required":true},"c":{"to":"A","sortedBy":"b"}},"indexes":[{"attributes":["aa"]},{"attributes":[]}]}}"#,
            """
            $.A.indexes: 'aa' is not a stored attribute or to-one relationship of 'A'
            $.A.indexes: an index needs at least one attribute
            $.A.relationships.b.required: only a to-one relationship can be required
            $.A.relationships.c.sortedBy: only a to-many relationship without a stored order can be sorted
            $.A.relationships.c.sortedBy: 'A' has no attribute 'b'
            """
        ),
    ])
    func `JSON that is not a model is refused with the position`(text: String, problem: String) throws {
        let json = try JSON(text)
        let error = #expect(throws: ModelError.self) { try ObjectModel(json: json) }
        #expect(error?.description == problem)
    }
}
