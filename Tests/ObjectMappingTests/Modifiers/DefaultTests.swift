import ObjectMapping
import Testing

struct DefaultTests {
    private static let mapping = Mapping(Box.init) {
        Attribute("int", \.int).default(7)
        Attribute("text", \.text).default("none")
        Attribute("texts", \.texts).default(["none"])
        Attribute("optional", \.optional).default("none")
        Attribute("a.double", \.double).default(0.5)
        Attribute("list.@count", \.json).default(.string("no list"))
    }

    private static var defaults: Box {
        var box = Box()
        (box.int, box.text, box.texts, box.optional, box.double) = (7, "none", ["none"], "none", 0.5)
        box.json = .string("no list")
        return box
    }

    @Test(arguments: [
        "{}", #"{"int": null, "text": null, "texts": null, "optional": null, "a": null, "list": null}"#,
        #"{"a": {}}"#, #"{"a": {"double": null}}"#, #"{"a": []}"#.replacing("[]", with: "5"),
    ])
    func `An absent key and null give the default`(text: String) throws {
        #expect(try Self.mapping.map(text, options: MappingOptions(requiresMappedKey: false)) == Self.defaults)
        var box = Box()
        (box.int, box.text, box.texts, box.optional, box.double) = (1, "a", ["b"], "c", 2)
        try Self.mapping.update(&box, from: text)
        #expect(box == Self.defaults)
    }

    @Test func `A value takes precedence over the default`() throws {
        let text = #"{"int": 1, "text": "a", "texts": [], "optional": "c", "a": {"double": 2}, "list": [1, 2]}"#
        let box = try Self.mapping.map(text)
        #expect(box.int == 1 && box.text == "a" && box.texts == [] && box.optional == "c" && box.double == 2)
        #expect(box.json == .integer(2))
    }

    @Test func `A value of another type is an issue despite the default`() {
        expectIssues(
            """
            1:9 $.int: expected an integer, found a string that cannot be converted to an integer (rule int -> Box.int)
            1:25 $.texts: expected a string, found an object (rule texts -> Box.texts)
            """
        ) { _ = try Self.mapping.map(#"{"int": "x!", "texts":  {}}"#) }
    }

    @Test func `A default can replace invalid values, too`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("int", \.int).default(7).whenInvalid(.useDefault).validate("must be positive") { $0 > 0 }
            Attribute("ints", \.ints).whenInvalid(.useDefault).default([7])
            Attribute("optional", \.optional).default(nil).whenInvalid(.useDefault)
        }
        let good = try mapping.map(#"{"int": 1, "ints": [2], "optional": "a"}"#)
        #expect(good.int == 1 && good.ints == [2] && good.optional == "a")
        for text in [
            #"{"int": [], "ints": ["x"], "optional": {}}"#, #"{"int": 1.5, "ints": [1, []], "optional": []}"#,
            #"{"int": -1, "ints": {}, "optional": null}"#,
        ] {
            let box = try mapping.map(text)
            #expect(box.int == 7 && box.ints == [7] && box.optional == nil, "\(text)")
        }
    }

    @Test func `An invalid value can be skipped`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("int", \.int).whenInvalid(.keep)
            Attribute("text", \.text).whenInvalid(.keep)
            Attribute("texts", \.texts).whenInvalid(.keep).validate("must be short") { $0.count < 2 }
        }
        var box = Box()
        (box.int, box.text, box.texts) = (1, "a", ["b"])
        let before = box
        try mapping.update(&box, from: #"{"int": [], "text": {}, "texts": ["a", "b"]}"#)
        #expect(box == before)
    }

    @Test func `Broken JSON in a value that can be invalid is a syntax error`() {
        let mapping = Mapping(Box.init) { Attribute("int", \.int).default(7).whenInvalid(.useDefault) }
        #expect(throws: MappingError.self) { try mapping.map(#"{"int": [1,}"#) }
    }

    @Test func `Policies take precedence over the default, each for its case`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("int", \.int).whenAbsent(.keep).default(7)
            Attribute("text", \.text).default("none").whenNull(.keep)
        }
        let absent = try mapping.map("{}")
        #expect(absent.int == -1 && absent.text == "none")
        let null = try mapping.map(#"{"int": null, "text": null}"#)
        #expect(null.int == 7 && null.text == "-")
        let required = Mapping(Box.init) { Attribute("int", \.int).default(7).required }
        #expect(try required.map(#"{"int": null}"#).int == 7)
        expectIssues("1:1 $.int: expected the key 'int', found no such key (rule int -> Box.int)") {
            _ = try required.map("{}")
        }
    }

    @Test func `A default is created for each model`() throws {
        let mapping = Mapping({ Person() }) {
            Attribute("name", \.name).default("someone")
            Attribute("languages", \.languages).default([])
        }
        let person = try mapping.map("{}")
        #expect(person.name == "someone" && person.languages.isEmpty)
        #expect(try mapping.map(#"{"name": "Ann", "languages": null}"#).name == "Ann")
    }

    @Test func `The last value of a repeated key decides`() throws {
        let mapping = Mapping(Box.init) { Attribute("int", \.int).default(7) }
        #expect(try mapping.map(#"{"int": 1, "int": null}"#).int == 7)
        #expect(try mapping.map(#"{"int": null, "int": 1}"#).int == 1)
    }

    @Test func `More than 64 rules can have defaults`() throws {
        let mapping = Mapping(Box.init) {
            for number in 0..<70 { Attribute("k\(number)", \.double).whenNull(.keep) }
            Attribute("last", \.int).default(7)
        }
        #expect(try mapping.map("{}").int == 7)
        #expect(try mapping.map(#"{"last": 8}"#).int == 8)
    }

    @Test func `A default for a missing rule is a mistake`() {
        expectIssues("expected a default for invalid values, found no default (rule int -> Box.int)") {
            try Mapping(Box.init) { Attribute("int", \.int).whenInvalid(.useDefault) }.validate()
        }
    }
}
