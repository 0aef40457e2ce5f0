import ObjectMapping
import Testing

/// Texts of more than 512 bytes are read in place, except for a tail of at most 4 KB.
struct InPlaceTests {
    /// A document of a size in bytes whose last kilobytes contain values of every kind.
    private static func document(_ size: Int, _ tail: String) -> String {
        let head = "{\"id\": 1, \"filling\": \""
        let end = "\", " + tail + "}"
        return head + String(repeating: "x", count: max(0, size - head.utf8.count - end.utf8.count)) + end
    }

    private static let tail = """
        "name": "last", "x": 1.5, "flag": false, "\u{E9}t\u{E9}": "2026-11-21T07:23:00Z", "tags": ["a", "b\\n"], "a": {"b": {"x": [1, 2]}},
        "items": [{"id": 1, "name": "i"}, {"id": 2}], "owner": {"id": 3, "items": [null]}, "b": [{"name": 1}, {}], "with space": "s"
        """

    @Test func `A document of any size around the threshold is read alike`() throws {
        let tail = #""name": "last", "x": 1.5, "tags": ["a", "b\n"], "a": {"b": {"x": [1, 2]}}, "items": [{"id": 1}]"#
        for tail in [tail, Self.tail] {
            let expected = try Sample(tree: JSON(Self.document(1000, tail)))
            for size in Array(450...650) + [8192, 16_384, 20_480, 65_536] {
                let text = try GuardedText(Self.document(size, tail))
                #expect(try Sample.mapping.map(text) == expected, "\(size) bytes")
            }
        }
    }

    @Test func `The tail can begin in any token`() throws {
        let expected = try Sample(tree: JSON(Self.document(1000, Self.tail)))
        for length in stride(from: 3400, through: 4300, by: 7) {
            // Without a quote in the last bytes the tail begins earlier, in the values above.
            let text = Self.document(20_000, Self.tail) + String(repeating: " ", count: length)
            #expect(try Sample.mapping.map(GuardedText(text)) == expected, "\(length) blanks behind")
            let numbers = Self.document(
                20_000, Self.tail + ", \"z\": [" + String(repeating: "1,", count: length / 2) + "1]")
            #expect(try Sample.mapping.map(GuardedText(numbers)) == expected, "\(length) digits behind")
        }
    }

    @Test func `Several rules can read a value that continues in the tail`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("list", \.json)
            Relationship("list", \.payments, Payment.mapping)
            Attribute("list.@count", \.int)
            Attribute("list.id", \.ints)
        }
        let elements = (0..<2000).map { "{\"id\": \($0), \"amount\": 1}" }
        let box = try mapping.map(GuardedText("{\"list\": [\(elements.joined(separator: ","))]}"))
        #expect(box.payments.count == 2000 && box.int == 2000 && box.json?.array?.count == 2000)
        #expect(box.ints == Array(0..<2000))
    }

    @Test func `A value that a custom type refuses can continue in the tail`() throws {
        struct Strict: JSONConvertible {
            init?(json: JSON) { return nil }
            var json: JSON { .null }
        }
        struct Model: Sendable { var value: Strict? }
        let mapping = Mapping(Model.init) { Attribute("v", \.value) }
        let numbers = String(repeating: "\"1\",", count: 8000)
        expectIssues("1:7 $.v: expected Strict, found an array that is not a valid Strict (rule v -> Model.value)") {
            _ = try mapping.map(GuardedText("{\"v\": [\(numbers)1]}"))
        }
    }

    @Test func `Every truncation of a long document is an error`() throws {
        let text = Array(Self.document(17_000, Self.tail).utf8)
        for length in [0, 1, 9, 8000] + Array(stride(from: text.count - 450, to: text.count, by: 5)) {
            let part = try GuardedText(text[..<length])
            let error = #expect(throws: MappingError.self, "\(length) bytes") { try Sample.mapping.map(part) }
            #expect(error?.isSyntax == true, "\(length) bytes")
            #expect(throws: MappingError.self) { try Sample.mapping.mapAll(part, at: "items") }
            #expect(throws: MappingError.self) { try Sample.mapping.mapAll(part, at: "filling.x") }
        }
    }

    @Test func `A broken end of a long document has the message of the JSON reader`() throws {
        for end in ["", "]", "}}", "} x", ", }", "\"", "\u{1}", ",\"z\":tru}", ",\"z\":1e}", ",\"z\":\"\\ud800\"}"] {
            let text = String(Self.document(20_000, Self.tail).dropLast()) + end
            let expected = issues { _ = try JSON(text) }
            #expect(!expected.isEmpty)
            expectIssues(expected) { _ = try Sample.mapping.map(GuardedText(text)) }
            expectIssues(expected) { _ = try Sample.mapping.mapAll(GuardedText(text), at: "items") }
        }
    }

    @Test(arguments: [70, 1000, 4000])
    func `An escaped quote near the end of a long document is part of its string`(distance: Int) throws {
        let name = String(repeating: "x", count: 20_000) + "\"" + String(repeating: "y", count: distance)
        let text = try GuardedText(#"{"name": "\#(name.replacing("\"", with: #"\""#))"}"#)
        #expect(try Sample.mapping.map(text).name == name)
    }

    @Test(arguments: ["", "]", "]}", "]}, }", "], \"x\" }}"], ["a", "b", "c"])
    func `A search for mapped keys in the tail does not move the reader`(end: String, key: String) throws {
        let mapping = Mapping(Box.init) {
            Attribute("a.int", \.int)
            Attribute("b.text.en", \.text)
        }
        let filling = String(repeating: "x", count: 600)
        let text = #"{"\#(key)": {"filling": "\#(filling)", "rest": [\#(String(repeating: "1, ", count: 40))1"# + end
        let expected = issues { _ = try JSON(text) }
        #expect(!expected.isEmpty)
        expectIssues(expected) { _ = try mapping.map(GuardedText(text)) }
    }

    @Test func `Issues in the tail have their position in the text`() throws {
        let text = Self.document(20_000, "\n\"list\": [{\"id\": true}]")
        expectIssues("2:17 $.list[0].id: expected an integer, found a boolean (rule id -> Payment.id)") {
            _ = try Payment.mapping.mapAll(GuardedText(text), at: "list")
        }
    }
}
