extension DateFormat {
    /// Written as `2026-11-21T07:23:00.000Z`; reads the strings of the default format, but no numbers.
    ///
    /// See `iso8601(fractionDigits:offset:)`.
    public static let iso8601 = iso8601()

    /// A date in the format of ISO 8601 and RFC 3339.
    ///
    /// When reading, date and time are separated by `T` or a space, and can be followed by a fraction of any length and
    /// an offset (`Z`, `±hh`, `±hhmm`, `±hh:mm`); a date without a time is at midnight.
    ///
    /// - Parameters:
    ///   - fractionDigits: The number of written digits of a second, up to 9; 0 for none. Defaults to 3.
    ///   - offset: The offset of written dates. Defaults to UTC.
    public static func iso8601(fractionDigits: Int = 3, offset: UTCOffset = .utc) -> DateFormat {
        let digits = min(max(fractionDigits, 0), 9)
        let pattern = DatePattern(
            "yyyy-MM-dd'T'HH:mm:ss" + (digits > 0 ? "." + String(repeating: "S", count: digits) : "") + "XXX", offset)
        var format = DateFormat(
            "an ISO 8601 date", read: { $0.string.flatMap(ISODate.date) },
            write: { pattern.text(of: $0).map(JSON.string) })
        format.mistake = offset.mistake
        return format
    }

    /// Seconds since 1970, as a number or a string with a number; written as a number, with a fraction if necessary.
    public static let secondsSince1970 = epoch("seconds since 1970", 1)

    /// Milliseconds since 1970, as a number or a string with a number; written as an integer.
    public static let millisecondsSince1970 = epoch("milliseconds since 1970", 1000)

    /// The format with strings in place of written numbers: `.secondsSince1970.asString` writes `"1700000000"`.
    public var asString: DateFormat {
        var format = DateFormat(expectation, takesNumbers: takesNumbers, read: read) { [write] date in
            write(date).map { $0.isNumber ? .string($0.text) : $0 }
        }
        (format.isBlankNil, format.mistake) = (isBlankNil, mistake)
        return format
    }

    /// The description of an error in the pattern; `nil` for a valid format.
    package var mistakeDescription: String? { mistake.map { "expected \($0.expected), found \($0.found)" } }

    private static func epoch(_ expectation: String, _ unit: Double) -> DateFormat {
        DateFormat(expectation, takesNumbers: true) { json in
            guard let number = Double(json: json), abs(number) < ISODate.latest * unit else { return nil }
            return Date(timeIntervalSince1970: number / unit)
        } write: { date in
            let number = date.timeIntervalSince1970 * unit
            let whole = number.rounded()
            guard abs(number) < ISODate.latest * unit else { return nil }
            return unit > 1 || whole == number ? .integer(Int64(whole)) : .double(number)
        }
    }

    /// `2026-11-21`: a day, at midnight in UTC; the time of day is not written.
    public static let dateOnly = DateFormat("a date in the format yyyy-MM-dd", DatePattern("yyyy-MM-dd"))

    /// `11/21/2026`: a day, at midnight in UTC; the time of day is not written.
    public static let usDate = DateFormat("a date in the format MM/dd/yyyy", DatePattern("MM/dd/yyyy"))

    /// `Sat, 21 Nov 2026 07:23:00 GMT`, as in HTTP and mail; `UTC`, `UT`, `Z` and `±hhmm` are read as well.
    public static let rfc1123 = DateFormat(
        "a date in the format of RFC 1123",
        DatePattern(
            fields: [.dayName, .literal(Array(", ".utf8)), .number(.day, 1...2, written: 2)]
                + DatePattern("' 'MMM yyyy HH:mm:ss ").fields + [.offset(.named)], offset: .utc))

    /// `Saturday, 21-Nov-26 07:23:00 GMT`, the older format of HTTP.
    ///
    /// Two digits are the year within 50 years from now (RFC 9110 §5.6.7); other years cannot be written.
    public static let rfc850 = DateFormat(
        "a date in the format of RFC 850",
        DatePattern(fields: DatePattern("EEEE, dd-MMM-yy HH:mm:ss ").fields + [.offset(.named)], offset: .utc))

    /// `Sat Nov 21 07:23:00 2026`, the format of C's `asctime`, in UTC; a single digit of the day follows two spaces.
    public static let asctime = DateFormat(
        "a date in the format of asctime",
        DatePattern(
            fields: DatePattern("EEE MMM' '").fields + [.paddedDay] + DatePattern(" HH:mm:ss yyyy").fields,
            offset: .utc))

    /// A pattern with the letters of Unicode: `yyyy yy MMM MM M dd d EEE EEEE HH H hh h a mm m ss s S… Z X XX
    /// XXX`.
    ///
    /// `hh` and `h` are hours from 1 to 12, with `a` for `AM` or `PM` in any case.
    /// The number of digits is that of the letters; a single letter accepts one or two digits. `Z` is `+0100`; `X`,
    /// `XX` and `XXX` are `Z` or `+01`, `+0100`, `+01:00`. `yy` is the year within 50 years from now. Literal text is
    /// written in single quotes; characters other than letters need no quotes. A pattern with other letters or without
    /// a year is an error of the mapping.
    ///
    /// - Parameters:
    ///   - pattern: The pattern, such as `dd.MM.yyyy HH:mm`.
    ///   - offset: The offset of texts without an offset, and of written texts. Defaults to UTC.
    public static func pattern(_ pattern: String, offset: UTCOffset = .utc) -> DateFormat {
        let (parsed, mistake) = DatePattern.parsed(pattern, offset)
        var format = DateFormat("a date in the format \(pattern)", parsed)
        format.mistake = mistake
        return format
    }

    /// The formats that RestKit accepts, in its order.
    ///
    /// ISO 8601, seconds since 1970, `MM/dd/yyyy`, `yyyy-MM-dd`, RFC 1123, RFC 850 and asctime. A blank string is `nil`
    /// for an optional, and otherwise an issue. Written as ISO 8601.
    public static let restKit: DateFormat = {
        let formats: [DateFormat] = [
            .iso8601, .secondsSince1970, .usDate, .dateOnly, .rfc1123, .rfc850, .asctime,
        ]
        var format = DateFormat(formats.map(\.expectation).alternatives, takesNumbers: true) { json in
            formats.lazy.compactMap { $0.read(json) }.first
        } write: { date in
            iso8601.write(date)
        }
        format.isBlankNil = true
        return format
    }()
}
