/// A format of dates, for reading and writing; see `Conversion.date(_:_:)`.
///
/// All formats are strict: the whole text must match, and the day must exist. 24:00 and leap seconds are invalid;
/// `.iso8601` accepts second 60 as the following second. A named day of the week must match the date. Without an offset
/// in the text, the time is UTC. Names are English.
public struct DateFormat: Sendable {
    /// A noun for the expected value.
    let expectation: String
    let takesNumbers: Bool
    /// Called for strings only, and for numbers if the format accepts them.
    let read: @Sendable (JSON) -> Date?
    /// Returns `nil` for a date that the format cannot represent.
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

    /// Returns the date of a text; `nil` if the text does not have the format.
    package func date(of text: String) -> Date? { read(.string(text)) }

    init(_ expectation: String, _ pattern: DatePattern) {
        self.init(
            expectation, read: { $0.string.flatMap { pattern.date(of: $0) } },
            write: { pattern.text(of: $0).map(JSON.string) })
    }
}

extension Conversion where Value == Date {
    /// Converts dates with a format.
    ///
    /// ```swift
    /// Attribute("born", \.born).using(.date(.dateOnly))
    /// Attribute("at", \.at).using(.date(.iso8601, .usDate, .millisecondsSince1970))
    /// ```
    ///
    /// - Parameters:
    ///   - format: The format for writing, and for reading.
    ///   - others: Further formats for reading, which are tried in order.
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
    /// The texts as a list, with "or" before the last.
    var alternatives: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}

extension DateFormat {
    /// `/Date(1795245780000+0000)/`, the format of .NET: milliseconds since 1970.
    ///
    /// An offset can follow; it does not change the moment, and is always written.
    public static let dotNet = dotNet()

    /// The format of .NET, written with an offset.
    ///
    /// - Parameter offset: The offset written after the milliseconds. Defaults to UTC.
    public static func dotNet(offset: UTCOffset = .utc) -> DateFormat {
        var format = DateFormat("a .NET date") { json in
            guard let text = json.string, text.hasPrefix("/Date("), text.hasSuffix(")/"),
                let milliseconds = milliseconds(text.utf8.dropFirst(6).dropLast(2))
            else { return nil }
            return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        } write: { date in
            let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
            guard abs(milliseconds) < ISODate.latest * 1000 else { return nil }
            return .string("/Date(\(Int64(milliseconds))\(DatePattern.OffsetForm.basic.spelled(offset)))/")
        }
        format.mistake = offset.mistake
        return format
    }

    /// Parses the milliseconds, with or without an offset.
    private static func milliseconds(_ text: Substring.UTF8View) -> Int64? {
        let number = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
        let digits = number.prefix { $0.isASCIIDigit }
        let offset = number.dropFirst(digits.count)
        guard 1...15 ~= digits.count, offset.isEmpty || isOffset(offset), let value = Int64(Substring(digits)) else {
            return nil
        }
        return number.count < text.count ? -value : value
    }

    private static func isOffset(_ text: Substring.UTF8View) -> Bool {
        text.count == 5 && (text.first == UInt8(ascii: "+") || text.first == UInt8(ascii: "-"))
            && text.dropFirst().allSatisfy(\.isASCIIDigit)
    }
}
