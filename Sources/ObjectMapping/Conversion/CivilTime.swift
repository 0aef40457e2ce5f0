/// Date and time of day in the proleptic Gregorian calendar, years 0 to 9999.
struct CivilTime {
    var year = 1970
    var month = 1
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0
    var nanosecond = 0
    /// The offset from UTC.
    var offset = UTCOffset.utc
    /// The day of the week in the text, 0 for Sunday; `nil` if it is missing.
    var namedDay: Int?
    /// Whether the hour is one of the afternoon; `nil` without a day period in the text.
    var isAfternoon: Bool?

    init() {}

    /// Creates the date and time of a moment; `nil` outside the years 0 to 9999.
    ///
    /// - Parameter fractionDigits: The number of digits to which seconds are rounded; without a fraction they are
    ///   truncated.
    init?(_ date: Date, _ offset: UTCOffset, fractionDigits: Int) {
        let moment = date.timeIntervalSince1970
        guard abs(moment) < ISODate.latest else { return nil }
        var whole = Int64(moment.rounded(.down))
        if fractionDigits > 0 {
            let unit = (0..<fractionDigits).reduce(1) { unit, _ in unit * 10 }
            var units = Int(((moment - Double(whole)) * Double(unit)).rounded())
            if units == unit { (whole, units) = (whole + 1, 0) }
            nanosecond = units * (1_000_000_000 / unit)
        }
        whole += Int64(offset.seconds)
        let days = whole >= 0 ? whole / 86_400 : (whole + 1) / 86_400 - 1
        (year, month, day) = ISODate.civil(Int(days))
        guard 0...9999 ~= year else { return nil }
        let rest = Int(whole - days * 86_400)
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
        self.offset = offset
    }

    /// The moment; `nil` if the day or time does not exist.
    ///
    /// Leap seconds and 24:00 are not accepted.
    var date: Date? {
        guard 1...12 ~= month, day >= 1, day <= ISODate.dayCount(year, month), hour < 24, minute < 60, second < 60,
            namedDay == nil || namedDay == weekday
        else { return nil }
        let seconds = hour * 3600 + minute * 60 + second - offset.seconds
        let whole = Int64(ISODate.days(year, month, day)) * 86_400 + Int64(seconds)
        return Date(timeIntervalSince1970: Double(whole) + Double(nanosecond) / 1e9)
    }

    /// The day of the week, 0 for Sunday.
    var weekday: Int {
        // The first day of 1970 was a Thursday.
        let days = (ISODate.days(year, month, day) + 4) % 7
        return days < 0 ? days + 7 : days
    }

    /// Returns the year for two digits: the one within 50 years from now, as in RFC 9110 for the dates of RFC 850.
    static func year(ofTwoDigits digits: Int, now: Date) -> Int {
        let thisYear = CivilTime(now, .utc, fractionDigits: 0)?.year ?? 1970
        let year = thisYear / 100 * 100 + digits
        return year > thisYear + 50 ? year - 100 : year <= thisYear - 50 ? year + 100 : year
    }
}
