import ObjectMapping
import TestSupport
import Testing

struct JSONWritingTests {
    @Test(arguments: [
        #"{"z":1,"a":[1.0,1e3,-0,1E+2,0.10,18446744073709551616],"m":{"":null}}"#, "[]", "{}", "null", "\"\"",
        "[[],{}]",
        "\"\\\"\\\\/\\n\\r\\t\\u0000\\u001f\u{7F}é😀\u{2028}\"",
    ])
    func `Compact text is written unchanged`(text: String) throws {
        let json = try JSON(text)
        #expect(json.text == text)
        #expect(json.description == text)
        if let object = json.object { #expect(object.description == text) }
        #expect(json.data == Data(text.utf8))
    }

    @Test func `Pretty-printed text has one member per line`() throws {
        let json: JSON = ["b": [1, ["x": .null]], "a": [], "o": [:], "s": .string("t")]
        #expect(
            json.prettyPrinted == """
                {
                  "b": [
                    1,
                    {
                      "x": null
                    }
                  ],
                  "a": [],
                  "o": {},
                  "s": "t"
                }
                """)
        #expect(try JSON(json.prettyPrinted) == json)
    }

    @Test func `Objects are equal in any order, arrays in the same order`() {
        let a: JSON = ["x": 1, "y": [1, 2]]
        let b: JSON = ["y": [1.0, 2], "x": 1]
        #expect(a == b)
        #expect(a.hashValue == b.hashValue)
        #expect(a != ["x": 1, "y": [2, 1]])
        #expect(a != ["x": 1])
        #expect(a != ["x": 1, "z": [1, 2]])
    }

    @Test func `Absent values are not in new values`() {
        let none = JSON.null["x"]
        #expect(JSON.object(["a": none, "b": 1]).text == #"{"b":1}"#)
        #expect(JSON.array([none, 1]).text == "[null,1]")
        #expect(JSON.object(["a": 1, "b": 2, "a": 3]).text == #"{"a":3,"b":2}"#)
    }

    @Test func `Random documents are equal after writing and reading`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            let json = document(depth: 5, &random)
            let again = try JSON(json.text)
            #expect(again == json)
            #expect(again.text == json.text)
            #expect(try JSON(json.prettyPrinted).text == json.text)
            #expect(again.hashValue == json.hashValue)
            #expect(again.duplicateKeys.isEmpty)
        }
    }

    private func document(depth: Int, _ random: inout SeededGenerator) -> JSON {
        switch Int.random(in: 0..<(depth == 0 ? 6 : 9), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .integer(Int64(bitPattern: random.next()))
        case 3: return .integer(random.next())
        case 4: return .double(Double(random.next()) / 1e7)
        case 5: return .string(text(&random))
        case 6:
            return .array((0..<Int.random(in: 0..<6, using: &random)).map { _ in document(depth: depth - 1, &random) })
        default:
            let members = (0..<Int.random(in: 0..<30, using: &random)).map { _ in
                (key: text(&random), value: document(depth: depth - 3 < 0 ? 0 : depth - 3, &random))
            }
            return .object(JSONObject(members))
        }
    }

    private func text(_ random: inout SeededGenerator) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "b", "\"", "\\", "\n", "\0", "\u{1F}", "\u{7F}", "é", "\u{301}", "€", "😀", "/", " ",
        ]
        return (0..<Int.random(in: 0..<20, using: &random)).reduce(into: "") { text, _ in
            text.unicodeScalars.append(scalars.randomElement(using: &random) ?? "a")
        }
    }
}
