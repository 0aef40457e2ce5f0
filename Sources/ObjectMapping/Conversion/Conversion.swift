/// How JSON becomes a value and the value becomes JSON again, where its type does not say it or is to do it otherwise.
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
/// One for a type serves optionals, arrays, sets and dictionaries of it as well. Null never comes to a conversion: it
/// means what it means for the property.
public struct Conversion<Value>: Sendable {
    /// What a value should be, in words.
    let expectation: String
    /// Nil, or an error, says that a value cannot be converted.
    package let read: @Sendable (JSON) throws -> Value?
    package var write: @Sendable (Value) throws -> JSON
    /// How the value is read without a tree; nil for `read`.
    var plan: (@Sendable () -> ValuePlan<Value>)?
    /// Whether null is a value of the type.
    var acceptsNull = false
    /// Whether a text of blanks is nil for an optional.
    var isBlankNil = false
    /// What is wrong with the conversion itself.
    var mistake: PlanMistake?

    /// A conversion in both directions.
    ///
    /// - Parameters:
    ///   - expectation: What a value should be, for messages, with its article: `"a color such as #ff8800"`; the name
    ///     of the type by default.
    ///   - read: Converts a value that is not null. Nil, or whatever error, is an issue of the payload.
    ///   - write: Converts back. An error is an issue of what is serialized.
    public init(
        _ expectation: String = "\(Value.self)", read: @escaping @Sendable (JSON) throws -> Value?,
        write: @escaping @Sendable (Value) throws -> JSON
    ) {
        self.expectation = expectation
        self.read = read
        self.write = write
    }
}

/// A mistake in a conversion, which is one of the mapping.
struct PlanMistake: Sendable {
    let expected: String
    let found: String
}

extension Conversion {
    /// The value that a JSON value becomes, or why it becomes none.
    func value(of json: JSON) throws(ConversionFailure) -> Value {
        do {
            if let value = try read(json) { return value }
        } catch let failure as ConversionFailure {
            throw failure
        } catch {
            // What the error says may hold the value, so it is not repeated.
        }
        throw ConversionFailure(
            .invalidValue, expected: expectation, found: "\(json.kindName) that cannot be converted")
    }
}

extension Conversion {
    /// Several conversions, tried in turn: the first that succeeds reads, the first of all writes.
    ///
    /// If all fail, the issue says what each expected.
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

    /// The same conversion, with a value for whatever it cannot convert: `.date(.rfc1123).orElse(.distantPast)`.
    public func orElse(_ fallback: Value) -> Conversion where Value: Sendable {
        var conversion = Conversion(expectation) { json in
            (try? value(of: json)) ?? fallback
        } write: { value in
            try write(value)
        }
        conversion.acceptsNull = acceptsNull
        conversion.isBlankNil = isBlankNil
        conversion.mistake = mistake
        return conversion
    }
}

extension Conversion where Value: JSONConvertible {
    /// What the type does without a conversion; to be combined with others.
    public static var standard: Conversion {
        var conversion = Conversion(Value.expectation) { json in
            if let value = Value(json: json) { return value }
            throw Value.failure(of: json)
        } write: { value in
            try value.soundJSON()
        }
        conversion.plan = { Value.valuePlan }
        conversion.acceptsNull = Value.valuePlan.typed.acceptsNull
        return conversion
    }
}

extension Conversion where Value: Hashable & Sendable {
    /// Reads strings by a table, and writes the first string of a value.
    ///
    /// ```swift
    /// Attribute("size", \.width, using: .oneOf(["small": 120, "large": 480]))
    /// ```
    ///
    /// An issue of another string suggests the nearest one of the table.
    ///
    /// - Parameters:
    ///   - values: The values by their strings.
    ///   - expectation: What a value should be, for messages. Defaults to the strings of the table.
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
                suggestions: json.string.map { nearestNames(to: $0, among: values.map(\.key)) } ?? [])
        } write: { value in
            guard let text = byValue[value] else {
                throw ConversionFailure(.invalidValue, expected: expectation, found: "a value without a string")
            }
            return .string(text)
        }
    }
}

extension Conversion where Value: RawRepresentable & JSONConvertible & Sendable {
    /// What the enum does, with a case for whatever it does not know: `.using(.orElse(.other))`.
    public static func orElse(_ fallback: Value) -> Conversion { Conversion.standard.orElse(fallback) }
}

extension Conversion where Value: Numeric & JSONConvertible {
    /// What the number does when read; written as a text: `"12"`, `"0.10"`.
    public static var asString: Conversion {
        var conversion = Conversion.standard
        conversion.write = { value in
            let json = value.json
            return json.isNumber ? .string(json.text) : json
        }
        return conversion
    }
}
