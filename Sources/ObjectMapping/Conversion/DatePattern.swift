/// A format of dates with fixed fields, parsed and written without Foundation's formatters.
struct DatePattern: Sendable {
    enum Field: Sendable, Hashable {
        case literal([UInt8])
        case year, yearOfCentury
        /// English names.
        case monthName, dayName, longDayName
        /// The accepted numbers of digits, and the number of written digits.
        case number(Unit, ClosedRange<Int>, written: Int)
        /// The hours from 1 to 12, which a day period follows or precedes.
        case halfDayHour(ClosedRange<Int>, written: Int)
        /// `AM` or `PM`.
        case dayPeriod
        /// The day, padded with a space.
        case paddedDay
        case fraction(digits: Int)
        case offset(OffsetForm)
    }

    enum Unit: Sendable { case month, day, hour, minute, second }

    enum OffsetForm: Sendable, Hashable {
        /// `+0100`
        case basic
        /// `Z` or `+01`, `+0130`
        case shortest
        /// `Z` or `+0100`
        case basicOrZ
        /// `Z` or `+01:00`
        case extendedOrZ
        /// `GMT`, `UTC`, `UT`, `Z` or `+0100`
        case named
    }

    let fields: [Field]
    /// The offset of texts without an offset, and of written texts.
    let offset: UTCOffset

    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// Parses a date; returns `nil` if the text does not match.
    ///
    /// - Parameter now: The reference for years with two digits.
    func date(of text: String, now: @autoclosure () -> Date = Date()) -> Date? {
        var rest = Array(text.utf8)[...]
        var time = CivilTime()
        time.offset = offset
        for field in fields {
            guard read(field, &rest, &time, now) else { return nil }
        }
        guard rest.isEmpty else { return nil }
        if let isAfternoon = time.isAfternoon {
            guard 1...12 ~= time.hour else { return nil }
            time.hour = time.hour % 12 + (isAfternoon ? 12 : 0)
        }
        return time.date
    }

    private func read(
        _ field: Field, _ rest: inout ArraySlice<UInt8>, _ time: inout CivilTime, _ now: () -> Date
    ) -> Bool {
        switch field {
        case .literal(let bytes):
            return rest.take(bytes)
        case .year:
            return rest.take(4...4) { time.year = $0 }
        case .yearOfCentury:
            return rest.take(2...2) { time.year = CivilTime.year(ofTwoDigits: $0, now: now()) }
        case .monthName:
            guard let index = DatePattern.months.firstIndex(where: { rest.take($0.utf8) }) else { return false }
            time.month = index + 1
        case .dayName:
            time.namedDay = DatePattern.days.firstIndex { rest.take($0.utf8.prefix(3)) }
            return time.namedDay != nil
        case .longDayName:
            time.namedDay = DatePattern.days.firstIndex { rest.take($0.utf8) }
            return time.namedDay != nil
        case .number(let unit, let digits, _): return rest.take(digits) { time[unit] = $0 }
        case .halfDayHour(let digits, _): return rest.take(digits) { time.hour = $0 }
        case .dayPeriod:
            let period = rest.prefix(2).map { $0 | 0x20 }
            guard period == Array("am".utf8) || period == Array("pm".utf8) else { return false }
            rest.removeFirst(2)
            time.isAfternoon = period[0] == UInt8(ascii: "p")
        case .paddedDay:
            return rest.take(" ".utf8) ? rest.take(1...1) { time.day = $0 } : rest.take(1...2) { time.day = $0 }
        case .fraction(let digits):
            return rest.take(digits...digits) { value in
                time.nanosecond = (digits..<9).reduce(value) { value, _ in value * 10 }
            }
        case .offset(let form):
            guard let seconds = rest.takeOffset(form) else { return false }
            time.offset = UTCOffset(seconds: seconds)
        }
        return true
    }

