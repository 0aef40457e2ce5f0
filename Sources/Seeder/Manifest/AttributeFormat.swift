import ObjectMapping

/// How the values of an attribute are written in the dumps, if not as by default.
struct AttributeFormat {
    /// The format of a date; `nil` for numbers, which are read in any form.
    let dateFormat: DateFormat?
    /// The conversion of a Swift mapping: `.date(.secondsSince1970)`.
    let conversion: String

    /// The formats of dates with a name.
    private static let dates: KeyValuePairs<String, (DateFormat, String)> = [
        "seconds": (.secondsSince1970, ".secondsSince1970"),
        "milliseconds": (.millisecondsSince1970, ".millisecondsSince1970"),
        "secondsString": (.secondsSince1970, ".secondsSince1970.asString"),
        "millisecondsString": (.millisecondsSince1970, ".millisecondsSince1970.asString"),
    ]

    /// Reads the format of an attribute.
    ///
    /// - Throws: `FormatMistake` for a format that the type does not have.
    init(_ text: String, of type: AttributeType) throws(FormatMistake) {
        switch type.scalar {
        case .date where !type.isList:
            if let (format, name) = Self.dates.first(where: { $0.key == text })?.value {
                (dateFormat, conversion) = (format, ".date(\(name))")
                return
            }
            let format = DateFormat.pattern(text)
            let names = Self.dates.map(\.key)
            if let mistake = format.mistakeDescription {
                let near = nearestNames(to: text, among: names)
                throw FormatMistake(
                    near.isEmpty
                        ? "invalid format of a date: \(mistake)" : "unknown format '\(text)'\(suggestionText(near))")
            }
            (dateFormat, conversion) = (format, ".date(.pattern(\(SwiftLiteral.string(text))))")
        case .integer, .double, .decimal:
            dateFormat = nil
            let digits = text.dropFirst(2)
            if text == "string" {
                conversion = ".asString"
            } else if type.scalar == .decimal, text.hasPrefix("0."), digits.allSatisfy({ $0 == "0" }), !digits.isEmpty {
                conversion = ".asString(fractionDigits: \(digits.count))"
            } else {
                let decimals = type.scalar == .decimal ? ", or a number of digits such as '0.00'" : ""
                throw FormatMistake("unknown format '\(text)'; expected 'string'" + decimals)
            }
        default: throw FormatMistake("'format' is for numbers and single dates, and the type is \(type)")
        }
    }
}

/// The reason why a format is invalid.
struct FormatMistake: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
