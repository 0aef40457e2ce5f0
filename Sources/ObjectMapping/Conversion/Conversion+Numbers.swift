extension Conversion where Value == Bool {
    /// Any number but zero is true; booleans and their words as always.
    public static var nonZero: Conversion {
        Conversion("a boolean or a number") { json in
            json.double.map { $0 != 0 } ?? Bool(json: json)
        } write: { value in
            .bool(value)
        }
    }
}

extension Conversion where Value: FixedWidthInteger & JSONConvertible {
    /// Texts as RestKit turned them into integers: words for booleans are 1 and 0, what is no number is 0.
    ///
    /// Of `"12 apples"` the 12 counts, and a fraction is cut off. A number that does not fit is an issue all the same.
    public static var restKitNumber: Conversion {
        Conversion(Value.expectation) { json in
            guard let text = json.string else { return Value(json: json) }
            let number = leadingNumber(in: text)
            return Value(json: number) ?? number.double.flatMap { Value(exactly: $0.rounded(.towardZero)) }
        } write: { value in
            value.json
        }
    }
}

extension Conversion where Value == Double {
    /// Texts as RestKit turned them into numbers: words for booleans are 1 and 0, what is no number is 0.
    ///
    /// Of `"12.5 kg"` the 12.5 counts.
    public static var restKitNumber: Conversion {
        Conversion(Value.expectation) { json in
            Double(json: json.string.map(leadingNumber) ?? json)
        } write: { value in
            value.json
        }
    }
}

/// The number that RestKit found at the beginning of a text.
private func leadingNumber(in text: String) -> JSON {
    switch text.lowercased() {
    case "true", "t", "yes", "y": return 1
    case "false", "f", "no", "n": return 0
    default: break
    }
    var rest = text.utf8.drop { $0.isJSONBlank }
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    let whole = rest.prefix { $0.isASCIIDigit }
    rest = rest.dropFirst(whole.count)
    let fraction = rest.first == UInt8(ascii: ".") ? rest.dropFirst().prefix { $0.isASCIIDigit } : rest.prefix(0)
    // Leading zeros are no JSON.
    let integer = String(Substring(whole.drop { $0 == UInt8(ascii: "0") }))
    let number =
        (isNegative ? "-" : "") + (integer.isEmpty ? "0" : integer)
        + (fraction.isEmpty ? "" : "." + String(Substring(fraction)))
    return (try? JSON(number)) ?? 0
}
