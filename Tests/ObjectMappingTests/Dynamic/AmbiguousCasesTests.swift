import ObjectMapping
import Testing

private struct Writer: Equatable {
    var id: Int?
    var number = 0
    var name = ""

    static let full = Mapping(Writer.init) {
        Attribute("id", \.id)
        Attribute("name", \.name)
    }
    static let brief = Mapping(Writer.init) { Attribute("name", \.name) }
    static let numbered = Mapping(Writer.init) {
        Attribute("number", \.number)
        Attribute("name", \.name)
    }
    static let name = Mapping(Writer.init) { Attribute("", \.name) }
    static let number = Mapping(Writer.init) { Attribute("", \.number) }
}

private struct Text: Equatable {
    var author = Writer()
}

private class Animal {
    var name = ""
    static let animal = Mapping({ Animal() }) { Attribute("name", \.name) }
}

private final class Bird: Animal {
    var wingspan = 0
    static let bird = Mapping({ Bird() }) {
        Attribute("name", \.name)
        Attribute("wingspan", \.wingspan)
    }
}

/// Cases of one type that nothing in their output distinguishes.
@Suite struct AmbiguousCasesTests {
    private static let advice =
        "can be distinguished when writing: by a rule that writes the value of the case, or by `values:` "
        + "(`values: { _ in nil }` excludes a case), found"

    private static let hidden: [(name: String, mapping: Mapping<Writer>, issue: String)] = [
        (
            "a kind that the rules always write",
            Mapping(matching: {
                Match("number", isA: .number, Writer.numbered)
                Otherwise(Writer.full)
            }), "\(advice) case 2 (Otherwise), whose models are all written by case 1 ('number' is a number)"
        ),
        (
            "the kind of the value itself",
            Mapping(matching: {
                Match(.value, isA: .string, Writer.name)
                Match(.value, isA: .object, Writer.full)
            }), "\(advice) case 2 ('' is an object), whose models are all written by case 1 ('' is a string)"
        ),
        (
            "a value around the object",
            Mapping(matching: {
                Match(.parent("kind"), is: "brief", Writer.brief)
                Match(.parent("kind"), is: "full", Writer.full)
            }),
            "\(advice) case 2 ('@parent.kind' is 'full'), whose models are all written by case 1 ('@parent.kind' is 'brief')"
        ),
        (
            "labels with a shared mapping",
            Mapping(matching: {
                Match("kind", is: "user", Writer.full)
                Match("kind", is: "bot", Writer.full)
            }), "\(advice) case 2 ('kind' is 'bot'), whose models are all written by case 1 ('kind' is 'user')"
        ),
        (
            "labels with mappings that write different values",
            Mapping(matching: {
                Match("kind", is: "brief", Writer.brief)
                Match("kind", is: "full", Writer.full)
            }), "\(advice) case 2 ('kind' is 'full'), whose models are all written by case 1 ('kind' is 'brief')"
        ),
    ]

