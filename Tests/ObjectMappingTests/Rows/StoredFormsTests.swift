import ObjectMapping
import Testing

struct StoredFormsTests {
    /// The stored form of a value in a column of a type, such as `E(v: …)`, or the issue.
    private static func stored(_ text: String, as type: String) throws -> String {
        let entity = RowEntity(name: "E", attributes: [column("v", type)], relationships: [])
        let texts = try rowTexts(of: "[{\"v\": \(text)}]".utf8, [entity])
        // A window too small for the element, in pieces of a byte, gives the same.
        expectTexts(try rowTexts(of: "[{\"v\": \(text)}]".utf8, [entity], windowSize: 4, chunk: 1), texts)
        return texts.joined(separator: "; ")
    }

    @Test(arguments: [
        ("string", "\"a\"", "\"a\""), ("string", "\"\\u00e9\\n\"", "\"é\\n\""), ("string", "12.50", "\"12.50\""),
        ("string", "true", "\"true\""), ("string", "null", "null"), ("string", "\"\"", "\"\""), ("integer", "12", "12"),
        ("integer", "\"-7\"", "-7"), ("integer", "1e3", "1000"),
        ("integer", "-9223372036854775808", "-9223372036854775808"),
        ("double", "1", "real 1.0"), ("double", "\"2.5\"", "real 2.5"), ("boolean", "true", "1"),
        ("boolean", "\"no\"", "0"),
        ("boolean", "1", "1"), ("date", "\"2026-11-21\"", "\"2026-11-21T00:00:00.000Z\""),
        ("date", "\"2026-11-21T08:23:00.1239+01:00\"", "\"2026-11-21T07:23:00.123Z\""),
        ("date", "\"0001-01-01T00:00:00Z\"", "\"0001-01-01T00:00:00.000Z\""),
        ("date", "-0.5", "\"1969-12-31T23:59:59.500Z\""), ("date", "-2e-160", "\"1970-01-01T00:00:00.000Z\""),
        ("date", "1795245780.9999", "\"2026-11-21T07:23:00.999Z\""), ("decimal", "1.50", "\"1.5\""),
        ("decimal", "\"-0.001\"", "\"-0.001\""), ("decimal", "1e3", "\"1000\""),
        ("uuid", "\"9B2D7E0A-4B0C-4F57-8B0C-3C3E7E3A9F11\"", "\"9b2d7e0a-4b0c-4f57-8b0c-3c3e7e3a9f11\""),
        ("url", "\"https:\\/\\/example.com\\/a?b=c\"", "\"https://example.com/a?b=c\""),
        ("data", "\"AAEC\"", "blob 0 1 2"),
        ("data", "\"\"", "blob "), ("json", "{ \"a\" : [ 1, \"x y\" ] }", "\"{\\\"a\\\":[1,\\\"x y\\\"]}\""),
        ("json", "\"\\\" \\\\\"", "\"\\\"\\\\\\\" \\\\\\\\\\\"\""), ("json", "12", "\"12\""), ("json", "null", "null"),
        ("[integer]", "[1, \"2\", 3.0]", "\"[1,2,3]\""), ("[integer]", "7", "\"[7]\""), ("[integer]", "[]", "\"[]\""),
        ("[integer]", "null", "null"),
        ("[string]", "[\"a\\u0022\", 1, true]", "\"[\\\"a\\\\\\\"\\\",\\\"1\\\",\\\"true\\\"]\""),
        ("[double]", "[1, 0.5]", "\"[1.0,0.5]\""), ("[boolean]", "[true, 0]", "\"[true,false]\""),
        ("[date]", "[\"2026-11-21\"]", "\"[\\\"2026-11-21T00:00:00.000Z\\\"]\""),
        ("[uuid]", "[\"9B2D7E0A-4B0C-4F57-8B0C-3C3E7E3A9F11\"]", "\"[\\\"9b2d7e0a-4b0c-4f57-8b0c-3c3e7e3a9f11\\\"]\""),
        ("[data]", "[\"AAEC\"]", "\"[\\\"AAEC\\\"]\""),
        ("[json]", "[ { \"a\" : null }, 1 ]", "\"[{\\\"a\\\":null},1]\""),
        ("[decimal]", "[1.50]", "\"[\\\"1.5\\\"]\""), ("[url]", "[\"a\"]", "\"[\\\"a\\\"]\""),
    ])
    func `A value is stored in the form of its type`(type: String, text: String, stored: String) throws {
        #expect(try Self.stored(text, as: type) == "E(v: \(stored))")
    }

    @Test(arguments: [
        ("string", "{}", "a string, found an object"), ("string", "[]", "a string, found an array"),
        ("integer", "1.5", "an integer, found a number with a fraction"),
        ("integer", "9223372036854775808", "an integer, found a number out of its range"),
        ("integer", "\"x\"", "an integer, found a string that cannot be converted to an integer"),
        ("double", "true", "a number, found a boolean"),
        ("double", "1e999", "a number, found a number out of its range"),
        ("boolean", "\"maybe\"", "a boolean, found a string that is not a boolean"),
        ("boolean", "2", "a boolean, found a number"),
        ("date", "\"soon\"", "an ISO 8601 date or seconds since 1970, found a string that is not a date"),
        ("date", "1e12", "an ISO 8601 date or seconds since 1970, found a number out of its range"),
        ("date", "253402300800", "an ISO 8601 date or seconds since 1970, found a number out of its range"),
        ("decimal", "\"x\"", "a decimal number, found a string that cannot be converted to a decimal number"),
        ("decimal", "940282366920938463463374607431768211457", "a decimal number, found a number out of its range"),
        ("uuid", "\"x\"", "a UUID, found a string that is not a UUID"), ("uuid", "5", "a UUID, found a number"),
        ("url", "\"\"", "a URL, found a string that is not a URL"),
        ("data", "\"?\"", "base64 data, found a string that is not base64"),
    ])
    func `A value of another type is an issue`(type: String, text: String, message: String) throws {
        #expect(try Self.stored(text, as: type) == "1:8 $[0].v: expected \(message) (rule v -> E.v)")
    }

    @Test func `Invalid elements of a list are issues, and nulls keep their positions`() throws {
        #expect(
            try Self.stored("[1, \"x\", null, 2.5]", as: "[integer]") == """
                1:12 $[0].v[1]: expected an integer, found a string that cannot be converted to an integer (rule v -> E.v)
                1:23 $[0].v[3]: expected an integer, found a number with a fraction (rule v -> E.v)
                """)
    }

    @Test func `An absent column is absent`() throws {
        let entity = RowEntity(name: "E", attributes: [column("a"), column("b", "[json]")], relationships: [])
        expectTexts(try rowTexts(of: "[{}, {\"c\": 1}]".utf8, [entity]), ["E()", "E()"])
    }
}
