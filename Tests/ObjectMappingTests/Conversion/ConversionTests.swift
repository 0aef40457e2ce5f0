import Foundation
import ObjectMapping
import Testing

private enum Status: String, JSONConvertible { case open, done }
private enum Level: Int, JSONConvertible { case low = 1, high }

private struct Celsius: JSONConvertible, Hashable {
    var degrees: Double
    init?(json: JSON) {
        guard let degrees = json["c"].double else { return nil }
        self.degrees = degrees
    }
    var json: JSON { ["c": .double(degrees)] }
}

struct ConversionTests {
    @Test(arguments: [
        ("12", "12"), ("-12", "-12"), ("\"12\"", "12"), ("1.0", "1"), ("1e3", "1000"), ("100e-2", "1"), ("-0", "0"),
        ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
        ("\"-9223372036854775808\"", "-9223372036854775808"), ("\"1\\u0032\"", "12"),
        ("9223372036854775808", "outOfRange: expected an integer, found a number out of its range"),
        ("1e30", "outOfRange: expected an integer, found a number out of its range"),
        ("1.5", "lossy: expected an integer, found a number with a fraction"),
        ("\"1.5\"", "lossy: expected an integer, found a number with a fraction"),
        ("\"abc\"", "typeMismatch: expected an integer, found a string that cannot be converted to an integer"),
        ("\"\"", "typeMismatch: expected an integer, found a string that cannot be converted to an integer"),
        ("\" 12\"", "typeMismatch: expected an integer, found a string that cannot be converted to an integer"),
        ("\"12 \"", "typeMismatch: expected an integer, found a string that cannot be converted to an integer"),
        ("\"02\"", "2"), ("\"+5\"", "5"), ("\"-007\"", "-7"), ("\"+0\"", "0"), ("\"000\"", "0"), ("\"+1e3\"", "1000"),
        ("\"0000000000000000000000012\"", "12"), ("\"-00\"", "0"),
        ("\"+-5\"", "typeMismatch: expected an integer, found a string that cannot be converted to an integer"),
        ("\"+\"", "typeMismatch: expected an integer, found a string that cannot be converted to an integer"),
        ("\"00x\"", "typeMismatch: expected an integer, found a string that cannot be converted to an integer"),
        ("true", "typeMismatch: expected an integer, found a boolean"),
        ("[{}, 1]", "typeMismatch: expected an integer, found an array"),
        ("{\"a\": 1}", "typeMismatch: expected an integer, found an object"),
    ])
    func `An integer is a number without a fraction, or a string of one`(text: String, result: String) {
        #expect(converted(text, to: Int.self) == result)
    }

    @Test(arguments: [
        ("1e19", UInt64(10_000_000_000_000_000_000)), ("10000000000000000000", 10_000_000_000_000_000_000),
        ("10000000000000000000.0", 10_000_000_000_000_000_000), ("0.00018446744073709551615e23", .max),
        ("18446744073709551615", .max), ("18446744073709551616", nil), ("1e20", nil), ("1.8446744073709551616e19", nil),
    ])
    func `Integers above the signed range are read exactly`(text: String, value: UInt64?) throws {
        #expect(converted(text, to: UInt64.self) == value.map { "\($0)" } ?? Self.isTooLarge)
        #expect(converted("\"\(text)\"", to: UInt64.self) == value.map { "\($0)" } ?? Self.isTooLarge)
        #expect(try JSON(text).uint64 == value)
        #expect((try? MappingDecoder().decode(UInt64.self, from: text)) == value)
    }

    private static let isTooLarge =
        "outOfRange: expected an integer from 0 to 18446744073709551615, found a number out of its range"

