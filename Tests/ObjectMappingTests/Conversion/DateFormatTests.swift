import Foundation
import ObjectMapping
import Testing

struct DateFormatTests {
    /// A format, a text, its date in seconds since 1970 (nil if the text is invalid), and whether the date is written
    /// as the same text.
    typealias Row = (format: DateFormat, text: String, seconds: Double?, isWritten: Bool)

    static let sound: [Row] = [
        (.iso8601, "2026-11-21T07:23:00.000Z", 1_795_245_780, true),
        (.iso8601, "2026-11-21 07:23:00", 1_795_245_780, false),
        (.iso8601, "2026-11-21T08:23:00+01:00", 1_795_245_780, false),
        (.iso8601, "2026-11-21", 1_795_219_200, false),
        (.iso8601, "3001-01-01T00:00:00.000Z", 32_535_216_000, true),
        (.iso8601, "0001-01-01T00:00:00.000Z", -62_135_596_800, true),
        (.iso8601, "0000-02-29T00:00:00.000Z", -62_162_121_600, true),
        (.iso8601, "9999-12-31T23:59:59.999Z", 253_402_300_799.999, true),
        (.iso8601, "1969-12-31T23:59:59.250Z", -0.75, true),
        (.iso8601(fractionDigits: 0), "2026-11-21T07:23:00Z", 1_795_245_780, true),
        (.iso8601(fractionDigits: 1), "2026-11-21T07:23:00.5Z", 1_795_245_780.5, true),
        (.iso8601(fractionDigits: 6), "2026-11-21T07:23:00.250000Z", 1_795_245_780.25, true),
        (.iso8601(fractionDigits: 9), "2026-11-21T07:23:00.125000000Z", 1_795_245_780.125, true),
        (
            .iso8601(fractionDigits: 0, offset: .hours(5, minutes: 30)), "2026-11-21T12:53:00+05:30", 1_795_245_780,
            true
        ),
        (.iso8601(offset: .hours(-3, minutes: 30)), "2026-11-21T03:53:00.000-03:30", 1_795_245_780, true),
        (.secondsSince1970, "1795245780", 1_795_245_780, true),
        (.secondsSince1970, "1795245780.5", 1_795_245_780.5, true),
        (.secondsSince1970, "-1.0", -1, true),
        (.secondsSince1970, "\"1795245780\"", 1_795_245_780, false),
        (.millisecondsSince1970, "1795245780250", 1_795_245_780.25, true),
        (.millisecondsSince1970, "\"1795245780250\"", 1_795_245_780.25, false),
        (.dateOnly, "2026-11-21", 1_795_219_200, true),
        (.dateOnly, "2024-02-29", 1_709_164_800, true),
        (.dateOnly, "2000-02-29", 951_782_400, true),
        (.usDate, "11/21/2026", 1_795_219_200, true),
        (.rfc1123, "Sat, 21 Nov 2026 07:23:00 GMT", 1_795_245_780, true),
        (.rfc1123, "Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777, true),
        (.rfc1123, "Sun, 6 Nov 1994 08:49:37 UT", 784_111_777, false),
        (.rfc1123, "Sat, 21 Nov 2026 08:23:00 +0100", 1_795_245_780, false),
        (.rfc1123, "Thu, 01 Jan 1970 00:00:00 UTC", 0, false),
        (.asctime, "Sun Nov  6 08:49:37 1994", 784_111_777, true),
        (.asctime, "Sat Nov 21 07:23:00 2026", 1_795_245_780, true),
        (.dotNet, "/Date(1795245780250+0000)/", 1_795_245_780.25, true),
        (.dotNet, "/Date(1795245780250)/", 1_795_245_780.25, false),
        (.dotNet, "/Date(1795245780250+0200)/", 1_795_245_780.25, false),
        (.dotNet, "/Date(-1000-0700)/", -1, false),
        (.dotNet, "\\/Date(0)\\/", 0, false),
        (.dotNet(offset: .hours(-7)), "/Date(-1000-0700)/", -1, true),
        (.pattern("dd.MM.yyyy HH:mm"), "21.11.2026 07:23", 1_795_245_780, true),
        (.pattern("dd.MM.yyyy HH:mm", offset: .hours(1)), "21.11.2026 08:23", 1_795_245_780, true),
        (.pattern("d.M.yyyy H:m:s"), "1.2.2026 7:5:9", 1_769_929_509, true),
        (.pattern("d.M.yyyy"), "01.02.2026", 1_769_904_000, false),
        (.pattern("yyyyMMdd'T'HHmmssZ"), "20261121T082300+0100", 1_795_245_780, false),
        (.pattern("yyyyMMddHHmmssSSS"), "20261121072300250", 1_795_245_780.25, true),
        (.pattern("EEEE, d MMM yyyy 'at' HH:mm"), "Saturday, 21 Nov 2026 at 07:23", 1_795_245_780, true),
        (.pattern("HH 'o''clock', EEE yyyy-MM-dd"), "07 o'clock, Sat 2026-11-21", 1_795_244_400, true),
        (.pattern("yyyy-MM-dd HH:mm X"), "2026-11-21 07:23 Z", 1_795_245_780, true),
        (.pattern("yyyy-MM-dd HH:mm X", offset: .hours(1)), "2026-11-21 08:23 +01", 1_795_245_780, true),
        (.pattern("yyyy-MM-dd HH:mm XX", offset: .hours(-8)), "2026-11-20 23:23 -0800", 1_795_245_780, true),
        (.pattern("yyyy-MM-dd HH:mm XXX", offset: .hours(1)), "2026-11-21 08:23 +01:00", 1_795_245_780, true),
        (.pattern("MM/yyyy"), "11/2026", 1_793_491_200, true),
        (.restKit, "2026-11-21T07:23:00.000Z", 1_795_245_780, true),
        (.restKit, "1795245780", 1_795_245_780, false),
        (.restKit, "\"1795245780.5\"", 1_795_245_780.5, false),
        (.restKit, "11/21/2026", 1_795_219_200, false),
        (.restKit, "2026-11-21", 1_795_219_200, false),
        (.restKit, "Sat, 21 Nov 2026 07:23:00 GMT", 1_795_245_780, false),
        (.restKit, "Sat Nov 21 07:23:00 2026", 1_795_245_780, false),
    ]

    @Test(arguments: sound) func `A date is read and written in its format`(row: Row) throws {
        let isNumber = row.text.first == "-" || row.text.allSatisfy { $0.isNumber || $0 == "." }
        let isMember = isNumber && row.format.isNumeric || row.text.hasPrefix("\"")
        let text = isMember ? row.text : "\"\(row.text)\""
        #expect(converted(text, by: .date(row.format)) == "\(try #require(row.seconds))")
        let written = try Conversion.date(row.format).write(Date(timeIntervalSince1970: row.seconds ?? 0))
        #expect((written == (try JSON(text))) == row.isWritten, "\(written)")
    }

    static let unsound: [(DateFormat, [String])] = [
        (
            .iso8601,
            [
                "2025-02-29", "2026-13-01", "2026-11-21T24:00:00Z", "2026-11-21T07:60:00Z", "1795245780",
                "2026-11-21T07:23:00.Z", " 2026-11-21", "2026-11-21T07:23:00+24:00", "2026-1-2", "",
            ]
        ),
        (.secondsSince1970, ["", "soon", "2026-11-21", "1e13", " 5", "0x10"]),
        (.millisecondsSince1970, ["", "1e16", "2026-11-21"]),
        (
            .dateOnly,
            ["2026-11-21T00:00:00Z", "2026-11-31", "2026-00-10", "2026-11-00", "26-11-21", "2026-11-2", "+026-11-21"]
        ),
        (.usDate, ["21/11/2026", "11/21/26", "1/2/2026", "02/29/1900", "11/21/2026 "]),
        (
            .rfc1123,
            [
                "Sun, 21 Nov 2026 07:23:00 GMT", "Sat, 21 Nov 2026 24:00:00 GMT", "Sat, 31 Dec 2016 23:59:60 GMT",
                "Sat, 21 nov 2026 07:23:00 GMT", "Sat, 21 Nov 2026 07:23:00", "21 Nov 2026 07:23:00 GMT",
                "Sat, 21 Nov 2026 07:23:00 CEST", "Sat, 21 Nov 26 07:23:00 GMT", "Sat, 21 Nov 2026 07:23:00 +2500",
            ]
        ),
        (
            .rfc850,
            ["Monday, 06-Nov-94 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT"]
        ),
        (.asctime, ["Sun Nov 06 08:49:37 1994 ", "Mon Nov  6 08:49:37 1994", "Sun Nov  6 08:49:60 1994"]),
        (
            .dotNet,
            [
                "/Date()/", "/Date(12)", "Date(12)", "/Date(12+1)/", "/Date(12+01:00)/", "/Date(1.5)/", "/Date(--1)/",
                "/Date(1234567890123456)/", "/Date(0)/ ",
            ]
        ),
        (.pattern("dd.MM.yyyy HH:mm"), ["21.11.2026", "21.11.2026 24:00", "21.11.2026 7:23", "31.04.2026 07:23"]),
        (.pattern("yyyy-MM-dd SSS"), ["2026-11-21 25", "2026-11-21 2500"]),
    ]

    @Test(arguments: [
        ("12:05 AM", "00:05"), ("1:07 am", "01:07"), ("11:59 AM", "11:59"), ("12:00 PM", "12:00"),
        ("01:30 pm", "13:30"),
        ("11:59 PM", "23:59"),
    ]) func `Hours can have a day period`(text: String, time: String) throws {
        let conversion = Conversion.date(.pattern("yyyy-MM-dd h:mm a"))
        let date = try #require(try conversion.read(.string("2026-11-21 \(text)")))
        #expect(date.json.string == "2026-11-21T\(time):00.000Z")
        let again = try #require(try conversion.read(conversion.write(date)))
        #expect(again == date)
    }

    @Test(arguments: ["0:30 AM", "13:00 PM", "12:00", "12:00 XM", "12:60 AM"])
    func `An hour with a day period is from 1 to 12`(text: String) {
        #expect(
            converted("\"2026-11-21 \(text)\"", by: .date(.pattern("yyyy-MM-dd h:mm a"))).hasSuffix(
                "found a string that cannot be converted"))
    }

