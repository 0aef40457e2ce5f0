import Foundation
import ObjectMapping
import Testing

@Suite struct MappingRowsTests {
    enum State: String, JSONConvertible { case open, done }

    struct User: Mappable, Hashable {
        var id = 0
        var name: String?
        static let mapping = Mapping(User.init) {
            Attribute("id", \.id)
            Attribute("name", \.name)
        }
        .identified(by: \.id)
    }

    final class Task: Mappable {
        var id = 0
        var title = ""
        var state = State.open
        var due: Date?
        var weight = 0
        var tags: [String] = []
        var ownerID: Int?
        var owner: User?
        var subtasks: [Task] = []

        static let mapping = Mapping({ Task() }) {
            Attribute("id", \.id)
            Attribute("title", \.title).required
            Attribute("state", \.state)
            Attribute("due", \.due).using(.date(.dateOnly))
            Attribute("weight", \.weight).default(1).validate("must be positive") { $0 > 0 }
            Attribute("tags", \.tags)
            Attribute("meta.owner_id", \.ownerID)
            Relationship("owner", \.owner)
            Relationship("subtasks", \.subtasks)
        }
        .identified(by: \.id)
    }

    private static func rows<Model>(_ text: String, _ mapping: Mapping<Model>) throws -> [String] {
        let plan = try mapping.rowPlan()
        let texts = try rowTexts(of: text.utf8, plan)
        for size in [8, 33, 100] {
            expectTexts(try rowTexts(of: text.utf8, plan, windowSize: size, chunk: 5), texts)
        }
        return texts
    }

    @Test func `A mapping of models reads rows`() throws {
        let text = """
            [{"id": 1, "title": "a", "state": "done", "due": "2026-11-21", "weight": "3", "tags": ["x", 2],
              "meta": {"owner_id": 7}, "owner": {"id": 7, "name": null},
              "subtasks": [{"id": 2, "title": "b", "weight": null}, null]}]
            """
        expectTexts(
            try Self.rows(text, Task.mapping),
            [
                """
                Task(id: 1, title: "a", state: "done", due: "2026-11-21T00:00:00.000Z", weight: 3, tags: "[\\"x\\",\\"2\\"]", \
                ownerID: 7, owner: User(id: 7, name: null), subtasks: [Task(id: 2, title: "b", weight: 1)])
                """
            ])
    }

