extension Date {
    /// Parses the date of a header field in any of the three formats of HTTP (RFC 9110 §5.6.7).
    ///
    /// - Parameters:
    ///   - text: The text of the field. Returns `nil` if it has none of the formats.
    ///   - now: The date by which a two-digit year is interpreted: the result is up to 50 years in the future.
    init?(httpDate text: String, now: Date = Date()) {
        let words = text.split(separator: " ").map(String.init)
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT
        case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
            self.init(year: number(words[3], digits: 4), words[2], words[1], words[4])
        // Sunday, 06-Nov-94 08:49:37 GMT
        case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let shortYear = number(parts[2], digits: 2) else { return nil }
            // The latest year with these last two digits.
            let latest = 1970 + Int(now.timeIntervalSince1970 / 31_556_952) + 50
            self.init(year: latest - (latest - shortYear) % 100, parts[1], parts[0], words[2])
        // Sun Nov  6 08:49:37 1994
        case 5: self.init(year: number(words[4], digits: 4), words[1], words[2], words[3])
        default: return nil
        }
    }

    private init?(year: Int?, _ month: String, _ day: String, _ time: String) {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), digits: 2) }
        guard let year, let month = months.firstIndex(of: month), clock.count == 3,
            let day = number(day, digits: 2) ?? number(day, digits: 1),
            let hour = clock[0], let minute = clock[1], let second = clock[2]
        else { return nil }
        self.init(utcYear: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
    }

    /// Creates a date from a day and a time in UTC; `nil` if one of them does not exist.
    ///
    /// - Parameter second: The second, up to 60 for a leap second.
    init?(utcYear year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...Self.days(in: month, year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let days = (1..<month).reduce(Self.daysBefore(year) + day - 1) { $0 + Self.days(in: $1, year) }
        self.init(timeIntervalSince1970: Double(days) * 86_400 + Double(hour * 3600 + minute * 60 + second))
    }

    private static func days(in month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// The number of days from 1970 to the start of a year.
    private static func daysBefore(_ year: Int) -> Int {
        let past = year - 1
        return past * 365 + past / 4 - past / 100 + past / 400 - 719_162
    }
}

/// Parses a number with an exact number of digits.
private func number(_ text: String, digits: Int) -> Int? {
    text.utf8.count == digits && text.utf8.allSatisfy(isDigit) ? Int(text) : nil
}