    @Test func `Hours to 12 and a day period belong together`() {
        struct Log {
            var at = Date.distantPast
            var end = Date.distantPast
        }
        expectIssues(
            """
            expected a date pattern with 'a' (AM or PM), or with HH, found 'yyyy-MM-dd hh:mm' (rule a -> Log.at)
            expected a date pattern with hh, found 'yyyy-MM-dd HH:mm a' (rule b -> Log.end)
            """
        ) {
            _ = try Mapping(Log.init) {
                Attribute("a", \.at).using(.date(.pattern("yyyy-MM-dd hh:mm")))
                Attribute("b", \.end).using(.date(.pattern("yyyy-MM-dd HH:mm a")))
            }.map("{}")
        }
    }

    @Test(arguments: unsound) func `A date in another format is an issue`(format: DateFormat, texts: [String]) {
        for text in texts {
            let result = converted("\"\(text)\"", by: .date(format))
            #expect(result.hasPrefix("invalidValue: expected "), "\(text)")
            #expect(result.hasSuffix(", found a string that cannot be converted"), "\(text)")
        }
        #expect(converted("true", by: .date(format)).hasSuffix("found a boolean"))
        #expect(converted("{}", by: .date(format)).hasPrefix("typeMismatch: expected "))
    }

    @Test(arguments: 1...9) func `Fractions of one to nine digits are read and written`(digits: Int) throws {
        let fraction = String("123456789".prefix(digits))
        let text = "2001-01-01T00:00:00.\(fraction)Z"
        let conversion = Conversion.date(.iso8601(fractionDigits: digits))
        let date = try #require(try conversion.read(.string(text)))
        let seconds = try #require(Double("0." + fraction))
        #expect(abs(date.timeIntervalSinceReferenceDate - seconds) < 1e-7)
        if digits <= 6 { #expect(try conversion.write(date).string == text) }
    }

    @Test func `A fraction that is rounded up to a second carries over`() throws {
        let date = Date(timeIntervalSince1970: 1_795_245_779.9996)
        #expect(try Conversion.date(.iso8601).write(date) == .string("2026-11-21T07:23:00.000Z"))
        #expect(try Conversion.date(.iso8601(fractionDigits: 0)).write(date) == .string("2026-11-21T07:22:59Z"))
    }

    @Test func `Two digits mean the year within fifty years from now`() throws {
        let now = try #require(Int(Conversion.date(.pattern("yyyy")).write(Date()).string ?? ""))
        for year in [now - 49, now - 1, now, now + 1, now + 50] {
            let date = try #require(try Conversion.date(.dateOnly).read(.string("\(year)-03-01")))
            let text = try Conversion.date(.rfc850).write(date)
            #expect(try Conversion.date(.rfc850).read(text) == date)
            #expect(try Conversion.date(.pattern("dd.MM.yy")).read(.string("01.03.\(String(year).suffix(2))")) == date)
        }
        for year in [now - 50, now + 51] {
            let date = try #require(try Conversion.date(.dateOnly).read(.string("\(year)-03-01")))
            #expect(throws: (any Error).self) { try Conversion.date(.rfc850).write(date) }
        }
    }

    @Test(arguments: [DateFormat.iso8601, .dateOnly, .rfc1123, .asctime, .pattern("yyyy")])
    func `Years of more than four digits are not written`(format: DateFormat) {
        for seconds in [253_402_300_800, -62_167_219_201, 1e13, .infinity, .nan] {
            #expect(throws: (any Error).self, "\(seconds)") {
                try Conversion.date(format).write(Date(timeIntervalSince1970: seconds))
            }
        }
    }

