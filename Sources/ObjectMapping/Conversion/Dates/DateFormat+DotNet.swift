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
