import ObjectMapping
import Synchronization
import Testing

/// A struct of constants with an argument of every kind.
private struct Passport: Mappable, Equatable {
    let id: Int
    let name: String
    let nickname: String?
    let rating: Double?
    let link: URL?
    let home: URL
    let tags: [String]
    let codes: Set<Int>
    let depth: Int??
    let extra: JSON
    let city: String
    let count: Int

    static let mapping = Mapping(
        Passport.self, Passport.init, Parameter("id", \.id), Parameter("name").default("nobody"), Parameter("nickname"),
        Parameter("rating").default(0.5), Parameter("link"), Parameter("home"), Parameter("tags").default(["new"]),
        Parameter("codes").default([]), Parameter("depth"), Parameter("extra").default(JSON.null),
        Parameter("address.city").default("nowhere"), Parameter("items.@count").default(0))
}

/// A struct that contains others of its type in every way.
private struct Tree: Mappable, Hashable {
    let name: String
    let children: [Tree]
    let twins: Set<Tree>
    let spare: [Tree]?
    let named: [String: Tree]

    static let mapping = Mapping(
        Tree.self, Tree.init, Parameter("name"), Parameter("children").default([]), Parameter("twins").default([]),
        Parameter("spare"), Parameter("named").default([:]))
}

private struct Pair: Equatable {
    let one: Payment
    let other: Payment?
    let all: [Payment]
    let more: [Payment]?

    static let short = Mapping(Payment.init) { Attribute("i", \.id) }
    static let mapping = Mapping(
        Pair.self, Pair.init, Parameter("one", \.one, by: short), Parameter("other", by: short),
        Parameter("all", by: short),
        Parameter("more", by: short))
}

/// A class of constants that counts its instances.
private final class Employee: Mappable {
    static let living = Atomic(0)
    let id: Int
    let boss: Employee?
    let team: [Employee]

    init(id: Int, boss: Employee?, team: [Employee]) {
        (self.id, self.boss, self.team) = (id, boss, team)
        Employee.living.add(1, ordering: .relaxed)
    }

    deinit { Employee.living.subtract(1, ordering: .relaxed) }

    static let mapping = Mapping(
        Employee.self, { Employee(id: $0, boss: $1, team: $2) }, Parameter("id"), Parameter("boss"),
        Parameter("team").default([]))
}

private struct Company: Mappable {
    var name = "-"
    var lead = Tree(name: "-", children: [], twins: [], spare: nil, named: [:])
    var second: Tree?

    static let mapping = Mapping(Company.init) {
        Attribute("name", \.name)
        Relationship("lead", \.lead)
        Relationship("second", \.second)
    }
}

/// A value that its initializer can refuse.
private struct Even: Mappable, Equatable {
    struct Odd: Error {}
    let number: Int

    init(number: Int) throws {
        guard number.isMultiple(of: 2) else { throw Odd() }
        self.number = number
    }

    static let mapping = Mapping(Even.self, Even.init(number:), Parameter("number"))
}