    /// Returns the text for a date; `nil` outside the years 0 to 9999, and for two-digit years more than 50 years from
    /// now.
    func text(of date: Date, now: @autoclosure () -> Date = Date()) -> String? {
        let digits = fields.lazy.compactMap { if case .fraction(let digits) = $0 { digits } else { nil } }.first ?? 0
        guard let time = CivilTime(date, offset, fractionDigits: digits) else { return nil }
        if fields.contains(.yearOfCentury), CivilTime.year(ofTwoDigits: time.year % 100, now: now()) != time.year {
            return nil
        }
        return fields.map { spelled($0, time) }.joined()
    }

    private func spelled(_ field: Field, _ time: CivilTime) -> String {
        switch field {
        case .literal(let bytes): String(decoding: bytes, as: UTF8.self)
        case .year: padded(time.year, 4)
        case .yearOfCentury: padded(time.year % 100, 2)
        case .monthName: DatePattern.months[time.month - 1]
        case .dayName: String(DatePattern.days[time.weekday].prefix(3))
        case .longDayName: DatePattern.days[time.weekday]
        case .number(let unit, _, let count): padded(time[unit], count)
        case .halfDayHour(_, let count): padded((time.hour + 11) % 12 + 1, count)
        case .dayPeriod: time.hour < 12 ? "AM" : "PM"
        case .paddedDay: (time.day < 10 ? " " : "") + String(time.day)
        case .fraction(let digits):
            padded((digits..<9).reduce(time.nanosecond) { value, _ in value / 10 }, digits)
        case .offset(let form): form.spelled(time.offset)
        }
    }
}

extension DatePattern.OffsetForm {
    /// Returns an offset in the form of the field.
    func spelled(_ offset: UTCOffset) -> String {
        if offset.seconds == 0 {
            switch self {
            case .basic: break
            case .named: return "GMT"
            case .shortest, .basicOrZ, .extendedOrZ: return "Z"
            }
        }
        let minutes = abs(offset.seconds) / 60
        let hour = (offset.seconds < 0 ? "-" : "+") + padded(minutes / 60, 2)
        return switch self {
        case .extendedOrZ: "\(hour):\(padded(minutes % 60, 2))"
        case .shortest where minutes % 60 == 0: hour
        default: hour + padded(minutes % 60, 2)
        }
    }
}

extension CivilTime {
    fileprivate subscript(unit: DatePattern.Unit) -> Int {
        get {
            switch unit {
            case .month: month
            case .day: day
            case .hour: hour
            case .minute: minute
            case .second: second
            }
        }
        set {
            switch unit {
            case .month: month = newValue
            case .day: day = newValue
            case .hour: hour = newValue
            case .minute: minute = newValue
            case .second: second = newValue
            }
        }
    }
}

/// Returns a non-negative number with leading zeros.
private func padded(_ value: Int, _ count: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
}

extension ArraySlice<UInt8> {
    /// Removes a prefix if it matches.
    fileprivate mutating func take(_ bytes: some Collection<UInt8>) -> Bool {
        guard starts(with: bytes) else { return false }
        removeFirst(bytes.count)
        return true
    }

    /// Removes a number from the start, if its number of digits is in a range.
    fileprivate mutating func take(_ digits: ClosedRange<Int>, _ store: (Int) -> Void) -> Bool {
        let found = prefix(digits.upperBound).prefix { $0.isASCIIDigit }
        guard digits.contains(found.count) else { return false }
        removeFirst(found.count)
        store(found.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        return true
    }

    /// Removes an offset from the start; returns it in seconds.
    fileprivate mutating func takeOffset(_ form: DatePattern.OffsetForm) -> Int? {
        if form != .basic, take("Z".utf8) { return 0 }
        if form == .named, take("GMT".utf8) || take("UTC".utf8) || take("UT".utf8) { return 0 }
        let sign = take("+".utf8) ? 1 : take("-".utf8) ? -1 : 0
        var hours = 0
        var minutes = 0
        guard sign != 0, take(2...2, { hours = $0 }), form != .extendedOrZ || take(":".utf8) else { return nil }
        let hasMinutes = take(2...2) { minutes = $0 }
        guard hasMinutes || form == .shortest, hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes) * 60
    }
}
