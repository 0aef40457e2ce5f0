import Foundation
import ObjectMapping
import TestSupport
import Testing

struct WrittenValuesTests {
    private enum Size: Int, JSONConvertible { case small = 1, large }
    private enum Name: String, JSONConvertible { case plain, quoted = "a\"b" }

    private struct Celsius: JSONConvertible {
        var degrees: Double
        init(_ degrees: Double) { self.degrees = degrees }
        init?(json: JSON) { self.init(json.double ?? 0) }
        var json: JSON { degrees < -273 ? JSON.null["absent"] : ["celsius": .double(degrees)] }
    }

    @Test func `Values are written in JSON syntax`() {
        func check(_ value: some JSONConvertible, _ expected: String, _ location: SourceLocation = #_sourceLocation) {
            #expect((try? written(value)) == #"{"v":\#(expected)}"#, sourceLocation: location)
        }
        check(true, "true")
        check(false, "false")
        check(Optional(true), "true")
        check(UInt64.max, "18446744073709551615")
        check(Optional(Int64.min), "-9223372036854775808")
        check(Int8.min, "-128")
        check(Decimal(string: "12345678901234567890.0123456789"), "12345678901234567890.0123456789")
        check(Decimal(string: "-0.10"), "-0.1")
        check(Float(0.1), "0.1")
        check(Float(-3), "-3")
        check(Float(1e30), "1e+30")
        check("", "\"\"")
        check(Optional("text"), "\"text\"")
        check(Date(timeIntervalSince1970: 0.0004), "\"1970-01-01T00:00:00.000Z\"")
        check(Date(timeIntervalSince1970: -0.001), "\"1969-12-31T23:59:59.999Z\"")
        check(Date(timeIntervalSince1970: 253_402_300_799.999), "\"9999-12-31T23:59:59.999Z\"")
        check(Date(timeIntervalSince1970: 253_402_300_800), "253402300800")
        check(Date(timeIntervalSince1970: 1e300), "1e+300")
        check([Date?.none, Date(timeIntervalSince1970: 1)], "[null,\"1970-01-01T00:00:01.000Z\"]")
        check(URL(string: "https://example.com/é"), "\"https://example.com/%C3%A9\"")
        check(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"), "\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\"")
        check(Data([0, 255, 62]), "\"AP8+\"")
        check(Size.large, "2")
        check([Name.plain, .quoted], #"["plain","a\"b"]"#)
        check(Celsius(1.5), #"{"celsius":1.5}"#)
        check([Celsius(1), Celsius(-300)], #"[{"celsius":1.0},null]"#)
        check(try? JSON(#"{"z":[1.0,1e3,{}],"a":null}"#), #"{"z":[1.0,1e3,{}],"a":null}"#)
        check(JSON.null, "null")
        check([[1, 2], [], [3]], "[[1,2],[],[3]]")
        check([1, nil, 2] as [Int?], "[1,null,2]")
        check([String](), "[]")
        check(Set([10, 9, -1]), "[-1,10,9]")
        check(Set<String>(), "[]")
        check(Set(["b", "a\"", "a"]), #"["a","a\"","b"]"#)
        check(Int??.some(nil), "null")
        check(Int??.some(3), "3")
    }

    @Test func `Absent values are omitted, nil is written according to options`() throws {
        let null = WritingOptions(whenNil: .null)
        for options in [WritingOptions(), null] {
            #expect(try written(JSON.null["x"], options) == "{}")
            #expect(try written(Celsius(-300), options) == "{}")
        }
        #expect(try written(Int?.none) == "{}")
        #expect(try written(Int?.none, null) == #"{"v":null}"#)
        #expect(try written([String]?.none, null) == #"{"v":null}"#)
        #expect(try written(Int??.none, null) == #"{"v":null}"#)
    }

    private static let doubles: [(Double, String)] = [
        (0, "0"), (-0.0, "-0.0"), (1, "1"), (-1.0, "-1"), (0.1, "0.1"), (0.5, "0.5"), (12.34, "12.34"),
        (-99_999_999.999999, "-99999999.999999"), (0.001, "0.001"), (0.000_999, "0.000999"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e15, "1000000000000000"), (9_007_199_254_740_991, "9007199254740991"), (1e16, "1e+16"), (1e22, "1e+22"),
        (Double.leastNonzeroMagnitude, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
        (1.0 / 3, "0.3333333333333333"),
        (100_000_000.5, "100000000.5"), (999_999_999.999999, "999999999.999999"), (123.000001, "123.000001"),
    ]

    @Test(arguments: doubles) func `A double is as short as it can be`(value: Double, expected: String) throws {
        #expect(try written(value) == #"{"v":\#(expected)}"#)
        #expect(Double(expected) == value)
    }

    @Test func `Random doubles are written as by the standard library, and read back`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<3000 {
            var value = Double(bitPattern: random.next())
            if Bool.random(using: &random) {
                let scale: Double = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7].randomElement(using: &random) ?? 1
                value = Double(Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)) / scale
            }
            guard value.isFinite else { continue }
            let text = String(try written(value).dropFirst(5).dropLast())
            #expect(Double(text) == value)
            let spelled = "\(value)".hasSuffix(".0") ? String("\(value)".dropLast(2)) : "\(value)"
            #expect(text == spelled || text.count < spelled.count || value == 0)
        }
    }

    @Test func `Integers of every length are written`() throws {
        var value: UInt64 = 0
        for digit in [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1] as [UInt64] {
            value = value * 10 + digit
            for number: UInt64 in [value, value - 1, value + 1] { #expect(try written(number) == #"{"v":\#(number)}"#) }
        }
        for power in 0..<63 {
            for number: Int64 in [1 << power, -1 << power, (1 << power) - 1] {
                #expect(try written(number) == #"{"v":\#(number)}"#)
            }
        }
        for number in stride(from: 0, to: 100_000_000, by: 9_973) {
            #expect(try written(number) == #"{"v":\#(number)}"#)
        }
    }

    @Test func `Characters are escaped where necessary, at any position`() throws {
        let scalars = (0..<0x100).compactMap { Unicode.Scalar($0) } + ["\u{2028}", "\u{FFFD}", "😀"]
        for scalar in scalars {
            for count in [0, 1, 7, 8, 15, 16, 40] {
                let text = String(repeating: "x", count: count) + String(Character(scalar)) + "yz"
                let bytes = Data(try written(text).utf8)
                #expect(try JSON(bytes)["v"].string == text)
                #expect(try JSONSerialization.jsonObject(with: bytes) as? [String: String] == ["v": text])
                let isEscaped = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
                #expect(bytes.contains(UInt8(ascii: "\\")) == isEscaped)
            }
        }
    }

    @Test func `A substring is written without the rest`() throws {
        #expect(try written(String("a\u{1}é\"b".dropFirst())) == "{\"v\":\"\\u0001é\\\"b\"}")
    }
}
