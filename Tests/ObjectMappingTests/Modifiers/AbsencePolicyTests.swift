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
