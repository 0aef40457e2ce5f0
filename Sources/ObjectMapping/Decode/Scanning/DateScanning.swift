/// Parses dates in ISO 8601 and RFC 3339 format, without Foundation.
enum ISODate {
    /// The largest number of seconds since 1970 that is accepted as a date.
    static var latest: Double { 1e12 }

    /// Returns the seconds since 1970 for a text such as `2026-11-21T07:23:00Z`; `nil` if it is not a date.
    ///
    /// Date and time are separated by `T`, `t` or a space, and can be followed by a fraction of any length and `Z`,
    /// `±hh`, `±hhmm` or `±hh:mm`. The seconds can be missing. Without an offset, the time is UTC; without a time, the date is at midnight. Days
    /// must exist; second 60 is a leap second, which exists at 23:59:60 in UTC only.
    static func seconds(_ start: Bytes, _ count: Int) -> (whole: Int64, milliseconds: Int, fraction: Double)? {
        guard count >= 10, start[4] == UInt8(ascii: "-"), start[7] == UInt8(ascii: "-") else { return nil }
        var isValid = true
        func digit(_ index: Int) -> Int {
            let digit = start[index] &- 0x30
            if digit > 9 { isValid = false }
            return Int(digit)
        }
        func pair(_ index: Int) -> Int { digit(index) &* 10 &+ digit(index &+ 1) }
        let year = pair(0) &* 100 &+ pair(2)
        let month = pair(5)
        let day = pair(8)
        guard isValid, 1...12 ~= month, day >= 1, day <= dayCount(year, month) else { return nil }
        let midnight = Int64(days(year, month, day)) &* 86_400
        if count == 10 { return (midnight, 0, 0) }

        let separator = start[10]
        guard count >= 19, separator | 0x20 == UInt8(ascii: "t") || separator == 0x20, start[13] == .colon,
            start[16] == .colon
        else { return secondsOfMinute(start, count) }
        let hour = pair(11)
        let minute = pair(14)
        let second = pair(17)
        guard isValid, hour < 24, minute < 60, second <= 60 else { return nil }
        var whole = midnight &+ Int64(hour &* 3600 &+ minute &* 60 &+ second)
        /// Whether the second exists at the time in UTC.
        func exists(_ whole: Int64) -> Bool { second < 60 || whole % 86_400 == 0 }
        if count == 20, start[19] == UInt8(ascii: "Z") { return exists(whole) ? (whole, 0, 0) : nil }

        var index = 19
        var milliseconds = 0
        var fraction = 0.0
        if index < count, start[index] == UInt8(ascii: ".") || start[index] == .comma {
            index += 1
            let first = index
            var scale = 0.1
            while index < count, start[index].isASCIIDigit {
                let value = Int(start[index] &- 0x30)
                if index - first < 3 { milliseconds = milliseconds * 10 + value }
                fraction += Double(value) * scale
                scale /= 10
                index += 1
            }
            if index == first { return nil }
            for _ in index - first..<max(3, index - first) { milliseconds *= 10 }
            if index - first <= 3 { fraction = Double(milliseconds) / 1000 }
        }
        if index == count || (start[index] | 0x20 == UInt8(ascii: "z") && index + 1 == count) {
            return exists(whole) ? (whole, milliseconds, fraction) : nil
        }
        let sign = start[index] == UInt8(ascii: "+") ? -1 : start[index] == UInt8(ascii: "-") ? 1 : 0
        let rest = count - index - 1
        guard sign != 0, rest == 2 || rest == 4 || (rest == 5 && start[index + 3] == .colon) else { return nil }
        let hours = pair(index + 1)
        let minutes = rest == 2 ? 0 : pair(index + rest - 1)
        guard isValid, hours < 24, minutes < 60 else { return nil }
        whole += Int64(sign * (hours * 3600 + minutes * 60))
        return exists(whole) ? (whole, milliseconds, fraction) : nil
    }

