import ObjectMapping
import TestSupport
import Testing

struct GrammarTests {
    static let sound: [String] = [
        // Single values and whitespace.
        "null", "true", "false", "0", "\"\"", "[]", "{}", " \t\r\n[ \t\r\n] \n", "\u{FEFF}[1]", "[[], {}, [[]]]",
        // Numbers.
        "-0", "-1", "10", "0.0", "-0.0", "0e0", "0E+0", "1e-999", "1E400", "1.25e+2", "123456789012345678901234567890",
        "[0.1, -2.5E-3]", String(repeating: "9", count: 1024), "0." + String(repeating: "1", count: 1022),
        // Strings and escapes.
        #""\"\\\/\b\f\n\r\t""#, #""\u0000\u001f\u007F\uFFFF""#, #""\ud83d\ude00""#, #""\uDBFF\uDFFF""#, #""\\u0041""#,
        "\"\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\u{2028}\"", #""\uD7FF\uE000""#, "\"//\"", "\"'\"",
        // Objects.
        #"{"":0}"#, #"{"a":1,"a":2}"#, "{\"a\\u0000b\":{}}", #"{"a":{"b":{"c":[]}}}"#, "{ \"a\" : 1 , \"b\" : 2 }",
        String(repeating: "[", count: 512) + String(repeating: "]", count: 512),
        String(repeating: #"{"a":"#, count: 511) + "[]" + String(repeating: "}", count: 511),
    ]

    static let broken: [String] = [
        "", " ", "\u{FEFF}", "\u{FEFF}\u{FEFF}1",
        // Structure.
        "[", "{", "]", "}", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1 2]", "[1,,2]", "[1}", "{]", "[[]", "[]]", "1 2",
        "{} {}", ",",
        ":", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{\"a\"::1}", "{a:1}",
        "{1:1}",
        "{null:1}", "{'a':1}", "{\"a\":1", "{\"a\":", "{\"a\"", "{\"a\":1}}", "{[1]:2}", "[\"a\":1]", "{\"a\",1}",
        // Words and comments.
        "nul", "nulll", "tru", "True", "NULL", "NaN", "-NaN", "Infinity", "-Infinity", "undefined", "// a\n1",
        "1 /* b */", "#1",
        "[1]\u{0}", "\u{C}1", "\u{A0}1", "\u{2028}1", "abc",
        // Numbers.
        "01", "-01", "00", "-", "+1", ".5", "5.", "1.e1", "1e", "1e+", "1E-", "0x1F", "1_000", "1,5", "--1", "1.2.3",
        "1e2e3",
        "1e1.5", "１", "0b1", "1f", "-.5", "-e1", String(repeating: "9", count: 1025),
        "1" + String(repeating: "0", count: 9999),
        "1e" + String(repeating: "1", count: 1023),
        // Strings.
        "\"", "\"a", "'a'", "\"\\\"", "\"\\", "\"\\x41\"", "\"\\'\"", "\"\\0\"", "\"\\u\"", "\"\\u12\"", "\"\\u123g\"",
        "\"\\U0041\"",
        "\"\n\"", "\"\t\"", "\"\r\"", "\"\u{0}\"", "\"\u{1F}\"", "\"\\\n\"", "\"\\é\"", "{\"\t\":1}", "{\"a\\x\":1}",
        // Surrogates.
        #""\ud800""#, #""\udc00""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\u0041""#, #""\ud800\ud800\udc00""#,
        #""\udc00\ud800""#,
        #"{"\ud800":1}"#, "\"\\ud800", "\"\\ud800\\", "\"\\ud800\\u", "\"\\ud800\\udc",
        // Depth.
        String(repeating: "[", count: 513) + String(repeating: "]", count: 513), String(repeating: "[", count: 100_000),
        String(repeating: #"{"a":"#, count: 100_000), String(repeating: #"[{"":"#, count: 50_000),
    ]

    static let brokenBytes: [[UInt8]] = [
        // Stray continuations, overlong forms, surrogates, beyond U+10FFFF, cut sequences.
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xF0, 0x80, 0x80, 0x80],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
        [0xF5, 0x80, 0x80, 0x80],
        [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3, 0x28],
        [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xF0, 0x28, 0x8C, 0xBC], [0xF0, 0x90, 0x28, 0xBC],
        [0xF0, 0x90, 0x8C, 0x28],
    ]

    @Test(arguments: sound)
    func `A valid text is read`(text: String) throws {
        _ = try JSON(text)
        #expect(text.withJSONView { JSONTokenizer.firstIssue(in: $0) } == nil)
    }

    @Test(arguments: broken)
    func `A broken text is refused, with the reason`(text: String) throws {
        let error = #expect(throws: MappingError.self) { try JSON(text) }
        let issue = try #require(text.withJSONView { JSONTokenizer.firstIssue(in: $0) })
        #expect(error?.issues == [issue])
        #expect(issue.kind == .syntax)
    }

    @Test(arguments: brokenBytes)
    func `Invalid UTF-8 is refused in strings, in keys and elsewhere`(bytes: [UInt8]) {
        let name = "0x" + String(bytes[0], radix: 16, uppercase: true)
        for (before, after) in [("[\"ab", "c\"]"), ("{\"", "\":1}"), ("[1,", "]"), ("[\"12345678", "12345678\"]")] {
            let error = #expect(throws: MappingError.self) { try JSON(Array(before.utf8) + bytes + Array(after.utf8)) }
            #expect(error?.issues.first?.found == "invalid UTF-8 (byte \(name))")
            #expect(error?.issues.first?.offset == before.utf8.count)
        }
    }

    @Test(
        arguments: [
            ("UTF-16", [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00]), ("UTF-16", [0xFE, 0xFF, 0x00, 0x5B, 0x00, 0x5D]),
            ("UTF-16", [0x5B, 0x00, 0x5D, 0x00]), ("UTF-16", [0x00, 0x5B, 0x00, 0x5D]),
            ("UTF-16", [0x22, 0, 0x61, 0, 0x22, 0]),
            ("UTF-16", [0x31, 0x00]), ("UTF-32", [0xFF, 0xFE, 0, 0, 0x5B, 0, 0, 0]),
            ("UTF-32", [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x5B]),
            ("UTF-32", [0x5B, 0, 0, 0, 0x5D, 0, 0, 0]), ("UTF-32", [0, 0, 0, 0x5B, 0, 0, 0, 0x5D]),
        ] as [(String, [UInt8])])
    func `Another encoding is named`(name: String, bytes: [UInt8]) {
        let error = #expect(throws: MappingError.self) { try JSON(bytes) }
        #expect(error?.description == "1:1 $: expected UTF-8, found \(name)")
    }

    @Test func `Deep nesting and long numbers are refused immediately`() {
        let texts = [
            String(repeating: "[", count: 1_000_000), String(repeating: "7", count: 1_000_000),
            "[" + String(repeating: "-1.5e", count: 200_000),
        ]
        for text in texts { #expect(throws: MappingError.self) { try JSON(text) } }
    }

    @Test func `The nesting limit can be set, up to the limit of the stack`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSON(nested(3), maximumDepth: 3)
        #expect(throws: MappingError.self) { try JSON(nested(4), maximumDepth: 3) }
        #expect(throws: MappingError.self) { try JSON(nested(1), maximumDepth: 0) }
        _ = try JSON(nested(1024), maximumDepth: .max)
        #expect(throws: MappingError.self) { try JSON(nested(1025), maximumDepth: .max) }
    }

    @Test func `Reader and walker agree on randomly broken texts`() {
        var random = SeededGenerator(seed: 7)
        let source = Array(
            #"{"a":[1,-2.5e3,"x\n\ud83d\ude00é",true,null],"key":{"b":{},"c":[]},"long enough":"12345678\\"}"#.utf8)
        let spare = Array("{}[]:,\"\\u0e-.tn \n".utf8) + [0x00, 0xC3, 0xFF]
        for _ in 0..<20_000 {
            var text = source
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = text.indices.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<4, using: &random) {
                case 0: text.remove(at: place)
                case 1: text.insert(spare.randomElement(using: &random) ?? 0, at: place)
                case 2: text[place] = spare.randomElement(using: &random) ?? 0
                default: text.removeSubrange(place...)
                }
                if text.isEmpty { break }
            }
            let isRead = (try? JSON(text)) != nil
            let isSound = text.withJSONView { JSONTokenizer.firstIssue(in: $0) } == nil
            #expect(isRead == isSound, "\(String(decoding: text, as: UTF8.self))")
        }
    }
}
