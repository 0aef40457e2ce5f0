/// A way to spell dates, in both directions; see `Conversion.date(_:_:)`.
///
/// All are strict: the text must be spelled so from its first to its last character, and the day must exist. 24:00 and
/// leap seconds are no times (but `.iso8601` takes second 60 for the one after it). A named day of the week must be
/// that of the date. Without an offset in the text the clock is that of UTC. Names are English.
public struct DateFormat: Sendable {
    /// What a value should be, in words.
    let expectation: String
    let takesNumbers: Bool
    /// Only asked for texts, and for numbers if it takes them.
    let read: @Sendable (JSON) -> Date?
    /// Nil for a date that cannot be spelled so.
    let write: @Sendable (Date) -> JSON?
    var isBlankNil = false
    var mistake: PlanMistake?

    init(
        _ expectation: String, takesNumbers: Bool = false, read: @escaping @Sendable (JSON) -> Date?,
        write: @escaping @Sendable (Date) -> JSON?
    ) {
        self.expectation = expectation
        self.takesNumbers = takesNumbers
        self.read = read
        self.write = write
    }

    init(_ expectation: String, _ pattern: DatePattern) {
        self.init(
            expectation, read: { $0.string.flatMap { pattern.date(of: $0) } },
            write: { pattern.text(of: $0).map(JSON.string) })
    }
}

extension Conversion where Value == Date {
    /// Dates as a format spells them.
    ///
    /// ```swift
    /// Attribute("born", \.born).using(.date(.dateOnly))
    /// Attribute("at", \.at).using(.date(.iso8601, .usDate, .millisecondsSince1970))
    /// ```
    ///
    /// - Parameters:
    ///   - format: How dates are written, and read.
    ///   - others: Further formats, which are tried in turn.
    public static func date(_ format: DateFormat, _ others: DateFormat...) -> Conversion {
        let formats = [format] + others
        let expectation = formats.map(\.expectation).alternatives
        let takesNumbers = formats.contains(where: \.takesNumbers)
        var conversion = Conversion(expectation) { json in
            guard json.string != nil || takesNumbers && json.isNumber else {
                throw ConversionFailure(.typeMismatch, expected: expectation, found: json.kindName)
            }
            return formats.lazy.compactMap { $0.read(json) }.first
        } write: { date in
            guard let json = format.write(date) else {
                throw ConversionFailure(.invalidValue, expected: format.expectation, found: "a date out of its range")
            }
            return json
        }
        conversion.isBlankNil = formats.contains(where: \.isBlankNil)
        conversion.mistake = formats.lazy.compactMap(\.mistake).first
        return conversion
    }
}

extension [String] {
    /// One after another, with "or" before the last.
    var alternatives: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}

extension DateFormat {
    /// `/Date(1795245780000+0000)/`, as .NET's JSON has it: milliseconds since 1970.
    ///
    /// An offset may follow; it does not move the moment, and is always written.
    public static let dotNet = dotNet()

    /// .NET's dates, written with an offset other than that of UTC.
    ///
    /// - Parameter offset: What is written behind the milliseconds.
    public static func dotNet(offset: UTCOffset = .utc) -> DateFormat {
        var format = DateFormat("a .NET date") { json in
            guard let text = json.string, text.hasPrefix("/Date("), text.hasSuffix(")/"),
                let milliseconds = milliseconds(text.utf8.dropFirst(6).dropLast(2))
            else { return nil }
            return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        } write: { date in
            let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
            guard abs(milliseconds) < ISODate.latest * 1000 else { return nil }
            return .string("/Date(\(Int(milliseconds))\(DatePattern.OffsetForm.basic.spelled(offset)))/")
        }
        format.mistake = offset.mistake
        return format
    }

    /// The milliseconds, in front of an offset or alone.
    private static func milliseconds(_ text: Substring.UTF8View) -> Int? {
        let number = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
        let digits = number.prefix { $0.isASCIIDigit }
        let offset = number.dropFirst(digits.count)
        guard 1...15 ~= digits.count, offset.isEmpty || isOffset(offset), let value = Int(Substring(digits)) else {
            return nil
        }
        return number.count < text.count ? -value : value
    }

    private static func isOffset(_ text: Substring.UTF8View) -> Bool {
        text.count == 5 && (text.first == UInt8(ascii: "+") || text.first == UInt8(ascii: "-"))
            && text.dropFirst().allSatisfy(\.isASCIIDigit)
    }
}
