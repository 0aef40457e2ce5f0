import ObjectMapping
import Testing

struct SyntaxMessageTests {
    static let messages: [(text: String, message: String)] = [
        ("", "1:1 $: expected a value, found an empty text"),
        (" \n ", "2:2 $: expected a value, found an empty text"),
        ("[1", "1:3 $: expected a comma or ']', found the end of the text"),
        ("[1,\n 2 3]", "2:4 $: expected a comma or ']', found '3'"),
        ("[1,]", "1:4 $[1]: expected a value after the comma, found ']'"),
        ("[,1]", "1:2 $[0]: expected a value or ']', found ','"),
        ("[", "1:2 $[0]: expected a value or ']', found the end of the text"),
        (#"{"a":1 "b":2}"#, "1:8 $: expected a comma or '}', found a string"),
        (#"{"a":1,}"#, "1:8 $: expected a key in quotes after the comma, found '}'"),
        (#"{"a":}"#, "1:6 $.a: expected a value after the colon, found '}'"),
        (#"{"a" 1}"#, "1:6 $.a: expected a colon after the key, found '1'"),
        ("{a:1}", "1:2 $: expected a key in quotes or '}', found 'a'"),
        ("{'a':1}", "1:2 $: expected a key in quotes or '}', found a single quote"),
        ("{“a”:1}", "1:2 $: expected a key in quotes or '}', found the curly quote U+201C"),
        ("[1] 2", "1:5 $: expected the end of the text, found text after the value"),
        ("[1]]", "1:4 $: expected the end of the text, found text after the value"),
        ("[1 // one\n]", "1:4 $: expected a comma or ']', found a comment"),
        ("/* one */ 1", "1:1 $: expected a value, found a comment"),
        ("[\u{A0}1]", "1:2 $[0]: expected a value or ']', found the no-break space U+00A0"),
        ("[1,\u{FEFF}2]", "1:4 $[1]: expected a value after the comma, found the byte order mark U+FEFF"),
        ("[01]", "1:2 $[0]: expected a number without leading zeros, found a number with a leading zero"),
        ("[-]", "1:3 $[0]: expected a digit after the minus sign, found ']'"),
        ("[1.]", "1:4 $[0]: expected a digit after the decimal point, found ']'"),
        ("[1e+]", "1:5 $[0]: expected a digit in the exponent, found ']'"),
        ("[+1]", "1:2 $[0]: expected a value or ']', found '+'"),
        ("[1.5", "1:5 $: expected a comma or ']', found the end of the text"),
        ("tru", "1:4 $: expected the rest of 'true', found the end of the text"),
        ("[1,NaN]", "1:4 $[1]: expected a value after the comma, found 'NaN'"),
        ("[secret]", "1:2 $[0]: expected a value or ']', found an invalid literal"),
        ("\"ab", "1:4 $: expected the closing quote of the string, found the end of the text"),
        ("{\"ab", "1:5 $: expected the closing quote of the key, found the end of the text"),
        (
            "[\"a\u{1}\"]",
            "1:4 $[0]: expected an escape sequence, found an unescaped control character U+0001 in a string"
        ),
        ("[\"a\n\"]", "1:4 $[0]: expected the escape \\n, found an unescaped control character U+000A in a string"),
        (
            "{\"a\t\":1}",
            "1:4 $: expected an escape sequence, found an unescaped control character U+0009 in a key"
        ),
        (#"["\x"]"#, #"1:4 $[0]: expected one of " \ / b f n r t u after the backslash, found 'x'"#),
        (#"["\u12g4"]"#, #"1:7 $[0]: expected four hexadecimal digits after \u, found 'g'"#),
        (#"["é\ud800"]"#, #"1:4 $[0]: expected a pair of surrogates, found a lone surrogate \uD800"#),
        (#"["\udc00"]"#, #"1:3 $[0]: expected a pair of surrogates, found a lone surrogate \uDC00"#),
        (#"["\ud800\u00e9"]"#, #"1:3 $[0]: expected a pair of surrogates, found a lone surrogate \uD800"#),
        (#"{"a":{"b c":[{"d":1},{"d":x}]}}"#, #"1:27 $.a["b c"][1].d: expected a value after the colon, found 'x'"#),
        ("{\"a\":\"😀é\",\r\n\"b\":?}", "2:5 $.b: expected a value after the colon, found '?'"),
        (#"{"a\"\u00e9\n":?}"#, #"1:16 $["a\"é\n"]: expected a value after the colon, found '?'"#),
    ]

    @Test(arguments: messages)
    func `A mistake is reported with path, line, column and message`(text: String, message: String) {
        let error = #expect(throws: MappingError.self) { try JSON(text) }
        #expect(error?.description == message)
    }

    @Test func `The offset counts bytes, the column scalars, and a byte order mark only as bytes`() {
        let error = #expect(throws: MappingError.self) { try JSON("\u{FEFF}[\n\"é😀\", x]" as Substring) }
        #expect(error?.issues.first?.line == 2)
        #expect(error?.issues.first?.column == 7)
        #expect(error?.issues.first?.offset == 3 + 2 + 8 + 2)
    }

    @Test func `A value is in the debug description only`() {
        let error = #expect(throws: MappingError.self) { try JSON(#"{"password": hunter2}"# as Substring) }
        #expect(error?.description.contains("hunter2") == false)
        #expect(error?.details.hasSuffix(#", value "hunter2}""#) == true)
    }

    @Test func `Limits are named`() {
        let deep = #expect(throws: MappingError.self) { try JSON(String(repeating: "[", count: 100_000)) }
        #expect(deep?.issues.first?.found == "nesting deeper than 512 levels")
        #expect(deep?.issues.first?.offset == 512)
        #expect((deep?.issues.first?.path.count ?? 0) < 200)
        let long = #expect(throws: MappingError.self) { try JSON("[1, " + String(repeating: "1", count: 10_000)) }
        #expect(long?.issues.first?.found == "a number longer than 1024 characters")
        #expect(long?.issues.first?.offset == 4)
    }
}
