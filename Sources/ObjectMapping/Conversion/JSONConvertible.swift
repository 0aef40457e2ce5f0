/// A type whose values may be attributes: it says how one becomes of a JSON value.
///
/// The library's conversions lose nothing: the text `"12"` becomes 12, `1.0` and `1e3` are integers, but `"abc"` or `1.5`
/// for an `Int` is an issue. A type of one's own needs an initialiser and a property, an enum with raw values neither:
///
/// ```swift
/// enum Status: String, JSONConvertible { case open, done }
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

/// A type that converts from a JSON value.
private final class ConvertibleBox<Value: JSONConvertible>: TypedBox<Value> {
    override func make(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        reader.isMade = false
        guard let end = reader.skip(place) else { return nil }
        guard let json = try? JSON(reader.stretch(place, end), maximumDepth: reader.maximumDepth) else { return nil }
        if let value = Value(json: json) {
            memory.initializeMemory(as: Value.self, to: value)
            reader.isMade = true
        } else if let known {
            reader.note(
                failure(of: json, known), json.kindName, at: place, entry.pointee.rule, AttributeType(known).expectation
            )
        } else {
            reader.note(
                .invalidValue, at: place, entry.pointee.rule, "\(Value.self)",
                "\(json.kindName) that is no \(Value.self)")
        }
        return end
    }

    /// What the type is called where types go by names.
    private var known: AttributeType.Scalar? {
        switch Value.self {
        case is Float.Type: .double
        case is Decimal.Type: .decimal
        case is UUID.Type: .uuid
        case is URL.Type: .url
        case is Data.Type: .data
        default: nil
        }
    }

    private func failure(of json: JSON, _ known: AttributeType.Scalar) -> ScalarToken.Failure {
        let isNumeric = known == .double || known == .decimal
        if isNumeric, json.isNumber || json.spelledNumber != nil { return .outOfRange }
        guard json.string != nil else { return .kind }
        return switch known {
        case .uuid: .misspelt(.UUID)
        case .url: .misspelt(.URL)
        case .data: .misspelt(.base64)
        default: .misspelt(.number)
        }
    }
}
