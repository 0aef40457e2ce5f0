import ObjectMapping
import Testing

private struct Loop: Sendable {
    var next: [Loop] = []
    static func mapping() -> Mapping<Loop> { Mapping(Loop.init) { Relationship("next", \.next, mapping()) } }
}

private struct Mirror: Mappable {
    var selves: [Mirror] = []
    static let mapping = Mapping(Mirror.init) { Relationship("", \.selves) }
}

struct MappingIssuesTests {
    @Test func `All issues of a payload are reported together, without values`() throws {
        let text = """
            {"id": "secret", "balance": [1],
             "owner": {"name": {"first": "secret"}, "friends": [{"name": "ok"}, "secret", {"friends": 5}]},
             "transactions": [{"amount": 1}, {"amount": "secret"}, 3]}
            """
        let error = try #require(throws: MappingError.self) { try Account.mapping.map(text) }
        #expect(
            error.description == """
                1:8 $.id: expected an integer, found a string that cannot be converted to an integer (rule id -> Account.id)
                1:29 $.balance: expected a number, found an array (rule balance -> Account.balance)
                2:20 $.owner.name: expected a string, found an object (rule name -> Owner.name)
                2:69 $.owner.friends[1]: expected an object, found a string (rule friends -> Owner.friends)
                2:91 $.owner.friends[2].friends: expected an array of objects, found a number (rule friends -> Owner.friends)
                3:45 $.transactions[1].amount: expected a number, found a string that cannot be converted to a number (rule amount -> Payment.amount)
                3:45 $.transactions[1].amount: expected a number, found a string (rule transactions.@avg.amount -> Account.averageAmount)
                3:56 $.transactions[2]: expected an object, found a number (rule transactions -> Account.payments)
                """)
        #expect(!error.description.contains("secret"))
        #expect(
            error.details.contains(
                "1:8 $.id: expected an integer, found a string that cannot be converted to an integer (rule id -> Account.id), value \"secret\""
            ))
        #expect(error.issues.map(\.offset).prefix(2) == [7, 28])
        #expect(error.issues[0].kind == .typeMismatch && error.issues[0].rule == "id -> Account.id")
    }

    @Test func `Columns count scalars, offsets count bytes, a byte order mark only as bytes`() throws {
        let error = try #require(throws: MappingError.self) {
            try Account.mapping.map("\u{FEFF}{\"é😀\": 1, \"id\": true}")
        }
        #expect(error.description.hasPrefix("1:17 $.id:"))
        #expect(error.issues[0].offset == 23)
    }

    @Test func `A value without text has no line`() {
        expectIssues("$.id: expected an integer, found a boolean (rule id -> Payment.id)") {
            _ = try Payment.mapping.map(["id": true] as JSON)
        }
    }

    @Test func `A broken text is reported after the issues before it`() {
        expectIssues(
            """
            1:8 $.id: expected an integer, found a boolean (rule id -> Payment.id)
            1:25 $.amount: expected a value after the colon, found '}'
            """
        ) { _ = try Payment.mapping.map(#"{"id": true, "amount":   }"#.replacing("   }", with: "  }")) }
    }

    @Test(arguments: [
        ("average", "avg"), ("mean", "avg"), ("total", "sum"), ("maximum", "max"), ("minimum", "min"),
        ("size", "count"), ("length", "count"),
    ])
    func `Other names of operators suggest the operator`(name: String, known: String) {
        let mapping = Mapping(Box.init) { Attribute("a.@\(name).b", \.double) }
        let error = #expect(throws: MappingError.self) { try mapping.validate() }
        #expect(error?.issues.first?.suggestions == ["@\(known)"])
    }

    @Test(arguments: [
        (#"{"id": [1, {"a": "}"}, 2], "amount": 1}"#, #"[1, {"a": "}"}, 2]"#),
        (#"{"id": {"b": [1, "\"]"]}}"#, #"{"b": [1, "\"]"]}"#), (#"{"id": []}"#, "[]"),
        (#"{"id": "a, b"}"#, #""a, b""#),
        ("{\"id\": [1,\n2]}", "[1,"), (#"{"id": true, "amount": 1}"#, "true"),
        (#"{"id": [\#(String(repeating: "1,", count: 50))1]}"#, "[" + String(repeating: "1,", count: 29) + "1…"),
    ])
    func `Details have the value up to its end, or its first 60 bytes`(text: String, value: String) {
        let error = #expect(throws: MappingError.self) { try Payment.mapping.map(text) }
        #expect(error?.issues.first?.value == value)
    }

    @Test func `All mistakes of a mapping are reported by validate and by each use`() {
        let mapping = Mapping(Box.init) {
            Attribute("a.@cuont", \.int)
            Attribute("b..c", \.text)
            Relationship("c.@first", \.payments, Payment.mapping)
            Attribute("d.@avg.e", \.double)
        }
        let expected = """
            expected a collection operator, found '@cuont' in the key path 'a.@cuont' (rule a.@cuont -> Box.int); did you mean '@count'?
            expected a key, found an empty component in the key path 'b..c' (rule b..c -> Box.text)
            expected a collection operator, found '@first' in the key path 'c.@first' (rule c.@first -> Box.payments)
            """
        expectIssues(expected) { try mapping.validate() }
        expectIssues(expected) { _ = try mapping.map("{}") }
        expectIssues(expected) { _ = try mapping.mapAll("{}") }
    }

    @Test func `Mistakes in mappings that are referred to are reported, too`() {
        let inner = Mapping(Payment.init) { Attribute("@nothing", \.id) }
        let outer = Mapping(Box.init) { Relationship("p", \.payments, inner) }
        expectIssues(
            "expected a collection operator, found '@nothing' in the key path '@nothing' (rule @nothing -> Payment.id)"
        ) { try outer.validate() }
    }

    @Test func `A mapping that creates new mappings endlessly is an issue, not a crash`() {
        expectIssues(
            "expected mappings without infinite recursion, "
                + "found a mapping that contains itself; store mappings in a `static let`"
        ) { try Loop.mapping().validate() }
    }

    @Test func `A mapping that reads the same value by itself is an issue, not a crash`() {
        expectIssues(
            "expected a key or an array before the mapping contains itself, found an infinitely recursive mapping"
        ) { _ = try Mirror.mapping.map("{}") }
    }

    @Test func `Keys beyond 32,767 are a mistake`() {
        let mapping = Mapping(Box.init) { for number in 0..<40_000 { Attribute("k\(number)", \.int) } }
        let found = issues { try mapping.validate() }
        #expect(found.hasPrefix("expected rules for at most 32,767 keys of one object, found rules for 40000"))
    }
}

struct MappingConcurrencyTests {
    @Test func `One mapping serves many tasks at once`() async throws {
        let mapping = Mapping(Account.init) {
            Attribute("id", \.id)
            Attribute("transactions.@avg.amount", \.averageAmount)
            Relationship("owner", \.owner)
            Relationship("transactions", \.payments)
        }
        let results = await withTaskGroup(of: Account?.self) { group in
            for _ in 0..<200 { group.addTask { try? mapping.map(accountText) } }
            return await group.reduce(into: [Account?]()) { $0.append($1) }
        }
        let expected = try mapping.map(accountText)
        #expect(results.count == 200)
        #expect(results.allSatisfy { $0 == expected })
    }

    @Test func `The stack of a task holds a graph as deep as the limit`() async throws {
        let text = String(repeating: #"{"boss":"#, count: 511) + "{}" + String(repeating: "}", count: 511)
        let depth = try await Task.detached {
            var person = try Person.mapping.map(text)
            var depth = 1
            while let boss = person.boss {
                person = boss
                depth += 1
            }
            return depth
        }.value
        #expect(depth == 512)
    }

    @Test func `An issue of a rule for the whole object has its own position`() {
        let mapping = Mapping(Box.init) { Relationship("", \.payment, Payment.mapping) }
        expectIssues(
            "2:7 $.id: expected an integer, found a string that cannot be converted to an integer (rule id -> Payment.id)"
        ) {
            _ = try mapping.map("{\"x\": [],\n\"id\": \"a\"}")
        }
    }
}
