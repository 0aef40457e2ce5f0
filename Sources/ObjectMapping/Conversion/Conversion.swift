/// A custom conversion between JSON and a value, for types that are not `JSONConvertible` or that use another format.
///
/// ```swift
/// Attribute("born", \.born).using(.date(.rfc1123))
/// Attribute("color", \.color, using: .hexColor)      // for a type that is not `JSONConvertible`
///
/// extension Conversion where Value == Color {
///     static let hexColor = Conversion("a color such as #ff8800") { json in
///         json.string.flatMap(Color.init(hex:))
///     } write: { color in
///         .string(color.hex)
///     }
/// }
/// ```
///
/// A conversion for a type also applies to optionals, arrays, sets and dictionaries of it. Conversions do not receive
/// null, which is handled by the property.
public struct Conversion<Value>: Sendable {
    /// A noun for the expected value.
    let expectation: String
    /// `nil` or an error if a value cannot be converted.
    package private(set) var read: @Sendable (JSON) throws -> Value?
    package var write: @Sendable (Value) throws -> JSON
    /// Reads the value without a tree; `nil` to use `read`.
    var plan: (@Sendable () -> ValuePlan<Value>)?
    /// Whether null is a valid value of the type.
    var acceptsNull = false
    /// Whether a blank string is `nil` for an optional.
    var isBlankNil = false
    /// An error in the conversion itself.
    var mistake: PlanMistake?

    /// Creates a conversion in both directions.
    ///
    /// - Parameters:
    ///   - expectation: A noun for the expected value with its article, for messages: `"a color such as #ff8800"`.
    ///     Defaults to the name of the type.
    ///   - read: Converts a value other than null. `nil` or any error is an issue of the payload.
    ///   - write: Converts back. An error is an issue of the serialization.
    public init(
        _ expectation: String = "\(Value.self)", read: @escaping @Sendable (JSON) throws -> Value?,
        write: @escaping @Sendable (Value) throws -> JSON
    ) {
        self.expectation = expectation
        self.read = read
        self.write = write
    }
}

/// An error in a conversion, which is an error of the mapping.
struct PlanMistake: Sendable {
    let expected: String
    let found: String
}

extension Conversion {
    /// Returns the converted value, or throws the reason why it cannot be converted.
    func value(of json: JSON) throws(ConversionFailure) -> Value {
        do {
            if let value = try read(json) { return value }
        } catch let failure as ConversionFailure {
            throw failure
        } catch {
            // The text of the error can contain the value, so it is not included.
        }
        throw ConversionFailure(
            .invalidValue, expected: expectation, found: "\(json.kindName) that cannot be converted")
    }
}

extension Conversion {
    /// Combines several conversions: the first one that succeeds reads, and the first of all writes.
    ///
    /// If all fail, the issue contains what each expected.
    public static func first(of first: Conversion, _ others: Conversion...) -> Conversion {
        let all = [first] + others
        let expectation = all.map(\.expectation).alternatives
        var conversion = Conversion(expectation) { json in
            for one in all {
                if let value = try? one.value(of: json) { return value }
            }
            throw ConversionFailure(
                .invalidValue, expected: expectation, found: "\(json.kindName) that cannot be converted")
        } write: { value in
            try first.write(value)
        }
        conversion.acceptsNull = first.acceptsNull
        conversion.isBlankNil = all.contains(where: \.isBlankNil)
        conversion.mistake = all.lazy.compactMap(\.mistake).first
        return conversion
    }

    /// Returns the conversion with a fallback for values that it cannot convert:
    /// `.date(.rfc1123).orElse(.distantPast)`.
    public func orElse(_ fallback: Value) -> Conversion where Value: Sendable {
        var conversion = self
        conversion.read = { json in (try? value(of: json)) ?? fallback }
        conversion.plan = nil
        return conversion
    }
}

extension Conversion where Value: JSONConvertible {
    /// The default conversion of the type, to be combined with others.
    public static var standard: Conversion {
        var conversion = Conversion(Value.expectation) { json in
            if let value = Value(json: json) { return value }
            throw Value.failure(of: json)
        } write: { value in
            try value.encodedJSON()
        }
        conversion.plan = { Value.valuePlan }
        conversion.acceptsNull = Value.valuePlan.typed.acceptsNull
        return conversion
    }
}