    @Test func `Days and times of every format are read back`() throws {
        let formats: [(DateFormat, Double)] = [
            (.iso8601(offset: .hours(14)), 1), (.rfc1123, 1), (.asctime, 1), (.dotNet, 1), (.dateOnly, 86_400),
            (.usDate, 86_400), (.pattern("EEE d-M-yyyy H.m.s XX", offset: .hours(-12)), 1),
        ]
        for (format, unit) in formats {
            for step in stride(from: -62_135_596_800.0, to: 253_402_214_400, by: 7_777_777_777) {
                let date = Date(timeIntervalSince1970: (step / unit).rounded(.down) * unit)
                let json = try Conversion.date(format).write(date)
                #expect(try Conversion.date(format).read(json) == date, "\(json)")
            }
        }
    }

    @Test func `Several formats are tried in order, and the first one writes`() throws {
        let conversion = Conversion.date(.usDate, .iso8601, .millisecondsSince1970)
        #expect(converted("\"11/21/2026\"", by: conversion) == "1795219200.0")
        #expect(converted("\"2026-11-21T07:23:00Z\"", by: conversion) == "1795245780.0")
        #expect(converted("1795245780000", by: conversion) == "1795245780.0")
        #expect(
            converted("\"soon\"", by: conversion)
                == "invalidValue: expected a date in the format MM/dd/yyyy, an ISO 8601 date or milliseconds since 1970, found a string that cannot be converted"
        )
        #expect(try conversion.write(Date(timeIntervalSince1970: 1_795_245_780)) == .string("11/21/2026"))
    }

    @Test func `A string of spaces is nil for RestKit's optional dates only`() {
        #expect(converted("\"\"", by: .date(.restKit)) == "nil")
        #expect(converted("\"  \"", by: .date(.restKit)) == "nil")
        #expect(converted("\"\"", by: .date(.iso8601)).hasPrefix("invalidValue"))
    }

    @Test(arguments: [
        (
            DateFormat.pattern("dd.QQ.yyyy"),
            "expected a date pattern of yyyy yy MMM MM M dd d EEEE EEE HH H hh h a mm m ss s S Z X, found 'QQ'"
        ),
        (.pattern("dd.MM"), "expected a date pattern with a year, found 'dd.MM'"),
        (.pattern("yyyy 'at"), "expected a date pattern, found a quote that does not end"),
        (.pattern("yyyy", offset: .hours(24)), "expected an offset of less than a day, found a greater one"),
        (.iso8601(offset: .hours(-40)), "expected an offset of less than a day, found a greater one"),
        (.dotNet(offset: .hours(.max, minutes: .max)), "expected an offset of less than a day, found a greater one"),
    ])
    func `An invalid pattern is a mistake of the mapping`(format: DateFormat, message: String) {
        struct Person { var born: Date? }
        let mapping = Mapping(Person.init) { Attribute("born", \.born).using(.date(format)) }
        expectIssues("\(message) (rule born -> Person.born)") { try mapping.validate() }
    }
}

extension DateFormat {
    /// Whether the format accepts numbers.
    fileprivate var isNumeric: Bool { (try? Conversion.date(self).read(0)) != nil }
}
