import ObjectMapping
import TestSupport

extension RandomCase {
    /// A value for a type, often at its limits.
    mutating func scalar(_ type: ReferenceType) -> String {
        switch type {
        case .integer:
            let text = json.random.chance(in: 3) ? String(Int.random(in: -300...300, using: &json.random)) : integer()
            return json.random.chance(in: 5) ? json.spelled(text) : text
        case .double, .float, .decimal:
            let text = json.random.chance(in: 3) ? integer() : real()
            return json.random.chance(in: 5) ? json.spelled(text) : text
        case .boolean:
            return json.random.pick([
                "true", "false", "0", "1", "1.0", "\"YES\"", "\"no\"", "\"f\"", "\"t\"", "2", "\"0\"", "\"maybe\"",
                "-0",
            ])
        case .string, .json: return json.random.chance(in: 4) ? json.value(1) : json.string()
        case .date: return date()
        case .uuid:
            return json.random.pick([
                "\"9B2D7E0A-4B0C-4F57-8B0C-3C3E7E3A9F11\"", "\"00000000-0000-0000-0000-000000000000\"",
                "\"9b2d7e0a-4b0c-4f57-8b0c-3c3e7e3a9f11\"", "\"9b2d7e0a4b0c4f578b0c3c3e7e3a9f11\"",
                "\"9b2d7e0a-4b0c-4f57-8b0c-3c3e7e3a9f1\"", "\"9b2d7e0a-4b0c-4f57-8b0c-3c3e7e3a9f1g\"",
                "\"9b2d7e0a-4b0c-4f57-8b0c-3c3e7e3a9f111\"",
            ])
        case .url:
            return json.random.pick(["\"https://example.com/a?b=c#d\"", "\"a/b\"", "\"\"", "\"http://[\"", "\"a b\""])
        case .data:
            return json.random.pick(["\"\"", "\"aGVsbG8=\"", "\"YQ==\"", "\"YWI=\"", "\"YWJj\"", "\"YWJ\"", "\"*\""])
        case .status: return json.random.pick(["\"open\"", "\"done\"", "\"\\u006fpen\"", "\"Open\""])
        default: return json.value(1)
        }
    }

    private mutating func integer() -> String {
        if json.random.chance(in: 3) {
            return String(json.random.next() >> UInt64.random(in: 0...63, using: &json.random))
        }
        return json.random.pick(
            [
                "0", "-0", "-1", "127", "128", "-128", "-129", "65535", "65536", "9223372036854775807",
                "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
                "18446744073709551616", "-18446744073709551616", "99999999999999999999", "1.0", "1.50", "1e3", "12e-1",
                "120e-1", "0e999", "1e18", "1e19", "1e20", "1e400", "1e-400", "9.223372036854775807e18", "0.0", "-0.0",
                "123456789012345678", "1234567890123456789", "000", "01", "+1", "1e99999999999999999999",
                "170141183460469231731687303715884105727", "1" + String(repeating: "0", count: 1023),
                "1" + String(repeating: "0", count: 1024), "100000000000000000000e-20",
            ].filter { json.random.chance(in: 4) || !["000", "01", "+1"].contains($0) })
    }

    private mutating func real() -> String {
        switch Int.random(in: 0..<4, using: &json.random) {
        case 0:
            let value = Double(bitPattern: json.random.next())
            return value.isFinite ? "\(value)" : "1.5"
        case 1:
            func digits(_ count: Int) -> String {
                (0..<count).map { _ in String(Int.random(in: 0...9, using: &json.random)) }.joined()
            }
            return
                "\(Int.random(in: 0...9, using: &json.random)).\(digits(Int.random(in: 1...25, using: &json.random)))"
                + "e\(Int.random(in: -330...310, using: &json.random))"
        default:
            return json.random.pick([
                "0.1", "-2.5", "1.7976931348623157e308", "1.7976931348623159e308", "1e309", "-1e309", "4.9e-324",
                "2e-324", "2.2250738585072011e-308", "9007199254740993", "9007199254740993.0000000000000000001",
                "0.30000000000000004", "3.4028235677973366e38", "3.4028236e38", "1e127", "1e128", "1e-128", "1e-129",
                "0.00000000000000000000000000000000000001", "99999999999999999999999999999999999999",
                "999999999999999999999999999999999999999", "12345678901234567890.1234567890123456789",
                "8.5070591730234615e37", "123456789.12345678", "1.00000000", "0.000001e6",
            ])
        }
    }

    private mutating func date() -> String {
        json.random.pick([
            "\"2026-11-21T07:23:00Z\"", "\"2026-11-21\"", "\"2026-11-21 07:23:00\"", "\"2026-11-21t07:23:00z\"",
            "\"2026-11-21T07:23:00.25+01:00\"", "\"2026-11-21T07:23:00,123456-0130\"", "\"2026-11-21T07:23:00+14\"",
            "\"2024-02-29T23:59:60Z\"", "\"2023-02-29\"", "\"1900-02-29\"", "\"2000-02-29\"", "\"0000-01-01\"",
            "\"9999-12-31T23:59:59.999Z\"", "\"1969-12-31T23:59:59.5Z\"", "\"2026-13-01\"", "\"2026-11-21T24:00:00Z\"",
            "\"2026-11-21T07:23Z\"", "\"2026-11-21T07:23:00.Z\"", "\"2026-11-21T07:23:00+1\"", "\"2026-11-21T\"",
            "\"2026-11-21T07:23:00.1Z\"", "\"2026-11-21T07:23:00.12+0000\"", "\"20261121\"", "0", "-1", "1.5",
            "\"1700000000\"", "1e12", "999999999999", "-1e12", "\"soon\"", "\"2026\\u002d11-21T07:23:00Z\"",
            "\"\u{662}026-11-21\"", "1e400",
        ])
    }
}