@Suite(.serialized) struct ParameterTests {
    @Test func `An initializer receives arguments of all types`() throws {
        let text = """
            {"id": 7, "name": "Ann", "nickname": "A.", "rating": 2, "link": "http://a/b", "home": "http://c/d",
             "tags": ["x", "y"], "codes": [1, 1, 2], "depth": 3, "extra": {"a": [1]}, "address": {"city": "Bonn"},
             "items": [{}, {}]}
            """
        let profile = try Passport.mapping.map(text)
        #expect(
            profile
                == Passport(
                    id: 7, name: "Ann", nickname: "A.", rating: 2, link: URL(string: "http://a/b"),
                    home: try #require(URL(string: "http://c/d")), tags: ["x", "y"], codes: [1, 2], depth: 3,
                    extra: table(#"{"a": [1]}"#), city: "Bonn", count: 2))
    }

    @Test func `Absent values and null are nil or the default`() throws {
        let home = try #require(URL(string: "http://c/d"))
        func expected(rating: Double?, depth: Int?? = nil) -> Passport {
            Passport(
                id: 1, name: "nobody", nickname: nil, rating: rating, link: nil, home: home, tags: ["new"], codes: [],
                depth: depth, extra: .null, city: "nowhere", count: 0)
        }
        #expect(try Passport.mapping.map(#"{"id": 1, "home": "http://c/d"}"#) == expected(rating: 0.5))
        let nulls = """
            {"id": 1, "name": null, "nickname": null, "rating": null, "link": null, "home": "http://c/d", "tags": null,
             "codes": null, "depth": null, "extra": null, "address": {"city": null}}
            """
        // As everywhere, null is the inner nil of an optional in an optional.
        #expect(try Passport.mapping.map(nulls) == expected(rating: nil, depth: .some(nil)))
    }

    @Test func `All issues of one object are reported together, with the argument's property or number`() {
        expectIssues(
            """
            1:1 $.home: expected the key 'home', found no such key (rule home -> argument 6 of Passport); did you mean 'hom'?
            1:8 $.id: expected an integer, found a string that cannot be converted to an integer (rule id -> Passport.id)
            1:21 $.name: expected a string, found an array (rule name -> argument 2 of Passport)
            1:33 $.link: expected a URL, found a number (rule link -> argument 5 of Passport)
            """
        ) { _ = try Passport.mapping.map(#"{"id": "x", "name": [], "link": 5, "hom": ""}"#) }
        expectIssues(
            """
            1:1 $.home: expected the key 'home', found no such key (rule home -> argument 6 of Passport)
            1:8 $.id: expected an integer, found null (rule id -> Passport.id)
            """
        ) { _ = try Passport.mapping.map(#"{"id": null}"#) }
        expectIssues("1:26 $.home: expected a URL, found null (rule home -> argument 6 of Passport)") {
            _ = try Passport.mapping.map(
                #"{"id": 1, "x": 2, "home":null}"#)
        }
    }

    @Test func `A struct contains structs of its own type`() throws {
        let tree = try Tree.mapping.map(
            """
            {"name": "a", "children": [{"name": "b", "children": {"name": "c"}}, null], "twins": [{"name": "d"}, {"name": "d"}],
             "spare": [{"name": "e"}], "named": {"f": {"name": "f"}, "g": null}}
            """)
        #expect(tree.children.map(\.name) == ["b"] && tree.children[0].children.map(\.name) == ["c"])
        #expect(tree.named.mapValues(\.name) == ["f": "f"])
        #expect(tree.twins.map(\.name) == ["d"] && tree.spare?.map(\.name) == ["e"] && tree.children[0].spare == nil)
        #expect(try Tree.mapping.mapAll(#"[{"name": "a"}, null, {"name": "b"}]"#).map(\.name) == ["a", "b"])
        expectIssues(
            """
            1:32 $.children[0].name: expected the key 'name', found no such key (rule name -> argument 1 of Tree)
            1:36 $.children[1]: expected an object, found a number (rule children -> argument 2 of Tree)
            """
        ) { _ = try Tree.mapping.map(#"{"name": "a",    "children":  [{}, 3]}"#) }
    }

    @Test func `Objects can be read by given mappings`() throws {
        let pair = try Pair.mapping.map(
            #"{"one": {"i": 1}, "other": {"i": 2}, "all": [{"i": 3}, null], "more": {"i": 4}}"#)
        #expect(pair.one.id == 1 && pair.other?.id == 2 && pair.all.map(\.id) == [3] && pair.more?.map(\.id) == [4])
        let least = try Pair.mapping.map(#"{"one": {}, "all": []}"#)
        #expect(least.other == nil && least.all.isEmpty && least.more == nil)
    }

    @Test func `Created structs are set in properties, and removed by null and a repeated key`() throws {
        var company = try Company.mapping.map(#"{"lead": {"name": "a"}, "second": {"name": "b"}}"#)
        #expect(company.lead.name == "a" && company.second?.name == "b")
        try Company.mapping.update(&company, from: #"{"lead": null, "second": null}"#)
        #expect(company.lead.name == "-" && company.second == nil)
        var report = MappingReport()
        company = try Company.mapping.map(
            #"{"lead": {"name": "a", "name": "b"}, "lead": {"name": "c"}}"#, report: &report)
        #expect(company.lead.name == "c" && report.warnings.count == 2)
        #expect(
            try Passport.mapping.map(#"{"id": 1, "id": 2, "home": "a:", "home": "b:", "tags": [], "tags": null}"#).id
                == 2)
    }

    @Test func `An error of an initializer is an issue that names the type`() throws {
        #expect(try Even.mapping.map(#"{"number": 4}"#).number == 4)
        expectIssues("1:18 $[1]: expected Even, found an object rejected by its initializer: Odd") {
            _ = try Even.mapping.mapAll(#"[{"number": 2},  {"number": 3}]"#)
        }
    }

    @Test(arguments: [
        #"{"id": 1, "boss": {"id": 2}, "team": [{"id": 3, "boss": {"id": 4}}, {"id": 5}]}"#,
        #"{"id": 1, "boss": {"id": 2}, "boss": {"id": 3}, "team": [{"id": 4}, {}, {"id": 5}]}"#,
        #"{"id": 1, "team": [{"id": 4, "team": [{"id": 5}, {"id": 6"#, #"{"boss": {"id": 2}, "id": "x"}"#,
        #"[{"id": 1}, {"id": 2}, {"id": 3, "boss": {"id": 4}, "#, #"[{"id": 1, "boss": {"id": 2}}, {"id": 3}]"#,
    ]) func `All objects are released after any payload`(text: String) {
        _ = try? Employee.mapping.map(GuardedText(text))
        _ = try? Employee.mapping.mapAll(GuardedText(text))
        #expect(Employee.living.load(ordering: .relaxed) == 0)
    }

    @Test func `Structs nest up to the limit of the text, on the stack of a task`() async throws {
        func nested(_ levels: Int) -> String {
            String(repeating: #"{"id":1,"boss":"#, count: levels) + "null" + String(repeating: "}", count: levels)
        }
        let depth = try await Task.detached {
            var employee: Employee? = try Employee.mapping.map(nested(512))
            var depth = 0
            while let next = employee {
                depth += 1
                employee = next.boss
            }
            return depth
        }.value
        #expect(depth == 512)
    }

    @Test func `Arguments are converted and validated like attributes`() throws {
        struct Event: Equatable {
            let day: Date
            let end: Date?
            let days: [Date]
            let seats: Int
        }
        let mapping = Mapping(
            Event.self, Event.init, Parameter("day", using: .date(.dateOnly)),
            Parameter("end", \.end, using: .date(.dateOnly)),
            Parameter("days", using: .date(.dateOnly)),
            Parameter("seats", \.seats).validate("must be positive") { $0 > 0 }.default(1))
        let day = Date(timeIntervalSince1970: 86_400)
        #expect(
            try mapping.map(#"{"day": "1970-01-02", "end": null, "days": ["1970-01-02"]}"#)
                == Event(day: day, end: nil, days: [day], seats: 1))
        expectIssues(
            "1:59 $.seats: expected a value that passes validation, found an invalid one: must be positive "
                + "(rule seats -> Event.seats)"
        ) { _ = try mapping.map(#"{"day": "1970-01-02", "end": null, "days": [],   "seats": 0}"#) }
    }

    @Test func `An update of a model with an initializer is an issue`() throws {
        var even = try Even.mapping.map(#"{"number": 4}"#)
        expectIssues(
            "expected a mapping that sets properties, for `update`, "
                + "found a mapping with an initializer; use `map` instead"
        ) { try Even.mapping.update(&even, from: #"{"number": 6}"#) }
    }
}