    @Test(arguments: hidden.indices) func `A case that is never written is reported, with the case that hides it`(
        index: Int
    ) throws {
        let (name, mapping, issue) = Self.hidden[index]
        #expect(issues { try mapping.validate() } == "expected cases of Writer that \(issue)", "\(name)")
        // The same in a rule with inline cases.
        let texts = Mapping({ Text() }) { Relationship("author", \.author, mapping) }
        #expect(issues { try texts.validate() } == "expected cases of Writer that \(issue)", "\(name)")
        #expect(throws: MappingError.self, "\(name)") {
            try texts.json(of: Text(author: Writer(id: 7, number: 8, name: "Ada")))
        }
    }

    @Test func `Inline cases that lose identities are an error of the mapping and of writing`() throws {
        let texts = Mapping({ Text() }) {
            Dynamic("author", \.author) {
                Match(.value, isA: .string, Writer.name)
                Otherwise(Writer.full)
            }
        }
        let text = #"{"author":{"id":7,"name":"Ada"}}"#
        #expect(try texts.map(text).author == Writer(id: 7, name: "Ada"))
        #expect(throws: MappingError.self) { try texts.validate() }
        let error = #expect(throws: MappingError.self) { try texts.serialize(texts.map(text)) }
        #expect(
            error?.description == "$.author: expected a Writer that only one case writes; `values:` selects the models "
                + "of a case, found a model that case 1 ('' is a string) and case 2 (Otherwise) write differently (rule author -> Text.author)"
        )
        // A model without an identity loses nothing.
        #expect(try texts.json(of: Text(author: Writer(name: "Ada"))) == table(#"{"author": "Ada"}"#))
    }

    @Test func `A closure as the condition does not lose identities in silence`() throws {
        let mapping = Mapping<Writer>(matching: {
            Match(where: { !$0["id"].exists }, Writer.brief)
            Otherwise(Writer.full)
        })
        try mapping.validate()
        #expect(try mapping.json(of: Writer(name: "Ada")) == table(#"{"name": "Ada"}"#))
        let error = #expect(throws: MappingError.self) { try mapping.json(of: Writer(id: 7, name: "Ada")) }
        #expect(
            error?.description == "$: expected a Writer that only one case writes; `values:` selects the models of a "
                + "case, found a model that case 1 (a closure) and case 2 (Otherwise) write differently")
        let list = #expect(throws: MappingError.self) {
            try mapping.serialize([Writer(name: "Bo"), Writer(id: 7, name: "Ada"), Writer(id: 8)])
        }
        #expect(list?.issues.map(\.path) == ["$[1]", "$[2]"])
    }

    @Test func `The case that writes all values of a later one writes its models`() throws {
        let mapping = Mapping<Writer>(matching: {
            Match("id", isA: .number, Writer.full)
            Otherwise(Writer.brief)
        })
        try mapping.validate()
        for text in [#"{"id":7,"name":"Ada"}"#, #"{"name":"Ada"}"#] {
            #expect(try String(decoding: mapping.serialize(mapping.map(text)), as: UTF8.self) == text)
        }
    }

    @Test func `A closure for the models of each case makes them distinguishable`() throws {
        let mapping = Mapping<Writer>(matching: {
            Match("kind", is: "brief", Writer.brief, { $0 }, values: { $0.id == nil ? $0 : nil })
            Match("kind", is: "full", Writer.full, { $0 }, values: { $0.id == nil ? nil : $0 })
        })
        try mapping.validate()
        for text in [#"{"kind":"brief","name":"Ada"}"#, #"{"kind":"full","id":7,"name":"Ada"}"#] {
            #expect(try String(decoding: mapping.serialize(mapping.map(text)), as: UTF8.self) == text)
        }
    }

    @Test func `Aliases in a table are written as the first one`() throws {
        let mapping = Mapping<Writer>(matching: {
            Match("kind", in: ["writer": Writer.full, "author": Writer.full])
            Otherwise(Writer.full)
        })
        try mapping.validate()
        let writer = try mapping.map(#"{"kind": "author", "id": 7}"#)
        #expect(try mapping.json(of: writer) == table(#"{"kind": "writer", "id": 7, "name": ""}"#))
    }

    @Test func `A case of a superclass hides a later one of a subclass`() throws {
        let mapping = Mapping<Animal>(matching: {
            Match("type", is: "animal", Animal.animal)
            Match("type", is: "bird", Bird.bird) { $0 }
        })
        #expect(
            issues { try mapping.validate() }
                == "expected cases of Animal that \(Self.advice) case 2 ('type' is 'bird'), "
                + "whose models are all written by case 1 ('type' is 'animal')")
        let bird = try mapping.map(#"{"type": "bird", "name": "wren", "wingspan": 15}"#)
        #expect(throws: MappingError.self) { try mapping.json(of: bird) }
        #expect(try mapping.json(of: Animal()) == table(#"{"type": "animal", "name": ""}"#))
    }

    @Test(arguments: [true, false]) func `A case whose output an earlier case reads is reported`(isWrapped: Bool) throws
    {
        struct Reference {
            var number = 0
            static let mapping = Mapping({ Reference() }) { Attribute("number", \.number) }
        }
        let mapping = Mapping<any Sendable>(matching: {
            if isWrapped {
                Match(wrappedIn: "number", Writer.number) { $0 }
            } else {
                Match("number", isA: .number, Reference.mapping) { $0 }
            }
            Match("name", isA: .string, Writer.numbered) { $0 }
        })
        let first = isWrapped ? "wrapped in 'number'" : "'number' is a number"
        let found = issues { try mapping.validate() }
        #expect(found.contains("found case 2 ('name' is a string), whose "), "\(found)")
        #expect(found.contains("by case 1 (\(first))"), "\(found)")
    }
}
