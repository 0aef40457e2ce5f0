/// A type of attributes, which converts its values from and to JSON.
///
/// The built-in conversions are lossless: the string `"12"` is converted to 12, and `1.0` and `1e3` to integers, but
/// `"abc"` or `1.5` for an `Int` is an issue. A custom type needs an initializer and a property; an enum with raw
/// values and a `Codable` type need neither:
///
/// ```swift
/// enum Status: String, JSONConvertible { case open, done }
///
/// struct Size: Codable, JSONConvertible { var width: Int; var height: Int }
///
/// struct Celsius: JSONConvertible {
///     var degrees: Double
///     init?(json: JSON) { guard let degrees = json.double else { return nil }; self.degrees = degrees }
///     var json: JSON { .double(degrees) }
/// }
/// ```
public protocol JSONConvertible: ParameterValue {
    /// Converts a value other than null; `nil` if it cannot be converted, which is an issue of the payload.
    init?(json: JSON)

    /// The value as JSON, which `init(json:)` reads back.
    var json: JSON { get }

    /// Returns the reader of the type; there is no need to implement it.
    static var valuePlan: ValuePlan<Self> { get }

    /// Returns the writer of the type; there is no need to implement it.
    static var valueOutput: ValueOutput<Self> { get }
}

extension JSONConvertible {
    /// Reads with `init(json:)`.
    public static var valuePlan: ValuePlan<Self> { ValuePlan(ConvertibleBox<Self>()) }
}

extension JSONConvertible where Self: RawRepresentable, RawValue: JSONConvertible {
    /// Creates the case with a raw value.
    public init?(json: JSON) {
        guard let raw = RawValue(json: json) else { return nil }
        self.init(rawValue: raw)
    }

    /// The raw value.
    public var json: JSON { rawValue.json }
}

extension JSONConvertible {
    /// A noun for the expected value.
    static var expectation: String {
        if let type = Self.self as? any FixedWidthInteger.Type, type != Int.self || Int.bitWidth < 64 {
            return range(of: type)
        }
        return AttributeType.Scalar(Self.self).map { AttributeType($0).expectation } ?? nameWithCases(of: Self.self)
    }

    /// Returns the reason why `init(json:)` returned `nil`.
    static func failure(of json: JSON) -> ConversionFailure {
        if let failure = (Self.self as? any ScalarValue.Type)?.scalarFailure(of: json) {
            return ConversionFailure(failure, json.kindName, expected: expectation)
        }
        if Self.self is any Decodable.Type, let failure = CodingFailure.noted(during: { Self(json: json) }) {
            return failure
        }
        let isNull = json.isNull
        return ConversionFailure(
            isNull ? .typeMismatch : .invalidValue, expected: expectation,
            found: isNull ? "null" : "\(json.kindName) that is not a valid \(Self.self)",
            suggestions: json.string.map { nearestNames(to: $0, among: rawTexts(of: Self.self)) } ?? [])
    }

    private static func range<Integer: FixedWidthInteger>(of _: Integer.Type) -> String {
        "an integer from \(Integer.min) to \(Integer.max)"
    }
}

/// Returns the name of a type, with up to 12 raw values of an enum that lists its cases.
func nameWithCases(of type: Any.Type) -> String {
    let known = rawValues(of: type, limit: 13).compactMap { value in
        switch value {
        case let text as String: "'\(text)'"
        case let number as any BinaryInteger: "\(number)"
        default: nil
        }
    }
    return 1...12 ~= known.count ? "\(type) (\(known.alternatives))" : "\(type)"
}

/// Returns the raw values of an enum's cases, if they are strings and the enum lists them; up to 1,000.
func rawTexts(of type: Any.Type) -> [String] { rawValues(of: type, limit: 1000).compactMap { $0 as? String } }

private func rawValues(of type: Any.Type, limit: Int) -> [Any] {
    func values<Cases: CaseIterable>(_: Cases.Type) -> [Any] {
        Cases.allCases.prefix(limit).compactMap { ($0 as? any RawRepresentable)?.rawValue }
    }
    return (type as? any CaseIterable.Type).map { values($0) } ?? []
}

extension ConversionFailure {
    /// Creates the failure of a value that a built-in type does not accept.
    init(_ failure: ScalarToken.Failure, _ kindName: String, expected: String) {
        switch failure {
        case .kind: self.init(.typeMismatch, expected: expected, found: kindName)
        case .misspelt(let noun):
            // Without the range, and for a list the noun of the element.
            let name = expected.split(separator: " each element ").last?.split(separator: " from ").first ?? ""
            let kind = [.number, .boolean].contains(noun) ? MappingIssue.Kind.typeMismatch : .invalidValue
            self.init(
                kind, expected: expected,
                found: noun == .number
                    ? "a string that cannot be converted to \(name)"
                    : "a string that is not \(noun == .base64 ? "base64" : "a \(noun)")")
        case .fraction: self.init(.lossy, expected: expected, found: "a number with a fraction")
        case .outOfRange: self.init(.outOfRange, expected: expected, found: "a number out of its range")
        }
    }
}