extension Conversion where Value: Hashable & Sendable {
    /// Reads strings with a table, and writes the first string of a value.
    ///
    /// ```swift
    /// Attribute("size", \.width, using: .oneOf(["small": 120, "large": 480]))
    /// ```
    ///
    /// An issue of another string suggests the most similar one in the table.
    ///
    /// - Parameters:
    ///   - values: The values by string.
    ///   - expectation: A noun for the expected value, for messages. Defaults to the strings in the table.
    public static func oneOf(_ values: KeyValuePairs<String, Value>, _ expectation: String? = nil) -> Conversion {
        oneOf(values.map { $0 }, expectation)
    }

    package static func oneOf(_ values: [(key: String, value: Value)], _ expectation: String? = nil) -> Conversion {
        let byText = Dictionary(values, uniquingKeysWith: { first, _ in first })
        let byValue = Dictionary(values.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        let expectation = expectation ?? values.map { "'\($0.key)'" }.alternatives
        return Conversion(expectation) { json in
            if let text = json.string, let value = byText[text] { return value }
            throw ConversionFailure(
                json.string == nil ? .typeMismatch : .invalidValue, expected: expectation,
                found: json.string == nil ? json.kindName : "another string",
                suggestions: json.string.map { suggestions(for: $0, among: values.map(\.key)) } ?? [])
        } write: { value in
            guard let text = byValue[value] else {
                throw ConversionFailure(.invalidValue, expected: expectation, found: "a value without a string")
            }
            return .string(text)
        }
    }
}

/// Returns similar strings, or those that an abbreviation such as `int` starts.
private func suggestions(for text: String, among known: [String]) -> [String] {
    let near = nearestNames(to: text, among: known)
    guard near.isEmpty, text.count > 2 else { return near }
    return Array(known.filter { $0.lowercased().hasPrefix(text.lowercased()) }.prefix(3))
}

extension Conversion {
    /// Reads a blank string as `nil`, and other values by a conversion.
    ///
    /// ```swift
    /// Attribute("homepage", \.homepage).using(.nilIfBlank())    // URL?; "" is nil
    /// ```
    ///
    /// - Parameter conversion: The conversion of other values. Defaults to the default conversion of the type.
    public static func nilIfBlank<Wrapped: JSONConvertible>(
        _ conversion: Conversion<Wrapped> = .standard
    ) -> Conversion where Value == Wrapped? {
        Conversion(conversion.expectation) { json in
            if let text = json.string, text.allSatisfy(\.isWhitespace) { return .some(nil) }
            return .some(try conversion.value(of: json))
        } write: { value in
            try value.map { try conversion.write($0) } ?? .null
        }
    }
}

extension Conversion where Value: RawRepresentable & JSONConvertible & Sendable {
    /// The default conversion of the enum, with a case for unknown values: `.using(.orElse(.other))`.
    public static func orElse(_ fallback: Value) -> Conversion { Conversion.standard.orElse(fallback) }
}

extension Conversion where Value: Numeric & JSONConvertible {
    /// Reads a number by default; writes it as a string: `"12"`, `"0.10"`.
    public static var asString: Conversion {
        var conversion = Conversion.standard
        conversion.write = { value in
            let json = value.json
            return json.isNumber ? .string(json.text) : json
        }
        return conversion
    }
}

extension Conversion where Value == Decimal {
    /// Reads a number by default; writes it as a string with at least a number of fraction digits: `"12.50"`.
    public static func asString(fractionDigits: Int) -> Conversion {
        var conversion = asString
        conversion.write = { value in
            let text = value.json.text
            guard text.utf8.allSatisfy({ $0 | 0x20 != UInt8(ascii: "e") }) else { return .string(text) }
            let digits = text.firstIndex(of: ".").map { text.utf8.distance(from: $0, to: text.endIndex) - 1 } ?? 0
            let zeros = String(repeating: "0", count: max(0, fractionDigits - digits))
            return .string(text + (digits == 0 && !zeros.isEmpty ? "." : "") + zeros)
        }
        return conversion
    }
}
