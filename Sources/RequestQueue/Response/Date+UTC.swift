extension Date {
    /// Creates a date from a day and a time in UTC; `nil` if one of them does not exist.
    ///
    /// - Parameter second: The second, up to 60 for a leap second.
    init?(utcYear year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...Self.days(in: month, year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let days = (1..<month).reduce(Self.daysBefore(year) + day - 1) { $0 + Self.days(in: $1, year) }
        self.init(timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
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
