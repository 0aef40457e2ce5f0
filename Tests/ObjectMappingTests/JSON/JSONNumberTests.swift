import ObjectMapping
import TestSupport
import Testing

struct JSONNumberTests {
    private func number(_ text: String) throws -> JSON { try JSON(text) }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("-1", -1), ("1.0", 1), ("1e3", 1000), ("1.5e1", 15), ("-2.50e2", -250), ("100e-2", 1),
            ("0e999", 0),
            ("0.0e-5", 0), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
            ("9223372036854775807.000", Int64.max), ("-922337203685477580.8e1", Int64.min),
            ("1e18", 1_000_000_000_000_000_000),
            ("1.5", nil), ("1e-1", nil), ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1e19", nil),
            ("1e400", nil),
            ("1e-400", nil), ("1e99999999999999999999", nil), ("99999999999999999999", nil),
        ] as [(String, Int64?)])
    func `An integer is exact or nil`(text: String, value: Int64?) throws {
        #expect(try number(text).int64 == value)
        #expect(try number(text).int == value.map(Int.init))
        #expect(try number(text).text == text)
    }

    @Test(
        arguments: [
            ("18446744073709551615", UInt64.max), ("18446744073709551616", nil), ("-1", nil), ("-0", 0),
            ("9223372036854775808", 1 << 63),
            ("1.8446744073709551615e19", UInt64.max),
        ] as [(String, UInt64?)])
    func `An unsigned integer is exact or nil`(text: String, value: UInt64?) throws {
        #expect(try number(text).uint64 == value)
    }

    @Test(
        arguments: [
            ("0.1", 0.1), ("0.30000000000000004", 0.1 + 0.2), ("1e23", 1e23), ("8.41e21", 8.41e21),
            ("5e-324", .leastNonzeroMagnitude),
            ("2.2250738585072014e-308", .leastNormalMagnitude),
            ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
            ("9007199254740993", 9_007_199_254_740_992),
            ("9007199254740993.0000000000000000001", 9_007_199_254_740_994),
            ("18446744073709551615", 18_446_744_073_709_551_616), ("1e-400", 0), ("-1.5", -1.5), ("1e400", nil),
            ("-1e309", nil),
            ("1.7976931348623159e308", nil), ("12", 12),
        ] as [(String, Double?)])
    func `A double is the nearest one, or nil beyond its range`(text: String, value: Double?) throws {
        #expect(try number(text).double == value)
    }

    @Test func `A negative zero is kept`() throws {
        #expect(try number("-0").double?.sign == .minus)
        #expect(try number("-0.0").double?.sign == .minus)
        #expect(try number("-0").text == "-0")
        #expect(try number("-0") == 0)
    }

    @Test(arguments: [
        "0.1", "12345678901234567890123456789012345678", "-99999999999999999999999999999999999999",
        "1234567890.1234567890123456789",
        "0.00000000000000000000000000000000000001", "-0.5", "7", "340282366920938463463374607431768211455",
        "0.123456789012345678901234567890123456789", "100000000000000000000000000000000000000000",
        "99999999999999999999.5",
    ])
    func `A decimal is exact`(text: String) throws {
        let decimal = try #require(try number(text).decimal)
        #expect(decimal.description == text)
    }

    @Test(arguments: [
        "940282366920938463463374607431768211457", "1e400", "1e-129", "0.1234567890123456789012345678901234567891",
        "1e166",
    ])
    func `A number without an exact decimal is nil`(text: String) throws {
        #expect(try number(text).decimal == nil)
    }

    @Test(arguments: [
        ("1", "1.0"), ("1", "1e0"), ("1", "10e-1"), ("100", "1E2"), ("0", "-0.000e7"), ("-5", "-5.0"), ("0.10", "1e-1"),
        ("18446744073709551616", "18446744073709551616.0"), ("1e400", "10e399"),
    ])
    func `Numbers are compared and hashed by value`(a: String, b: String) throws {
        #expect(try number(a) == number(b))
        #expect(try number(a).hashValue == number(b).hashValue)
    }

    @Test(arguments: [
        ("1", "-1"), ("1", "1.0000000000000000000001"), ("9007199254740992", "9007199254740993"),
        ("9223372036854775807", "9223372036854775808"),
        ("1e400", "1e401"), ("0.1", "0.10000000000000000000001"),
    ])
    func `Numbers with the same double can differ`(a: String, b: String) throws {
        #expect(try number(a) != number(b))
    }

    @Test func `Numbers created in code are written exactly`() {
        #expect(JSON.integer(UInt64.max).text == "18446744073709551615")
        #expect(JSON.integer(-5).text == "-5")
        #expect(JSON.double(0.1).text == "0.1")
        #expect(JSON.double(1e300).double == 1e300)
        #expect(JSON.double(.infinity).isNull)
        #expect(JSON.double(.nan).isNull)
        #expect(JSON.decimal(Decimal(sign: .minus, exponent: -2, significand: 12345)).text == "-123.45")
        #expect(JSON.decimal(.nan).isNull)
    }

    @Test func `Doubles are bitwise equal after writing and reading`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<5000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            #expect(try number(JSON.double(value).text).double?.bitPattern == value.bitPattern)
        }
    }
}
