import Foundation

/// ISO 8601 dates by counting days.
enum PlainDate {
    /// Seconds since 1970 of a date with or without time, fraction and offset; nil for any other text.
    static func seconds(_ text: String) -> Double? {
        let pattern =
            #/([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?(?:([Zz])|([+-])([0-9]{2})(?::?([0-9]{2}))?)?)?/#
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
        return Double(whole) + (match.7.flatMap { Double("0." + $0) } ?? 0)
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func days(_ year: Int, _ month: Int) -> Int {
        month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}
