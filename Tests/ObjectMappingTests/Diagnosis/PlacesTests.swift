import ObjectMapping
import Testing

struct PlacesTests {
    private static let text = """
        {
          "a": {"é": [10, {"x.y": "v"}]},
          "b": null,
          "a": {"c": 1}
        }
        """

    @Test(
        arguments: [
            ([], 1, 1), ([.key("a")], 4, 8), ([.key("a"), .key("c")], 4, 14), ([.key("b")], 3, 8),
        ] as [([JSONPathStep], Int, Int)])
    func `A value is found by its path, the last of repeated keys`(path: [JSONPathStep], line: Int, column: Int) {
        let place = Self.text.withJSONView { JSONTokenizer.position(of: path, in: $0) }
        #expect(place?.line == line)
        #expect(place?.column == column)
    }

    @Test(
        arguments: [
            [.key("a"), .key("é")], [.key("x")], [.index(0)], [.key("b"), .key("c")],
            [.key("a"), .key("c"), .index(0)],
        ] as [[JSONPathStep]])
    func `An absent value, or a value of an earlier repeated key, is not found`(path: [JSONPathStep]) {
        #expect(Self.text.withJSONView { JSONTokenizer.position(of: path, in: $0) } == nil)
    }

    @Test func `The position of a key is before its value`() {
        let text = #"[0, {"a\u0062": 1}]"#
        let path: [JSONPathStep] = [.index(1), .key("ab")]
        text.withJSONView { bytes in
            #expect(JSONTokenizer.position(of: path, in: bytes)?.offset == 16)
            #expect(JSONTokenizer.position(of: path, in: bytes, ofKey: true)?.offset == 5)
            #expect(JSONTokenizer.position(of: [.index(1)], in: bytes)?.offset == 4)
            #expect(JSONTokenizer.position(of: [.index(2)], in: bytes) == nil)
        }
    }

    @Test func `A broken text is searched up to its error`() {
        "{\"a\": 1, \"b\": [2, ?".withJSONView { bytes in
            #expect(JSONTokenizer.position(of: [.key("b"), .index(0)], in: bytes)?.column == 16)
            #expect(JSONTokenizer.position(of: [.key("b"), .index(1)], in: bytes) == nil)
        }
    }

    @Test func `Paths and positions of many offsets are found in one pass`() {
        let text = "{\"a\": [1,\n {\"b\": true}], \"é\": 22, ?"
        let offsets = [0, 1, 6, 7, 11, 12, 17, 22, 25, 30, 31, 34]
        let found = text.withJSONView { JSONTokenizer.places(offsets: offsets, in: $0) }
        #expect(
            found.map { "\($0.position.line):\($0.position.column) \($0.path.text)" } == [
                "1:1 $", "1:2 $.a", "1:7 $.a", "1:8 $.a[0]", "2:2 $.a[1]", "2:3 $.a[1].b", "2:8 $.a[1].b",
                "2:13 $.a",
                "2:16 $.é", "2:20 $.é", "2:21 $.é", "2:24 $",
            ])
        #expect(found.map(\.position.offset) == offsets)
    }

    @Test func `Positions in a window count from its start`() {
        let found = "[5,\n6]".withJSONView {
            JSONTokenizer.places(
                offsets: [1, 4], in: $0, origin: TextPosition(line: 3, column: 9, offset: 100), prefix: [.key("t")])
        }
        #expect(
            found.map { "\($0.position.line):\($0.position.column) \($0.path.text)" } == ["3:10 $.t[0]", "4:1 $.t[1]"])
        #expect(found.map(\.position.offset) == [101, 104])
    }

    @Test(arguments: [
        ("name", ".name"), ("a_b-c", ".a_b-c"), ("größe", ".größe"), ("", #"[""]"#), ("a.b", #"["a.b"]"#),
        ("x\ny", #"["x\ny"]"#),
        ("a\u{2028}b", "[\"a\u{2028}b\"]"),
    ])
    func `Only simple names are unquoted in a path`(key: String, text: String) {
        #expect([JSONPathStep.key(key), .index(2)].text == "$\(text)[2]")
    }

    @Test func `Very long paths and keys are shortened`() {
        let long = String(repeating: "k", count: 1000)
        #expect([JSONPathStep.key(long)].text == "$[\"" + String(repeating: "k", count: 96) + "…\"]")
        let deep = [JSONPathStep](repeating: .index(0), count: 64)
        #expect(deep.text == "$" + String(repeating: "[0]", count: 64))
        let half = String(repeating: "[0]", count: 24)
        #expect((deep + deep).text == "$\(half)…\(half)")
    }
}
