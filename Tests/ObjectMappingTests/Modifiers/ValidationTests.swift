import ObjectMapping
import Testing

struct ValidationTests {
    private struct Oddity: Error {}

    private static let mapping = Mapping(Box.init) {
        Attribute("int", \.int).validate("must be positive") { $0 > 0 }
        Attribute("text", \.text)
            .validate { $0 = $0.lowercased() }
            .validate { if $0.isEmpty { throw ValidationFailure("must not be empty") } }
        Attribute("optional", \.optional).validate("must be short") { $0.count < 5 }
        Attribute("texts", \.texts).validate { texts in
            texts.sort()
            if texts.count > 3 { throw Oddity() }
        }
        Attribute("double", \.double).default(-5).validate("must be positive") { $0 > 0 }
    }

    @Test func `A valid value is set, transformed or unchanged`() throws {
        let box = try Self.mapping.map(
            #"{"int": 3, "text": "ABC", "optional": "abcd", "texts": ["b", "a"], "double": 1}"#)
        #expect(box.int == 3 && box.text == "abc" && box.optional == "abcd" && box.texts == ["a", "b"])
    }

    @Test func `An invalid value is an issue with the reason`() {
        expectIssues(
            """
            1:9 $.int: expected a value that passes validation, found an invalid one: must be positive \
            (rule int -> Box.int)
            1:20 $.text: expected a value that passes validation, found an invalid one: must not be empty \
            (rule text -> Box.text)
            1:36 $.optional: expected a value that passes validation, found an invalid one: must be short \
            (rule optional -> Box.optional)
            1:54 $.texts: expected a value that passes validation, found an invalid one: Oddity \
            (rule texts -> Box.texts)
            """
        ) {
            _ = try Self.mapping.map(#"{"int": 0, "text": "", "optional": "abcde", "texts": ["a", "b", "c", "d"]}"#)
        }
    }

    @Test func `A validation without a message rejects values, too`() throws {
        struct Pair: Mappable {
            let id: Int
            let name: String?
            static let mapping = Mapping(
                Pair.self, Pair.init, Parameter("id", \.id).validate { $0 > 0 }, Parameter("name", \.name))
        }
        let mapping = Mapping(Box.init) {
            Attribute("int", \.int).validate { $0 > 0 }
            Attribute("text", \.text).validate { text in
                let isShort = text.count < 5
                return isShort
            }
            Attribute("optional", \.optional).validate { !$0.isEmpty }
        }
        let reason = "found an invalid one: does not meet the requirement of `validate`"
        expectIssues(
            """
            1:9 $.int: expected a value that passes validation, \(reason) (rule int -> Box.int)
            1:20 $.text: expected a value that passes validation, \(reason) (rule text -> Box.text)
            1:42 $.optional: expected a value that passes validation, \(reason) (rule optional -> Box.optional)
            """
        ) { _ = try mapping.map(#"{"int": 0, "text": "abcdef", "optional": ""}"#) }
        let box = try mapping.map(#"{"int": 1, "text": "a", "optional": null}"#)
        #expect(box.int == 1 && box.text == "a" && box.optional == nil)
        expectIssues("1:8 $.id: expected a value that passes validation, \(reason) (rule id -> Pair.id)") {
            _ = try Pair.mapping.map(#"{"id": 0}"#)
        }
    }

    @Test func `The issue has the kind invalidValue`() {
        let error = #expect(throws: MappingError.self) { try Self.mapping.map(#"{"int": 0}"#) }
        #expect(error?.issues.map(\.kind) == [.invalidValue])
    }

    @Test func `Nil, defaults and failed conversions are not validated`() throws {
        #expect(try Self.mapping.map(#"{"optional": null}"#).double == -5)
        expectIssues("1:9 $.int: expected an integer, found an array (rule int -> Box.int)") {
            _ = try Self.mapping.map(#"{"int": []}"#)
        }
    }

    @Test func `Null is not validated`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("optional", \.optional).validate("must be there") { $0 != nil }
            Attribute("text", \.text).validate("never is") { _ in false }.whenAbsent(.clear)
        }
        #expect(try mapping.map(#"{"optional": null, "text": null}"#).optional == nil)
        #expect(try mapping.map("{}").text == "-")
    }

    @Test func `Properties of classes are validated before they are set`() throws {
        let mapping = Mapping({ Person() }) {
            Attribute("name", \.name).validate("must be short") { $0.count < 5 }
            Attribute("age", \.age).validate("must be positive") { $0 > 0 }.whenInvalid(.keep)
        }
        let person = Person()
        try mapping.update(person, from: #"{"name": "Ann", "age": -1}"#)
        #expect(person.name == "Ann" && person.age == 30)
        #expect(throws: MappingError.self) { try mapping.update(person, from: #"{"name": "Annabel"}"#) }
        #expect(person.name == "Ann")
    }

    private struct Span: Mappable, Equatable {
        var start = 0
        var end = 0
        var parts: [Span] = []

        static let mapping: Mapping<Span> = Mapping(Span.init) {
            Attribute("start", \.start)
            Attribute("end", \.end)
            Relationship("parts", \.parts)
        }
        .validated { span in if span.end < span.start { throw ValidationFailure("must end after it starts") } }
    }

    @Test func `A valid model is created`() throws {
        #expect(try Span.mapping.map(#"{"start": 1, "end": 2, "parts": [{"end": 1}]}"#).parts.map(\.end) == [1])
    }

    @Test func `An invalid model is an issue at any position`() {
        let expected = """
            PLACE: expected an object that passes validation, found an invalid one: must end after it starts
            """
        expectIssues(expected.replacing("PLACE", with: "1:1 $")) { _ = try Span.mapping.map(#"{"start": 3}"#) }
        expectIssues(expected.replacing("PLACE", with: "1:6 $[1]")) {
            _ = try Span.mapping.mapAll(#"[{}, {"start": 3}]"#)
        }
        var span = Span(start: 0, end: 5)
        expectIssues(expected.replacing("PLACE", with: "1:1 $")) {
            try Span.mapping.update(&span, from: #"{"start": 6}"#)
        }
        #expect(span == Span(start: 0, end: 5))
        expectIssues(
            """
            1:16 $.parts[1]: expected an object that passes validation, found an invalid one: must end after it \
            starts (rule parts -> Span.parts)
            """
        ) { _ = try Span.mapping.map(#"{"parts": [{}, {"start": 3}]}"#) }
    }

    @Test func `A model with issues is not validated`() {
        expectIssues("1:20 $.end: expected an integer, found an array (rule end -> Span.end)") {
            _ = try Span.mapping.map(#"{"start": 3, "end":[]}"#)
        }
    }

    @Test func `Models with an initializer are validated, too`() throws {
        let mapping = Mapping({ (span: Span) in span.end - span.start }, from: Span.mapping)
            .validated { if $0 > 5 { throw ValidationFailure("must be short") } }
        #expect(try mapping.map(#"{"end": 5}"#) == 5)
        expectIssues("1:1 $: expected an object that passes validation, found an invalid one: must be short") {
            _ = try mapping.map(#"{"end": 6}"#)
        }
    }
}
