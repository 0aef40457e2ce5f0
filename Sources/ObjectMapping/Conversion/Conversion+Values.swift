extension Conversion where Value == String {
    /// Reads only strings; numbers and Booleans are issues: `Attribute("name", \.name).using(.strict)`.
    public static var strict: Conversion { .sameKind }
}

extension Conversion where Value == Bool {
    /// Reads only Booleans; numbers and strings are issues.
    public static var strict: Conversion { .sameKind }
}

extension Conversion where Value: Numeric & JSONConvertible {
    /// Reads only numbers; strings with numbers are issues.
    public static var strict: Conversion { .sameKind }
}

extension Conversion where Value: JSONConvertible {
    /// Reads a value only from the kind of JSON as which it is written.
    fileprivate static var sameKind: Conversion {
        Conversion(Value.expectation) { json in
            guard let value = Value(json: json) else { throw Value.failure(of: json) }
            if value.json.kindName == json.kindName { return value }
            throw ConversionFailure(.typeMismatch, expected: Value.expectation, found: json.kindName)
        } write: { value in
            try value.encodedJSON()
        }
    }
}

extension Conversion where Value == Bool {
    /// Converts any value to `true`: `Attribute("deleted_at", \.isDeleted, using: .isPresent).readOnly`.
    ///
    /// Null resets the property, and an absent key leaves it unchanged. The conversion is for reading only: writing
    /// throws.
    public static var isPresent: Conversion {
        Conversion("any value") { _ in
            true
        } write: { _ in
            throw ConversionFailure(
                .invalidValue, expected: "a rule that is `readOnly`, because `isPresent` cannot be written",
                found: "a rule that is written")
        }
    }

    /// Converts all numbers but zero to `true`; Booleans and their words are converted as by default.
    public static var nonZero: Conversion {
        Conversion("a boolean or a number") { json in
            json.double.map { $0 != 0 } ?? Bool(json: json)
        } write: { value in
            .bool(value)
        }
    }
}

extension Conversion where Value: FixedWidthInteger & JSONConvertible {
    /// Converts strings to integers like RestKit: words for Booleans are 1 and 0, and a string without a number is 0.
    ///
    /// For `"12 apples"` the result is 12, and fractions are truncated. An overflow is an issue.
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
    /// Converts strings to numbers like RestKit: words for Booleans are 1 and 0, and a string without a number is 0.
    ///
    /// For `"12.5 kg"` the result is 12.5.
    public static var restKitNumber: Conversion {
        Conversion(Value.expectation) { json in
            Double(json: json.string.map(leadingNumber) ?? json)
        } write: { value in
            value.json
        }
    }
}

/// Returns the number at the beginning of a text, as in RestKit.
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
    // Leading zeros are invalid in JSON.
    let integer = String(Substring(whole.drop { $0 == UInt8(ascii: "0") }))
    let number =
        (isNegative ? "-" : "") + (integer.isEmpty ? "0" : integer)
        + (fraction.isEmpty ? "" : "." + String(Substring(fraction)))
    return (try? JSON(number)) ?? 0
}

extension Conversion where Value == Data {
    /// Base64 with `-` and `_` (RFC 4648 §5), with or without padding; written without padding.
    public static var base64URL: Conversion {
        Conversion("base64url data") { json in
            guard let text = json.string else { return nil }
            let body = text.prefix { $0 != "=" }
            let padding = String(repeating: "=", count: (4 - body.count % 4) % 4)
            // The padding is complete or missing.
            guard text.count == body.count || text == body + padding, !body.contains("+"), !body.contains("/")
            else { return nil }
            return Data(base64Encoded: body.replacing("-", with: "+").replacing("_", with: "/") + padding)
        } write: { data in
            let text = data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            return .string(String(text.prefix { $0 != "=" }))
        }
    }

    /// Two hexadecimal digits per byte; written in lowercase.
    public static var hex: Conversion {
        Conversion("hexadecimal data") { json in
            guard let digits = json.string?.utf8.map(\.hexadecimalDigit), digits.count.isMultiple(of: 2) else {
                return nil
            }
            var data = Data(capacity: digits.count / 2)
            for index in stride(from: 0, to: digits.count, by: 2) {
                guard let high = digits[index], let low = digits[index + 1] else { return nil }
                data.append(UInt8(high << 4 | low))
            }
            return data
        } write: { data in
            let digits = Array("0123456789abcdef".utf8)
            let text = data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
            return .string(String(decoding: text, as: UTF8.self))
        }
    }
}
