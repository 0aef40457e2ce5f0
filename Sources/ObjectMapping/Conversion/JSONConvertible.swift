/// A type whose values may be attributes: it says how one becomes of a JSON value.
///
/// The library's conversions lose nothing: the text `"12"` becomes 12, `1.0` and `1e3` are integers, but `"abc"` or `1.5`
/// for an `Int` is an issue. A type of one's own needs an initialiser and a property, an enum with raw values and a
/// `Codable` type neither:
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
    /// Converts a value that is not null; nil says that it cannot be converted, which is an issue of the payload.
    init?(json: JSON)

    /// The value as JSON, so that it can be read back.
    var json: JSON { get }

    /// How the library reads the type; there is no need to write one.
    static var valuePlan: ValuePlan<Self> { get }

    /// How the library writes the type; there is no need to write one.
    static var valueOutput: ValueOutput<Self> { get }
}

extension JSONConvertible {
    /// Reads by `init(json:)`.
    public static var valuePlan: ValuePlan<Self> { ValuePlan(ConvertibleBox<Self>()) }
}

extension JSONConvertible where Self: RawRepresentable, RawValue: JSONConvertible {
    /// The case with this raw value.
    public init?(json: JSON) {
        guard let raw = RawValue(json: json) else { return nil }
        self.init(rawValue: raw)
    }

    /// The raw value.
    public var json: JSON { rawValue.json }
}