    /// Returns the seconds since 1970 for a text without seconds, such as `2026-11-21T07:23Z`.
    @inline(never) private static func secondsOfMinute(
        _ start: Bytes, _ count: Int
    ) -> (whole: Int64, milliseconds: Int, fraction: Double)? {
        guard 16...22 ~= count, start[13] == .colon,
            count == 16 || start[16] | 0x20 == UInt8(ascii: "z") || start[16] == UInt8(ascii: "+")
                || start[16] == UInt8(ascii: "-")
        else { return nil }
        let text = (0..<16).map { start[$0] } + Array(":00".utf8) + (16..<count).map { start[$0] }
        return (text + Array(repeating: 0, count: Bytes.padding)).withView { bytes in
            Bytes(bytes).flatMap { seconds($0, text.count) }
        }
    }

    /// Parses a date; returns `nil` if the text is not a date.
    static func date(of text: String) -> Date? {
        guard text.utf8.count >= 10 else { return nil }
        let padded = [UInt8](text.utf8) + Array(repeating: 0, count: Bytes.padding)
        let seconds = padded.withView { bytes in
            Bytes(bytes).flatMap { ISODate.seconds($0, text.utf8.count) }
        }
        return seconds.map { Date(timeIntervalSince1970: Double($0.whole) + $0.fraction) }
    }

    /// Appends a date in UTC with milliseconds; returns false, and appends nothing, outside the years 0 to 9999.
    static func append(_ date: Date, to buffer: inout ByteBuffer) -> Bool {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard abs(milliseconds) < latest * 1000 else { return false }
        let (whole, rest) = Int64(milliseconds).quotientAndRemainder(dividingBy: 1000)
        return append(
            whole: rest < 0 ? whole - 1 : whole, milliseconds: Int(rest < 0 ? rest + 1000 : rest), to: &buffer)
    }

    /// Appends 24 characters such as `2026-11-21T07:23:00.000Z`; returns false for years with more than four digits.
    static func append(whole: Int64, milliseconds: Int, to buffer: inout ByteBuffer) -> Bool {
        let dayNumber = whole >= 0 ? whole / 86_400 : (whole - 86_399) / 86_400
        let second = whole - dayNumber * 86_400
        let (year, month, day) = civil(Int(dayNumber))
        guard 0...9999 ~= year else { return false }
        let date = decimalDigits(UInt64(year * 10_000 + month * 100 + day)) | 0x3030_3030_3030_3030
        let time = decimalDigits(UInt64(second / 3600 * 10_000 + second / 60 % 60 * 100 + second % 60))
        let digits = (time | 0x3030_3030_3030_3030) >> 16
        let (months, days) = (date >> 32 & 0xFFFF, date >> 48)
        let (hours, minutes, seconds) = (digits & 0xFFFF, digits >> 16 & 0xFFFF, digits >> 32)
        let thousandths = (decimalDigits(UInt64(milliseconds)) | 0x3030_3030_3030_3030) >> 40
        // The words contain the separators: `-  -  T`, `  :  :  ` and `.   Z`.
        buffer.append(date, 4)
        buffer.append(0x54_0000_2D00_002D | months << 8 | days << 32, 7)
        buffer.append(0x3A00_003A_0000 | hours | minutes << 24 | seconds << 48, 8)
        buffer.append(0x5A_0000_002E | thousandths << 8, 5)
        return true
    }

    static func dayCount(_ year: Int, _ month: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the days since 1970 in the proleptic Gregorian calendar.
    @inline(__always) static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years start in March here, so that the leap day is the last day.
        let shifted = month <= 2 ? year &- 1 : year
        let era = (shifted >= 0 ? shifted : shifted &- 399) / 400
        let yearOfEra = shifted &- era &* 400
        let dayOfYear = (153 &* (month > 2 ? month &- 3 : month &+ 9) &+ 2) / 5 &+ day &- 1
        return era &* 146_097 &+ yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear &- 719_468
    }

    static func civil(_ dayNumber: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Date {
    /// The date in the precision of a column: truncated to milliseconds.
    ///
    /// A number of milliseconds as a `Date` can be slightly below it. The tolerance is larger than this difference in
    /// all years up to 9999.
    package var truncatedToMilliseconds: Date {
        let seconds = timeIntervalSince1970
        let milliseconds = ((seconds + max(0.000_000_5, seconds.ulp * 4)) * 1000).rounded(.down)
        return milliseconds.isFinite ? Date(timeIntervalSince1970: milliseconds / 1000) : self
    }
}