    @Test func `The tables name columns, types, identity and relationships`() throws {
        let tables = try Task.mapping.rowPlan().tables
        #expect(tables.map(\.name) == ["Task", "User"])
        #expect(
            tables[0].columns.map { "\($0.name) \($0.type)\($0.isOptional ? "?" : "")" } == [
                "id integer", "title string", "state string", "due date?", "weight integer", "tags [string]",
                "ownerID integer?",
            ])
        #expect(tables[0].identity == [0] && tables[1].identity == [0])
        #expect(
            tables[0].relationships.map { "\($0.name) \($0.destination ?? -1) \($0.isToMany)" }
                == ["owner 1 false", "subtasks 0 true"])
    }

    @Test(arguments: [
        #"{"id": "x", "title": "a"}"#, #"{"id": 1}"#, #"{"id": 1, "title": null}"#,
        #"{"id": 1, "title": "a", "state": "opne"}"#, #"{"id": 1, "title": "a", "due": "21.11.2026"}"#,
        #"{"id": 1, "title": "a", "weight": 0}"#, #"{"id": 1, "title": "a", "tags": [1, null]}"#,
        #"{"id": 1, "title": "a", "owner": 7}"#, #"{"id": 1, "title": "a", "subtasks": [{"id": 2}]}"#,
        #"{"id": 1, "title": "a", "meta": {"owner_id": 1.5}}"#, #"{"id": 1, "title": "a", "id": 2}"#,
    ])
    func `Rows have the issues of models`(text: String) throws {
        var report = MappingReport(policy: .collect)
        _ = try? Task.mapping.mapAll("[\(text)]", report: &report)
        let element = try #require(
            try RowReader(source: ByteChunks("[\(text)]".utf8), plan: Task.mapping.rowPlan(), at: "", shape: .element)
                .next())
        #expect(!report.issues.isEmpty && element.issues == report.issues)
    }

    struct Lists: Mappable {
        var texts: [String] = []
        var integers: [Int] = []
        var numbers: [Double] = []
        var flags: [Bool] = []
        var dates: [Date] = []
        var ids: [UUID] = []
        var links: [URL] = []
        var amounts: [Decimal] = []
        var some: [String]?
        var gaps: [Int?] = []

        static let mapping = Mapping(Lists.init) {
            Attribute("texts", \.texts)
            Attribute("integers", \.integers)
            Attribute("numbers", \.numbers)
            Attribute("flags", \.flags)
            Attribute("dates", \.dates)
            Attribute("ids", \.ids)
            Attribute("links", \.links)
            Attribute("amounts", \.amounts)
            Attribute("some", \.some)
            Attribute("gaps", \.gaps)
        }
    }

    @Test func `Lists of rows agree with those of models`() throws {
        let id = "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"
        let text = #"""
            {"texts": ["a", "\u00e9\"", "東京", 5], "integers": [1, "2"], "numbers": [1, 2.5], "flags": [true, 0],
             "dates": ["2026-11-21T07:23:00Z"], "ids": ["\#(id)"], "links": ["https://a.example/b"], "amounts": [1.10],
             "some": "lone", "gaps": [1, null]}
            """#
        expectTexts(
            try Self.rows(text, Lists.mapping),
            [
                #"Lists(texts: "[\"a\",\"é\\\"\",\"東京\",\"5\"]", integers: "[1,2]", numbers: "[1.0,2.5]", "#
                    + #"flags: "[true,false]", dates: "[\"2026-11-21T07:23:00.000Z\"]", ids: "[\"\#(id.lowercased())\"]", "#
                    + #"links: "[\"https://a.example/b\"]", amounts: "[\"1.1\"]", some: "[\"lone\"]", gaps: "[1,null]")"#
            ])
    }

    @Test(arguments: ["texts", "integers", "numbers", "flags", "dates", "ids", "links", "amounts", "some", "gaps"])
    func `Lists of rows have the issues of models`(key: String) throws {
        for value in ["[null]", "[[]]", "{}", "[{}, null]", #"["x", "1e999"]"#, "[1.5]", "null"] {
            let text = #"[{"\#(key)": \#(value)}]"#
            var report = MappingReport(policy: .collect)
            _ = try? Lists.mapping.mapAll(text, report: &report)
            let reader = try RowReader(
                source: ByteChunks(text.utf8), plan: Lists.mapping.rowPlan(), at: "", shape: .element)
            #expect(try reader.next()?.issues == report.issues, "\(text)")
        }
    }

    struct Place: Mappable, Hashable {
        var key = ""
        var country = ""
        var size: Int8 = 0
        static let mapping = Mapping(Place.init) {
            Attribute(.key, \.key)
            Attribute(.parent("country"), \.country)
            Attribute("size", \.size)
        }
    }

    struct Atlas: Mappable {
        var places: [Place] = []
        static let mapping = Mapping(Atlas.init) { Relationship("places", \.places, each: .member) }
    }

    @Test func `Members and outer sources are read`() throws {
        let text = """
            {"places": {"a": {"size": 1}, "b": {"size": 2}, "n": null, "a": {"size": 3}}, "country": "de"}
            """
        let plan = try Atlas.mapping.rowPlan()
        let reader = try RowReader(source: ByteChunks(text.utf8), plan: plan, at: "", shape: .element)
        let element = try #require(try reader.next())
        #expect(element.issues.map(\.kind) == [.duplicateKey])
        #expect(
            RowText(tables: plan.tables).text(of: element) == """
                Atlas(places: [Place(key: "b", country: "de", size: 2), Place(key: "a", country: "de", size: 3)])
                """)
        expectTexts(
            try Self.rows(#"{"country": "de", "places": {"a": {"size": 300}}}"#, Atlas.mapping),
            [
                """
                1:44 $.places.a.size: expected an integer from -128 to 127, found a number out of its range \
                (rule size -> Place.size)
                """
            ])
    }

    final class Circle: Mappable {
        var radius = 0.0
        static let mapping = Mapping({ Circle() }) { Attribute("r", \.radius) }
    }

    enum Shape: Mappable {
        case circle(Circle), user(User)
        static let mapping = Mapping<Shape>(matching: {
            Match("type", is: "circle", Circle.mapping, Shape.circle)
            Match(wrappedIn: "user", User.mapping, Shape.user)
            Otherwise(.decline)
        })
    }

    struct Drawing: Mappable {
        let id: Int
        let shapes: [Shape]
        static let mapping = Mapping(
            Drawing.self, Drawing.init, Parameter("id", \.id), Parameter("shapes", \.shapes).default([]))
    }

    @Test func `The content selects the table, and arguments are columns`() throws {
        let text = """
            [{"id": 1, "shapes": [{"type": "circle", "r": 1}, {"user": {"id": 3}}, {"type": "other"}]}, {"id": 2}]
            """
        expectTexts(
            try Self.rows(text, Drawing.mapping),
            ["Drawing(id: 1, shapes: [Circle(radius: real 1.0), User(id: 3)])", "Drawing(id: 2)"])
    }

    struct Flat: Mappable {
        var user: User?
        var grid: [[Int]] = []
        static let mapping = Mapping(Flat.init) {
            Relationship(.value, \.user)
            Attribute("grid", \.grid)
        }
    }

    @Test func `An object of flat keys is a row if one of its keys is present`() throws {
        expectTexts(
            try Self.rows(#"[{"id": 3, "grid": [[1], [2, 3]]}, {"grid": []}]"#, Flat.mapping),
            [#"Flat(grid: "[[1],[2,3]]", user: User(id: 3))"#, #"Flat(grid: "[]")"#])
    }

    struct Bare: Mappable {
        static let mapping = Mapping(Bare.init) {}
    }

    struct Named: Mappable {
        var name = ""
        static let mapping = Mapping(Named.init) { Attribute("name", \.name).required }
    }

    struct Holder: Mappable {
        var users: [User] = []
        var named: [Named] = []
        var bare: Bare?
        static let mapping = Mapping(Holder.init) {
            Relationship("", \.users)
            Relationship("", \.named)
            Relationship("", \.bare).required
        }
    }

    @Test(arguments: ["[0]", "[{}]", "[{\"id\": 1}]", "[[]]", "[[0]]", "[[{}]]"])
    func `Rows out of flat keys have the issues of models`(text: String) throws {
        var report = MappingReport(policy: .collect)
        _ = try? Holder.mapping.mapAll(text, report: &report)
        let reader = try RowReader(
            source: ByteChunks(text.utf8), plan: Holder.mapping.rowPlan(), at: "", shape: .element)
        let issues = try #require(try reader.next()).issues
        #expect(!issues.isEmpty && issues.map(\.description) == report.issues.map(\.description))
    }

    struct Computed: Mappable {
        var stored = 0
        var doubled: Int {
            get { stored * 2 }
            set { stored = newValue / 2 }
        }
        static let mapping = Mapping(Computed.init) { Attribute("doubled", \.doubled) }
            .validated { if $0.stored > 9 { throw ValidationFailure("too large") } }
    }

    struct Nameless: Mappable {
        let id: Int
        static let mapping = Mapping(Nameless.self, Nameless.init, Parameter("id"))
    }

    final class Linked: Mappable {
        var ownerID: Int?
        var owner: Linked?
        static let mapping = Mapping({ Linked() }) {
            Attribute("owner_id", \.ownerID)
            Connection(\.owner, by: \.ownerID).when { $0.ownerID != 0 }
        }
        .identified(by: \.ownerID)
        .validated { if $0.ownerID == 9 { throw ValidationFailure("must not be 9") } }
    }

    final class Guarded: Mappable {
        var kind = ""
        var ownerID: Int?
        var owner: Linked?
        static let mapping = Mapping({ Guarded() }) {
            Attribute("kind", \.kind)
            Attribute("owner_id", \.ownerID)
            Connection(\.owner, by: \.ownerID).when(\.kind, equals: "indoor")
        }
    }

    @Test func `Connections and their conditions are data of the table`() throws {
        let table = try Guarded.mapping.rowPlan().tables[0]
        #expect(table.connections.map(\.name) == ["owner"])
        #expect(table.connections.map(\.keys) == [[1]])
        #expect(
            table.connections.flatMap(\.conditions).map { condition in
                guard case .equals(let column, let value) = condition else { return "a closure" }
                return "\(table.columns[column].name) \(value)"
            } == ["kind \"indoor\""])
        #expect(table.objectRules.isEmpty)
    }

    @Test func `Closures that need an object are kept for the reader of the rows`() throws {
        try Linked.mapping.validate(for: .rows)
        let table = try Linked.mapping.rowPlan().tables[0]
        #expect(table.objectRules == ["Linked.validated", "Linked.owner.when"])
        let object = Linked()
        #expect(throws: Never.self) { try table.checks[0](object) }
        object.ownerID = 9
        #expect(throws: ValidationFailure.self) { try table.checks[0](object) }
        guard case .closure(let isMet) = table.connections[0].conditions[0] else {
            Issue.record("expected a closure")
            return
        }
        #expect(isMet(object))
        object.ownerID = 0
        #expect(!isMet(object))
    }

    struct Chosen: Mappable {
        var user: User?
        static let mapping = Mapping(Chosen.init) {
            Dynamic("user", \.user) { Match { _ in User.mapping } }
        }
    }

    struct Nested: Mappable {
        var users: [[User]] = []
        static let mapping = Mapping(Nested.init) { Relationship("users", \.users) }
    }

    @Test func `A rule that needs a model is a mistake`() {
        expectIssues(
            """
            expected a stored property, for rows: its name is the name of the column, found a computed or observed \
            property (rule doubled -> a computed or observed property of Computed)
            expected a mapping without `validated`, for rows, found a check that needs a Computed
            """
        ) { try Computed.mapping.validate(for: .rows) }
        expectIssues(
            """
            expected a property for each parameter, which imports require: `Parameter("id", \\.id)`, found no property \
            (rule id -> argument 1 of Nameless)
            """
        ) { try Nameless.mapping.validate(for: .rows) }
        expectIssues(
            """
            expected a case with a fixed mapping, for rows in the mapping of User, found a closure that returns \
            a mapping
            """
        ) { try Chosen.mapping.validate(for: .rows) }
        expectIssues(
            """
            expected an object, or an array or a set of objects, for rows, found another container of objects \
            (rule users -> Nested.users)
            """
        ) { try Nested.mapping.validate(for: .rows) }
    }

    struct Withdrawn: Mappable {
        var year: Int?
        var code: String?
        static let mapping = Mapping(Withdrawn.init) {
            Attribute("date", \.year)
                .using(
                    Conversion<Int?> { json in
                        .some(Int(json.string?.prefix(4) ?? ""))
                    } write: { _ in
                        .null
                    }
                )
                .readOnly
            Attribute(.value, \.code)
                .using(
                    Conversion<String?> { json in
                        json.object?["part"]?.string.map { "DE-\($0)" }
                    } write: { _ in
                        .null
                    }
                )
                .whenInvalid(.keep).readOnly
        }
    }

    @Test func `A conversion of an optional has the column of its type`() throws {
        let table = try Withdrawn.mapping.rowPlan().tables[0]
        #expect(table.columns.map(\.type) == [AttributeType(.integer), AttributeType(.string)])
        expectTexts(
            try Self.rows(
                #"[{"date": "1991-12", "part": "SH"}, {"date": "never"}]"#,
                Withdrawn.mapping),
            [#"Withdrawn(year: 1991, code: "DE-SH")"#, "Withdrawn(year: null)"])
    }

    @Test func `A property without a name gets one from its type`() throws {
        struct Wrapped: Mappable, PropertyNaming {
            var stored = 0
            var wrapped: Int {
                get { stored }
                set { stored = newValue }
            }
            static let mapping = Mapping(Wrapped.init) { Attribute("w", \.wrapped) }
            static func name(of property: AnyKeyPath) -> String? { property == \Wrapped.wrapped ? "wrapped" : nil }
        }
        expectTexts(try rowTexts(of: #"{"w": 3}"#.utf8, Wrapped.mapping.rowPlan()), ["Wrapped(wrapped: 3)"])
    }

    @Test func `A manifest and a mapping read the same rows`() throws {
        let entities = [
            RowEntity(
                name: "Task",
                attributes: [
                    column("id", "integer", required: true), column("count", "integer", from: "subtasks.@count"),
                    column("city", from: "place.city"),
                ],
                relationships: [RowRelationship(name: "owner", path: "people.owner", destination: 1, isToMany: false)]),
            RowEntity(name: "User", attributes: [column("id", "integer"), column("name")], relationships: []),
        ]
        struct Task: Mappable {
            var id = 0
            var count: Int?
            var city: String?
            var owner: User?
            static let mapping = Mapping(Task.init) {
                Attribute("id", \.id).required
                Attribute("subtasks.@count", \.count)
                Attribute("place.city", \.city)
                Relationship("people.owner", \.owner)
            }
        }
        let text = """
            [{"id": 1, "subtasks": [1, 2], "place": {"city": "Rome"}, "people": {"owner": {"id": "3", "name": "Ann"}}},
             {"place": null}, {"id": 2, "place": {"city": null}, "people": {"owner": null}}, {"id": null, "subtasks": null},
             {"id": true, "people": [1]}, {"id": 3, "place": 7}]
            """
        expectTexts(try rowTexts(of: text.utf8, Task.mapping.rowPlan()), try rowTexts(of: text.utf8, entities))
    }
}
