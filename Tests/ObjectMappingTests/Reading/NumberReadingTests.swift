import Foundation
import ObjectMapping
import TestSupport
import Testing

struct NumberReadingTests {
    private static let mapping = Mapping(Box.init) {
        Attribute("d", \.double)
        Attribute("i", \.int)
    }

    /// Reads a number as a double and as an integer, like the system's own reader.
    private static func check(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let double = try? mapping.map("{\"d\":\(text)}").double
        let expected = Double(text).flatMap { $0.isFinite ? $0 : nil }
        #expect(double?.bitPattern == expected?.bitPattern, "\(text)", sourceLocation: sourceLocation)
        let int = try? mapping.map("{\"i\":\(text)}").int
        #expect(int == (try? JSON(text))?.int, "\(text)", sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        "0", "-0", "0.0", "-0.0e5", "9007199254740992", "9007199254740993", "9007199254740994", "9007199254740995",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616", "999999999999999999", "1000000000000000000", "1e22", "1e23", "8.5e22",
        "1.7976931348623157e308",
        "1.7976931348623159e308", "2.2250738585072014e-308", "2.2250738585072011e-308", "4.9406564584124654e-324",
        "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-400", "1e400", "1e99999999999999999999",
        "0e99999999999999999999",
        "1e-99999999999999999999", "0.000000000000000000000000000000000000000000000000000000000001e60",
        "10000000000000000000000000000000e-31", "123456789.123456789123456789", "5e-324",
        "1.00000000000000011102230246251565",
        "1.000000000000000111022302462515654042363166809082031250000000001", "100000000000000016777215",
        "100000000000000016777216",
        "12345678", "123456780", "1234567.8", "0.12345678", "0.123456789012345678", "6.02214076E23", "1E+0", "1e-0",
    ])
    func `Numbers at the limits are read exactly`(text: String) {
        Self.check(text)
        Self.check(text.hasPrefix("-") ? String(text.dropFirst()) : "-" + text)
    }

    @Test func `Doubles of random bits are read back`() {
        var random = SeededGenerator(seed: 21)
        for _ in 0..<3000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            Self.check("\(value)".replacing("+", with: ""))
        }
    }

    @Test func `Random digits are read exactly`() {
        var random = SeededGenerator(seed: 22)
        for _ in 0..<3000 {
            func digits(_ range: ClosedRange<Int>) -> String {
                (0..<Int.random(in: range, using: &random)).map { _ in "\(Int.random(in: 0...9, using: &random))" }
                    .joined()
            }
            let whole = random.chance(in: 4) ? "0" : "\(Int.random(in: 1...9, using: &random))" + digits(0...20)
            let fraction = random.chance(in: 2) ? "." + digits(1...24) : ""
            let exponent = random.chance(in: 2) ? "e\(Int.random(in: -340...320, using: &random))" : ""
            Self.check(whole + fraction + exponent)
        }
    }

    @Test func `Dates of all kinds of years agree with the calendar`() throws {
        struct Moment: Sendable { var at = Date.distantPast }
        let mapping = Mapping(Moment.init) { Attribute("at", \.at) }
        var random = SeededGenerator(seed: 23)
        let entity = RowEntity(name: "E", attributes: [column("at", "date")], relationships: [])
        for _ in 0..<500 {
            let seconds = Int.random(in: -12_212_553_600...253_402_300_799, using: &random)
            let date = Date(timeIntervalSince1970: Double(seconds))
            let text = date.formatted(.iso8601)
            #expect(try mapping.map("{\"at\": \"\(text)\"}").at == date, "\(text)")
            let stored = try rowTexts(of: "{\"at\": \(seconds)}".utf8, [entity])
            #expect(stored == ["E(at: \"\(text.dropLast()).000Z\")"])
        }
    }

    @Test func `A stored date is read as the same date`() throws {
        struct Moment: Sendable { var at = Date.distantPast }
        let mapping = Mapping(Moment.init) { Attribute("at", \.at) }
        let entity = RowEntity(name: "E", attributes: [column("at", "date")], relationships: [])
        var random = SeededGenerator(seed: 24)
        for _ in 0..<500 {
            let seconds = Int.random(in: -62_167_219_200...253_402_300_799, using: &random)
            let stored = try #require(try rowTexts(of: "{\"at\": \(seconds)}".utf8, [entity]).first)
            let text = String(stored.dropFirst(7).dropLast(2))
            #expect(
                try mapping.map("{\"at\": \"\(text)\"}").at == Date(timeIntervalSince1970: Double(seconds)), "\(text)")
        }
    }

    @Test func `Days that do not exist are not dates`() {
        struct Moment: Sendable { var at = Date.distantPast }
        let mapping = Mapping(Moment.init) { Attribute("at", \.at) }
        func isDate(_ text: String) -> Bool { (try? mapping.map("{\"at\": \"\(text)\"}")) != nil }
        for year in [1900, 1999, 2000, 2023, 2024, 2100] {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for (month, days) in zip(1...12, [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                let prefix = "\(year)-" + (month < 10 ? "0" : "") + "\(month)-"
                #expect(isDate(prefix + "\(days)") && !isDate(prefix + "\(days + 1)") && !isDate(prefix + "00"))
            }
        }
        for text in [
            "2026-13-01", "2026-00-10", "2026-11-2", "2026-11-211", "2026-11-21T", "2026-11-21T07", "2026-11-21T07:",
            "2026-11-21T07:2", "2026-11-21T07:60", "2026-11-21T07:23:", "2026-11-21T07:23Z ",
            "2026-11-21T24:00:00Z", "2026-11-21T07:60:00Z", "2026-11-21T07:23:61Z", "2026-11-21T07:23:00.",
            "2026-11-21T07:23:00.Z",
            "2026-11-21T07:23:00+", "2026-11-21T07:23:00+1", "2026-11-21T07:23:00+24:00", "2026-11-21T07:23:00+01:60",
            "2026-11-21T07:23:00+01.00", "2026-11-21X07:23:00Z", "2026/11/21", "-2026-11-21",
            "2026-11-21T07:23:00Z ",
        ] { #expect(!isDate(text), "\(text)") }
    }
}
