import Foundation

/// ISO 8601 dates by counting days.
enum PlainDate {
    /// Seconds since 1970 of a date with or without time, fraction and offset; nil for any other text.
    static func seconds(_ text: String) -> Double? {
        parts(text).map { Double($0.whole) + (Double("0." + $0.fraction + "0") ?? 0) }
    }

    /// The same in whole seconds and the digits of the fraction.
    static func parts(_ text: String) -> (whole: Int, fraction: String)? {
        let pattern =
            #/([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]+))?)?(?:([Zz])|([+-])([0-9]{2})(?::?([0-9]{2}))?)?)?/#
        guard let match = try? pattern.wholeMatch(in: text)?.output else { return nil }
        func number(_ part: Substring?) -> Int { part.flatMap { Int($0) } ?? 0 }
        let (year, month, day) = (number(match.1), number(match.2), number(match.3))
        guard 1...12 ~= month, 1...days(year, month) ~= day else { return nil }
        let (hour, minute, second) = (number(match.4), number(match.5), number(match.6))
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        let (offsetHours, offsetMinutes) = (number(match.10), number(match.11))
        guard offsetHours < 24, offsetMinutes < 60 else { return nil }
        var count = 0
        for past in min(year, 1970)..<max(year, 1970) { count += isLeap(past) ? 366 : 365 }
        if year < 1970 { count = -count }
        for past in 1..<month { count += days(year, past) }
        count += day - 1
        let offset = (match.9 == "-" ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60
        let whole = count * 86_400 + hour * 3600 + minute * 60 + second - offset
        // A leap second ends a day in UTC.
        guard second < 60 || whole % 86_400 == 0 else { return nil }
        return (whole, String(match.7 ?? ""))
    }

    /// Seconds since 1970, such as `2026-11-21T07:23:00.000Z`; nil for years of more than four digits.
    static func text(_ seconds: Decimal) -> String? {
        func two(_ number: Int, _ width: Int = 2) -> String {
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        guard
            let milliseconds = Int(
                NSDecimalNumber(decimal: seconds * 1000).rounding(accordingToBehavior: floor).stringValue)
        else { return nil }
        // The day 1970-01-01 is 719,528 days behind the first day of year 0.
        var left = milliseconds + 719_528 * 86_400_000
        guard left >= 0 else { return nil }
        var (year, month) = (0, 1)
        while left >= (isLeap(year) ? 366 : 365) * 86_400_000 {
            left -= (isLeap(year) ? 366 : 365) * 86_400_000
            year += 1
            if year > 9999 { return nil }
        }
        while left >= days(year, month) * 86_400_000 {
            left -= days(year, month) * 86_400_000
            month += 1
        }
        return two(year, 4) + "-" + two(month) + "-" + two(left / 86_400_000 + 1) + "T" + two(left / 3_600_000 % 24)
            + ":"
            + two(left / 60_000 % 60) + ":" + two(left / 1000 % 60) + "." + two(left % 1000, 3) + "Z"
    }

    private static var floor: NSDecimalNumberHandler {
        NSDecimalNumberHandler(
            roundingMode: .down, scale: 0, raiseOnExactness: false, raiseOnOverflow: false, raiseOnUnderflow: false,
            raiseOnDivideByZero: false)
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func days(_ year: Int, _ month: Int) -> Int {
        month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}