    @Test func `Integers of every width have their exact range`() {
        func check<Value: FixedWidthInteger & JSONConvertible & Sendable>(_: Value.Type) {
            #expect(converted("\(Value.min)", to: Value.self) == "\(Value.min)")
            #expect(converted("\"\(Value.max)\"", to: Value.self) == "\(Value.max)")
            for text in ["\(Value.max)0", "-\(Value.max)0", "1e25"] {
                #expect(converted(text, to: Value.self).hasPrefix("outOfRange: expected an integer"), "\(text)")
            }
        }
        check(Int.self)
        check(Int8.self)
        check(Int16.self)
        check(Int32.self)
        check(Int64.self)
        check(UInt.self)
        check(UInt8.self)
        check(UInt16.self)
        check(UInt32.self)
        check(UInt64.self)
        #expect(
            converted("-1", to: UInt8.self)
                == "outOfRange: expected an integer from 0 to 255, found a number out of its range")
    }

    @Test(arguments: ["012.50", "+12.5"])
    func `Decimals and conversions accept leading zeros and a plus sign, dates do not`(text: String) {
        #expect(converted("\"\(text)\"", to: Decimal.self) == "12.5")
        #expect(Decimal(json: .string(text)) == 12.5)
        #expect(Double(json: .string(text)) == 12.5)
        #expect(Int16(json: .string(text)) == nil)
        #expect(Date(json: .string(text)) == nil)
        #expect(converted("\"\(text)\"", to: Date.self).hasSuffix("found a string that is not a date"))
    }

    @Test(arguments: [
        ("1", "1.0"), ("-0", "-0.0"), ("0.1", "0.1"), ("1e-400", "0.0"), ("\"1.5e2\"", "150.0"),
        ("3.141592653589793", "3.141592653589793"), ("9007199254740993", "9007199254740992.0"),
        ("123456789012345678901234567890", "1.2345678901234568e+29"),
        ("2.2250738585072011e-308", "2.225073858507201e-308"),
        ("1e400", "outOfRange: expected a number, found a number out of its range"),
        ("\"1e400\"", "outOfRange: expected a number, found a number out of its range"),
        ("\"02.50\"", "2.5"), ("\"+1.5\"", "1.5"), ("\"-00.5\"", "-0.5"), ("\"-0\"", "-0.0"),
        ("\"NaN\"", "typeMismatch: expected a number, found a string that cannot be converted to a number"),
        ("false", "typeMismatch: expected a number, found a boolean"),
    ])
    func `A double is the nearest to the number`(text: String, result: String) {
        #expect(converted(text, to: Double.self) == result)
    }

    @Test(arguments: [
        ("1.5", "1.5"), ("\"0.1\"", "0.1"), ("1e39", "outOfRange: expected a number, found a number out of its range"),
        ("\"-1e39\"", "outOfRange: expected a number, found a number out of its range"),
        ("\"x\"", "typeMismatch: expected a number, found a string that cannot be converted to a number"),
        ("[]", "typeMismatch: expected a number, found an array"),
    ])
    func `A float is the nearest to the number`(text: String, result: String) {
        #expect(converted(text, to: Float.self) == result)
    }

    @Test(arguments: [
        ("true", "true"), ("false", "false"), ("1", "true"), ("0", "false"), ("1.0", "true"), ("\"YES\"", "true"),
        ("\"n\"", "false"), ("\"1\"", "true"), ("\"False\"", "false"),
        ("2", "typeMismatch: expected a boolean, found a number"),
        ("0.5", "typeMismatch: expected a boolean, found a number"),
        ("\"maybe\"", "typeMismatch: expected a boolean, found a string that is not a boolean"),
        ("\"trueorfalse\"", "typeMismatch: expected a boolean, found a string that is not a boolean"),
        ("[]", "typeMismatch: expected a boolean, found an array"),
    ])
    func `A boolean is a boolean, 0, 1 or a word`(text: String, result: String) {
        #expect(converted(text, to: Bool.self) == result)
    }

    @Test(arguments: [
        ("\"a\"", "\"a\""), ("\"\"", "\"\""), ("\"\\u00e9\\ud83d\\ude00\\n\"", "\"é😀\\n\""), ("\"é😀\"", "\"é😀\""),
        ("1.50", "\"1.50\""), ("1e999", "\"1e999\""), ("true", "\"true\""),
        ("{}", "typeMismatch: expected a string, found an object"),
        ("[]", "typeMismatch: expected a string, found an array"),
    ])
    func `A string is a string, or the text of a number or boolean`(text: String, result: String) {
        #expect(converted(text, to: String.self) == result)
    }

    @Test(arguments: [
        ("\"2026-11-21T07:23:00Z\"", "1795245780.0"), ("\"2026-11-21T07:23:00\"", "1795245780.0"),
        ("\"2026-11-21 07:23:00.250\"", "1795245780.25"), ("\"2026-11-21T08:23:00+01:00\"", "1795245780.0"),
        ("\"2026-11-21T08:23:00.5+0100\"", "1795245780.5"), ("\"2026-11-20T22:23:00,500-09\"", "1795245780.5"),
        ("\"2026-11-21\"", "1795219200.0"), ("\"1969-12-31T23:59:59.5Z\"", "-0.5"), ("\"2024-02-29\"", "1709164800.0"),
        ("\"2016-12-31T23:59:60Z\"", "1483228800.0"), ("1795245780", "1795245780.0"),
        ("\"2026-11-21T07:23:00\\u005a\"", "1795245780.0"),
        (
            "\"2025-02-29\"",
            "invalidValue: expected an ISO 8601 date or seconds since 1970, found a string that is not a date"
        ),
        (
            "\"soon\"",
            "invalidValue: expected an ISO 8601 date or seconds since 1970, found a string that is not a date"
        ),
        (
            "\"2026-11-21T25:00:00Z\"",
            "invalidValue: expected an ISO 8601 date or seconds since 1970, found a string that is not a date"
        ),
        (
            "\"2026-11-21T07:23:00ZZ\"",
            "invalidValue: expected an ISO 8601 date or seconds since 1970, found a string that is not a date"
        ),
        ("1e13", "outOfRange: expected an ISO 8601 date or seconds since 1970, found a number out of its range"),
        ("true", "typeMismatch: expected an ISO 8601 date or seconds since 1970, found a boolean"),
    ])
    func `A date is an ISO 8601 string or seconds since 1970`(text: String, result: String) {
        #expect(converted(text, to: Date.self) == result)
    }

    @Test(arguments: [
        ("2016-12-31T23:59:60Z", "1483228800.0"), ("2016-12-31T23:59:60", "1483228800.0"),
        ("2016-12-31T23:59:60.5Z", "1483228800.5"), ("2017-01-01T05:29:60+05:30", "1483228800.0"),
        ("2016-12-31T15:59:60-0800", "1483228800.0"), ("2016-12-31T23:58:60Z", nil), ("2016-12-31T22:59:60Z", nil),
        ("2016-12-31T23:59:60+01:00", nil), ("2016-12-31 10:00:60", nil), ("2016-12-31T23:59:61Z", nil),
    ])
    func `Second 60 is a leap second at the end of a day in UTC only`(text: String, seconds: String?) {
        let issue =
            "invalidValue: expected an ISO 8601 date or seconds since 1970, found a string that is not a date"
        #expect(converted("\"\(text)\"", to: Date.self) == seconds ?? issue)
    }

    @Test(arguments: ["1999", "20240229", "1795245780", "-1", "1795245780.5", "1e9", "0"])
    func `A number in a string is a date only with a format of seconds`(text: String) {
        let issue =
            "invalidValue: expected an ISO 8601 date or seconds since 1970, found a string that is not a date"
        #expect(converted("\"\(text)\"", to: Date.self) == issue)
        #expect(converted("[\"\(text)\"]", to: [Date].self).hasSuffix("found a string that is not a date"))
        #expect(Date(json: .string(text)) == nil)
        #expect(converted("\"\(text)\"", by: .date(.secondsSince1970)) == "\(Double(text) ?? .nan)")
    }

    @Test(arguments: [
        ("2026-11-21T18:30Z", "1795285800.0"), ("2026-11-21T18:30", "1795285800.0"),
        ("2026-11-21 18:30", "1795285800.0"), ("2026-11-21T19:30+01:00", "1795285800.0"),
        ("2026-11-21T19:30+0100", "1795285800.0"), ("2026-11-21t19:30+01", "1795285800.0"),
    ])
    func `A time can have no seconds`(text: String, seconds: String) {
        #expect(converted("\"\(text)\"", to: Date.self) == seconds)
    }

    @Test(arguments: [
        "2026-11-21T18:30.5Z", "2026-11-21T18:60Z", "2026-11-21T18:3", "2026-11-21T18:30ZZ", "2026-11-21T18",
    ])
    func `A time without seconds has no fraction, and is in range`(text: String) {
        #expect(converted("\"\(text)\"", to: Date.self).hasSuffix("found a string that is not a date"))
    }

    @Test func `A blank string is nil with a conversion, another invalid one is an issue`() throws {
        struct Shop {
            var page: URL? = URL(string: "a")
            var opened: Date? = .distantPast
        }
        let mapping = Mapping(Shop.init) {
            Attribute("page", \.page).using(.nilIfBlank())
            Attribute("opened", \.opened).using(.nilIfBlank(.date(.dateOnly)))
        }
        for blank in ["", " ", "\\t"] {
            let shop = try mapping.map("{\"page\": \"\(blank)\", \"opened\": \"\(blank)\"}")
            #expect(shop.page == nil && shop.opened == nil)
        }
        let shop = try mapping.map(#"{"page": "https://example.org/", "opened": "1970-01-02"}"#)
        #expect(shop.page?.absoluteString == "https://example.org/")
        #expect(shop.opened == Date(timeIntervalSince1970: 86_400))
        expectIssues(
            "1:29 $.opened: expected a date in the format yyyy-MM-dd, found a string that cannot be converted (rule opened -> Shop.opened)"
        ) { _ = try mapping.map(#"{"page": null,    "opened": "soon"}"#) }
    }

    @Test func `An optional date and a default do not hide a year in a string`() throws {
        struct Film {
            var released: Date?
            var seen = Date.distantPast
        }
        let mapping = Mapping(Film.init) {
            Attribute("released", \.released)
            Attribute("seen", \.seen).default(.distantFuture)
        }
        expectIssues(
            """
            1:14 $.released: expected an ISO 8601 date or seconds since 1970, found a string that is not a date (rule released -> Film.released)
            1:30 $.seen: expected an ISO 8601 date or seconds since 1970, found a string that is not a date (rule seen -> Film.seen)
            """
        ) { _ = try mapping.map(#"{"released": "1999", "seen": "20240229"}"#) }
        #expect(try mapping.map(#"{"released": 1999}"#).released == Date(timeIntervalSince1970: 1999))
    }

    @Test(arguments: [
        ("0.1", "0.1"), ("\"12.50\"", "12.5"),
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        (
            "940282366920938463463374607431768211457",
            "outOfRange: expected a decimal number, found a number out of its range"
        ),
        (
            "\"a\"",
            "typeMismatch: expected a decimal number, found a string that cannot be converted to a decimal number"
        ),
        ("true", "typeMismatch: expected a decimal number, found a boolean"),
    ])
    func `A decimal is the exact number`(text: String, result: String) {
        #expect(converted(text, to: Decimal.self) == result)
    }

    @Test func `UUID, URL and data are strings`() {
        let uuid = "9b2d7e0a-4b0c-4f57-8b0c-3c3e7e3a9f11"
        #expect(converted("\"\(uuid)\"", to: UUID.self) == uuid.uppercased())
        #expect(converted("\"x\"", to: UUID.self) == "invalidValue: expected a UUID, found a string that is not a UUID")
        #expect(converted("5", to: UUID.self) == "typeMismatch: expected a UUID, found a number")
        #expect(converted("\"https://example.com/a?b=c\"", to: URL.self) == "https://example.com/a?b=c")
        #expect(converted("\"\"", to: URL.self) == "invalidValue: expected a URL, found a string that is not a URL")
        #expect(converted("\"aGVsbG8=\"", to: Data.self) == "aGVsbG8=")
        #expect(
            converted("\"?\"", to: Data.self) == "invalidValue: expected base64 data, found a string that is not base64"
        )
    }

    @Test(arguments: [
        "9B2D7E0A-4B0C-4F57-8B0C-3C3E7E-A9F11", "9b2d7e0a-4b0c-4f57-8b0c-3c3e7e a9f11",
        "9b2d7e0a-4b0c-4f57 8b0c-3c3e7e3a9f11", "9b2d7e0a4b0c-4f57-8b0c-3c3e7e3a9f11-",
    ])
    func `A UUID has digits and hyphens in their positions`(text: String) {
        let expected = "invalidValue: expected a UUID, found a string that is not a UUID"
        #expect(converted("\"\(text)\"", to: UUID.self) == expected)
        #expect(throws: DecodingError.self) {
            try MappingDecoder().decode([UUID].self, from: Data("[\"\(text)\"]".utf8))
        }
    }

    @Test(arguments: ["YQ=n", "YQ=a", "Y=Q=", "YQ==YQ==", "YWFh=", "YWFh==", "YWFh====", "YQ======", "===="])
    func `Base64 ends with its padding`(text: String) {
        let expected = "invalidValue: expected base64 data, found a string that is not base64"
        #expect(converted("\"\(text)\"", to: Data.self) == expected)
        #expect(throws: DecodingError.self) {
            try MappingDecoder().decode([Data].self, from: Data("[\"\(text)\"]".utf8))
        }
    }

    @Test func `Enums with raw values and custom types convert themselves`() {
        #expect(converted("\"open\"", to: Status.self) == "open")
        #expect(
            converted("\"shut\"", to: Status.self)
                == "invalidValue: expected Status, found a string that is not a valid Status")
        #expect(converted("2", to: Level.self) == "high")
        #expect(converted("\"1\"", to: Level.self) == "low")
        #expect(
            converted("3", to: Level.self) == "invalidValue: expected Level, found a number that is not a valid Level")
        #expect(converted("{\"c\": 21.5}", to: Celsius.self) == "Celsius(degrees: 21.5)")
        #expect(
            converted("{}", to: Celsius.self)
                == "invalidValue: expected Celsius, found an object that is not a valid Celsius")
    }

    @Test func `JSON accepts any value`() {
        for text in ["{\"a\":[1,null]}", "\"x\"", "1.50", "true", "[]"] {
            #expect(converted(text, to: JSON.self) == text)
        }
    }

    @Test func `Lists accept single values and lists of lists`() {
        #expect(converted("[1,2]", to: [Int].self) == "[1, 2]")
        #expect(converted("\"7\"", to: [Int].self) == "[7]")
        #expect(converted("[[1],[],2]", to: [[Int]].self) == "[[1], [], [2]]")
        #expect(converted("[null,1]", to: [Int?].self) == "[nil, Optional(1)]")
        #expect(converted("[1,1.0,\"1\"]", to: Set<Int>.self) == "[1]")
        #expect(
            converted("[1,\"a\"]", to: [Int].self).hasSuffix("found a string that cannot be converted to an integer"))
        #expect(converted("[1,null]", to: [Int].self) == "typeMismatch: expected an integer, found null")
        #expect(converted("[null]", to: [UUID].self) == "typeMismatch: expected a UUID, found null")
        #expect(
            converted("[\"open\",\"done\"]", to: [Status].self).hasSuffix("Status.open, \(Status.self).done]") == false)
    }

    @Test func `Seconds keep the milliseconds that were written`() throws {
        let entity = RowEntity(name: "E", attributes: [column("at", "date")], relationships: [])
        for milliseconds in stride(from: 0, to: 1000, by: 7) {
            let digits = String("\(1000 + milliseconds)".dropFirst())
            let text = "{\"at\": 1795245780.\(digits)}"
            #expect(try rowTexts(of: text.utf8, [entity]) == ["E(at: \"2026-11-21T07:23:00.\(digits)Z\")"])
        }
    }
}
