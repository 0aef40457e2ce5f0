import ObjectMapping
import Testing

struct AbsencePolicyTests {
    private static let mapping = Mapping(Box.init) {
        Attribute("int", \.int)
        Attribute("text", \.text).whenAbsent(.keep)
        Attribute("a.b.optional", \.optional)
        Attribute("texts", \.texts).default(["none"])
        Attribute("double", \.double).whenNull(.keep)
        Relationship("payments", \.payments, Payment.mapping)
        Relationship("payment", \.payment, Payment.mapping)
    }
    .whenAbsent(.clear)

    private static var full: Box {
        var box = Box()
        (box.int, box.text, box.optional, box.texts, box.double) = (1, "a", "b", ["c"], 2)
        (box.payments, box.payment) = ([Payment()], Payment())
        return box
    }

    @Test(arguments: ["{}", #"{"a": {}}"#, #"{"a": {"b": {}}}"#, #"{"a": 5}"#, #"{"a": {"b": "x"}}"#])
    func `Absence clears every property without a different policy`(text: String) throws {
        var box = Self.full
        try Self.mapping.update(&box, from: text)
        var expected = Box()
        (expected.text, expected.optional, expected.texts, expected.double) = ("a", nil, ["none"], -1)
        #expect(box == expected)
    }

    @Test func `Present values are set`() throws {
        var box = Self.full
        try Self.mapping.update(
            &box,
            from: """
                {"int": 5, "text": "x", "a": {"b": {"optional": "y"}}, "texts": ["z"], "double": null,
                 "payments": [{}, {}], "payment": {}}
                """)
        var expected = Self.full
        (expected.int, expected.text, expected.optional, expected.texts) = (5, "x", "y", ["z"])
        expected.payments = [Payment(), Payment()]
        #expect(box == expected)
    }

    @Test func `A mapping can require all keys`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("int", \.int)
            Attribute("a.b.optional", \.optional)
            Attribute("text", \.text).whenAbsent(.keep)
            Attribute("texts", \.texts).default(["none"])
            Attribute(.first("double", "number"), \.double)
            Relationship("payment", \.payment, Payment.mapping)
        }
        .whenAbsent(.fail)
        let error = #expect(throws: MappingError.self) { try mapping.map(#"{"Int": 1, "a": {"optional": "x"}}"#) }
        #expect(error?.issues.map(\.kind) == [.missing, .missing, .missing, .missing])
        #expect(
            error?.issues.map(\.path).sorted() == ["$", "$.a.b", "$.int", "$.payment"], "\(error?.description ?? "")")
        let all = #"{"int": null, "a": {"b": {"optional": null}}, "number": 2, "payment": {}}"#
        let box = try mapping.map(all)
        #expect(box.int == Box().int && box.optional == nil && box.texts == ["none"] && box.double == 2)
    }

    @Test func `A rule can fail although its mapping keeps`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("int", \.int).whenAbsent(.fail)
            Attribute("text", \.text)
            Attribute("texts", \.texts).policy(.union)
        }
        expectIssues("1:1 $.int: expected the key 'int', found no such key (rule int -> Box.int)") {
            _ = try mapping.map(#"{"text": "a"}"#)
        }
        #expect(try mapping.map(#"{"int": null}"#).int == Box().int)
        #expect(try mapping.whenAbsent(.fail).map(#"{"int": 3, "text": "a"}"#).int == 3)
    }

    @Test func `A mapping that requires all keys does not require those of its relationships`() throws {
        struct Owner {
            var payment: Payment?
            var counts: [Int] = []
        }
        let mapping = Mapping({ Owner() }) {
            Relationship("payment", \.payment, Payment.mapping)
            Attribute("counts", \.counts)
        }
        .whenAbsent(.fail)
        #expect(try mapping.map(#"{"payment": {}, "counts": []}"#).payment != nil)
        var owner = Owner()
        #expect(throws: MappingError.self) { try mapping.update(&owner, from: #"{"counts": [1]}"#) }
    }

    @Test func `A rule can clear although its mapping keeps`() throws {
        let mapping = Mapping({ Person() }) {
            Attribute("name", \.name).whenAbsent(.clear)
            Attribute("age", \.age).whenAbsent(.clear)
            Relationship("boss", \.boss, Person.mapping).whenAbsent(.clear)
            Relationship("houses", \.houses).whenAbsent(.clear)
            Attribute("languages", \.languages)
        }
        let person = Person()
        (person.name, person.boss, person.houses, person.languages) = ("Ann", Person(), [House()], ["en"])
        try mapping.update(person, from: "{}")
        #expect(person.name == "nobody" && person.age == nil && person.boss == nil && person.houses.isEmpty)
        #expect(person.languages == ["en"])
    }

    @Test func `Each of several rules for a key has its own policy`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("list", \.ints).whenAbsent(.clear)
            Attribute("list.@count", \.int).whenAbsent(.clear)
            Attribute("list.@sum", \.double)
        }
        var box = Box()
        (box.ints, box.int, box.double) = ([1], 2, 3)
        try mapping.update(&box, from: "{}")
        #expect(box.ints.isEmpty && box.int == -1 && box.double == 3)
    }

    @Test func `A path through an array is absent if no element has the value`() throws {
        let mapping = Mapping(Box.init) { Attribute("a.b", \.ints).whenAbsent(.clear) }
        var box = Box()
        box.ints = [1]
        try mapping.update(&box, from: #"{"a": [{}]}"#)
        #expect(box.ints.isEmpty)
    }

    @Test func `A required key has no policy for absence`() {
        expectIssues("expected either 'required' or 'whenAbsent', found both (rule int -> Box.int)") {
            try Mapping(Box.init) { Attribute("int", \.int).required.whenAbsent(.clear) }.validate()
        }
    }

    @Test func `Required keys stay required`() {
        let mapping = Mapping(Box.init) { Attribute("int", \.int).required }.whenAbsent(.clear)
        expectIssues("1:1 $.int: expected the key 'int', found no such key (rule int -> Box.int)") {
            _ = try mapping.map("{}")
        }
    }
}

extension AbsencePolicyTests {
    @Test func `An outer value can be absent, too`() throws {
        let mapping = Mapping(Box.init) {
            Attribute(.metadata("version"), \.int).default(7)
            Attribute(.first("a", "b"), \.text).whenAbsent(.clear)
            Relationship(.value, \.payment, Mapping(Payment.init) { Attribute("amount", \.amount) }).whenAbsent(.clear)
        }
        var box = Box()
        (box.int, box.text, box.payment) = (1, "a", Payment())
        try mapping.update(&box, from: #"{"c": 1}"#)
        #expect(box == Box(int: 7))
        try mapping.update(&box, from: #"{"b": "x", "amount": 2}"#, options: MappingOptions(metadata: ["version": 8]))
        #expect(box.int == 8 && box.text == "x" && box.payment?.amount == 2)
    }
}
