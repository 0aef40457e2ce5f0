import Foundation
import ObjectMapping
import Testing

/// The coercions of RestKit, row by row: some are kept, some are strict, and some are named conversions.
struct CoercionTableTests {
    @Test func `The same type is not converted`() {
        #expect(converted("\"a\"", to: String.self) == "\"a\"")
        #expect(converted("{\"a\":[1]}", to: JSON.self) == "{\"a\":[1]}")
    }

    @Test func `Strings are converted to URLs and back`() throws {
        #expect(converted("\"https://example.com/a\"", to: URL.self) == "https://example.com/a")
        #expect(converted("\"https://example.com/a b\"", to: URL.self) == "https://example.com/a%20b")
        #expect(converted("\"\"", to: URL.self).hasSuffix("found a string that is not a URL"))
        let url = try #require(URL(string: "https://example.com/a?b=c#d"))
        #expect(url.json == .string("https://example.com/a?b=c#d"))
    }

    @Test func `Numbers and strings are converted to decimals and back`() throws {
        #expect(converted("0.1", to: Decimal.self) == "0.1")
        #expect(converted("\"0.10\"", to: Decimal.self) == "0.1")
        #expect(
            converted("\"a\"", to: Decimal.self).hasSuffix(
                "found a string that cannot be converted to a decimal number"))
        let decimal = try #require(Decimal(string: "12.5"))
        #expect(decimal.json == 12.5)
        #expect(try Conversion<Decimal>.asString.write(decimal) == .string("12.5"))
        #expect(converted("\"12.5\"", by: Conversion<Decimal>.asString) == "12.5")
        #expect(converted("12.5", by: Conversion<Decimal>.asString) == "12.5")
    }

    @Test(arguments: [
        ("2", "true"), ("-0.5", "true"), ("0", "false"), ("0.0", "false"), ("1e400", "expected a boolean"),
        ("true", "true"), ("\"no\"", "false"), ("\"2\"", "expected a boolean"), ("[]", "expected a boolean"),
    ])
    func `0 and 1 are booleans, and any number by a named conversion`(text: String, result: String) {
        #expect(converted(text, by: .nonZero).contains(result))
        if text == "2" { #expect(converted(text, to: Bool.self).contains("expected a boolean")) }
    }

    @Test(arguments: [
        ("\"12\"", "12", "12.0"), ("\"yes\"", "1", "1.0"), ("\"T\"", "1", "1.0"), ("\"FALSE\"", "0", "0.0"),
        ("\"N\"", "0", "0.0"), ("\"1.9\"", "1", "1.9"), ("\"-1.9\"", "-1", "-1.9"), ("\"abc\"", "0", "0.0"),
        ("\"\"", "0", "0.0"), ("\" 7 apples\"", "7", "7.0"), ("\"+5\"", "5", "5.0"), ("\"007\"", "7", "7.0"),
        ("\".5\"", "0", "0.5"), ("\"-\"", "0", "-0.0"),
        ("\"9007199254740993\"", "9007199254740993", "9007199254740992.0"),
        ("12", "12", "12.0"),
    ])
    func `Strings are converted to numbers like in RestKit by a named conversion`(
        text: String, integer: String, double: String
    ) {
        #expect(converted(text, by: Conversion<Int>.restKitNumber) == integer)
        #expect(converted(text, by: Conversion<Double>.restKitNumber) == double)
    }

    @Test func `Values out of range are issues even for RestKit's numbers`() {
        #expect(
            converted("\"300\"", by: Conversion<UInt8>.restKitNumber).hasPrefix(
                "invalidValue: expected an integer from 0 to 255"))
        #expect(converted("\"99999999999999999999\"", by: Conversion<Int>.restKitNumber).hasPrefix("invalidValue"))
        #expect(
            converted("{}", by: Conversion<Int>.restKitNumber)
                == "invalidValue: expected an integer, found an object that cannot be converted")
    }

    @Test func `Strings are converted to numbers strictly by default`() {
        #expect(converted("\"12\"", to: Int.self) == "12")
        for text in ["\"abc\"", "\"yes\"", "\"\"", "\"12 apples\""] {
            #expect(
                converted(text, to: Int.self).hasSuffix("found a string that cannot be converted to an integer"),
                "\(text)")
        }
    }

    @Test func `Booleans and numbers are converted to strings, and numbers are written as strings by name`() throws {
        #expect(converted("true", to: String.self) == "\"true\"")
        #expect(converted("1.50", to: String.self) == "\"1.50\"")
        #expect(try Conversion<Int>.asString.write(12) == .string("12"))
        #expect(try Conversion<UInt64>.asString.write(.max) == .string("18446744073709551615"))
        #expect(try Conversion<Double>.asString.write(0.5) == .string("0.5"))
        #expect(converted("\"18446744073709551615\"", by: Conversion<UInt64>.asString) == "18446744073709551615")
    }

    @Test func `Arrays, sets and single values are converted`() {
        #expect(converted("[2,1,2]", to: [Int].self) == "[2, 1, 2]")
        #expect(converted("[2,2]", to: Set<Int>.self) == "[2]")
        #expect(converted("7", to: Set<Int>.self) == "[7]")
        #expect(converted("7", to: [Int].self) == "[7]")
    }

    @Test func `Null is nil, also in lists of optionals`() throws {
        #expect(try Int?(json: JSON("null")) == .some(nil))
        #expect(converted("[1,null]", to: [Int?].self) == "[Optional(1), nil]")
        #expect(converted("[1,null]", to: [Int].self) == "typeMismatch: expected an integer, found null")
    }

    @Test(arguments: ["", "AA==", "-_-_", "+/+/", "AAEC/w==", "AA", "A", "AAAA=", "AAAA====", "A AA", "ä"])
    func `Data is Base64, or base64url by a named conversion`(text: String) throws {
        // Foundation ignores too much padding.
        let data = text.hasPrefix("AAAA") ? nil : Data(base64Encoded: text)
        #expect(
            converted("\"\(text)\"", to: Data.self)
                == (data?.base64EncodedString()
                    ?? "invalidValue: expected base64 data, found a string that is not base64"))
        let urlSafe = text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        let isSound = ["", "AA==", "-_-_", "AAEC_w==", "AA"].contains(urlSafe)
        let result = converted("\"\(urlSafe)\"", by: .base64URL)
        #expect(result.hasPrefix("invalidValue: expected base64url data") == !isSound, "\(result)")
        if urlSafe != text { #expect(converted("\"\(text)\"", by: .base64URL).hasPrefix("invalidValue")) }
        if isSound, let data = try Conversion.base64URL.read(.string(urlSafe)) {
            #expect(try Conversion.base64URL.write(data).string == urlSafe.replacingOccurrences(of: "=", with: ""))
        }
    }

    @Test func `Data is hexadecimal by a named conversion`() throws {
        #expect(converted("\"00fFa5\"", by: .hex) == Data([0, 255, 165]).base64EncodedString())
        #expect(converted("\"\"", by: .hex) == "")
        for text in ["0", "0g", "0x00", "é"] {
            #expect(
                converted("\"\(text)\"", by: .hex)
                    == "invalidValue: expected hexadecimal data, found a string that cannot be converted")
        }
        #expect(try Conversion.hex.write(Data([0, 255, 165])) == .string("00ffa5"))
    }

    @Test func `Dates are converted to seconds and back`() throws {
        #expect(converted("1795245780", to: Date.self) == "1795245780.0")
        #expect(try Conversion.date(.secondsSince1970).write(Date(timeIntervalSince1970: 1.5)) == 1.5)
        #expect(Date(timeIntervalSince1970: 1_795_245_780).json == .string("2026-11-21T07:23:00.000Z"))
    }

    @Test func `An object is not a scalar, and a scalar is not an object`() {
        #expect(converted("{}", to: Int.self) == "typeMismatch: expected an integer, found an object")
        #expect(converted("5", to: [String: Int].self) == "typeMismatch: expected an object, found a number")
    }
}
