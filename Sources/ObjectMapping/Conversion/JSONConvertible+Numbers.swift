/// A type whose values are scalars of the text.
protocol ScalarValue: JSONConvertible {
    static func value(of token: ScalarToken) -> Result<Self, ScalarToken.Failure>
}

extension ScalarValue {
    init?(scalar json: JSON) {
        guard case .success(let value) = json.converted(Self.value) else { return nil }
        self = value
    }

    /// Returns the reason why a value cannot be converted.
    static func scalarFailure(of json: JSON) -> ScalarToken.Failure? {
        if case .failure(let failure) = json.converted(value) { failure } else { nil }
    }
}

extension JSON {
    /// Converts the value like the text that it was parsed from.
    fileprivate func converted<Value>(
        _ convert: (ScalarToken) -> Result<Value, ScalarToken.Failure>
    ) -> Result<Value, ScalarToken.Failure> {
        var buffer = ByteBuffer()
        switch kind {
        case .string, .number:
            buffer.append((string ?? text).utf8)
            return convert(isNumber ? .number(buffer.text, buffer.count) : .string(buffer.text, buffer.count))
        case .boolean: return convert(.bool(bool == true))
        case .array: return convert(.array)
        case .object: return convert(.object)
        case .null, nil: return convert(.null)
        }
    }
}

extension FixedWidthInteger where Self: JSONConvertible & Codable {
    /// Converts an integer, a string with an integer, or a number such as `1.0` and `1e3`.
    public init?(json: JSON) {
        guard case .success(let value) = json.converted({ $0.integer(Self.self) }) else { return nil }
        self = value
    }

    /// The number.
    public var json: JSON { .integer(self) }

    /// Reads integers directly.
    public static var valuePlan: ValuePlan<Self> { ValuePlan(ScalarBox { $0.integer(Self.self) }) }
}

extension ScalarValue where Self: FixedWidthInteger {
    static func value(of token: ScalarToken) -> Result<Self, ScalarToken.Failure> { token.integer(Self.self) }
}

extension Int: JSONConvertible, ScalarValue {
    /// Reads integers directly.
    public static let valuePlan: ValuePlan<Self> = ValuePlan(.int, optional: .optionalInt)
}
extension Int8: JSONConvertible, ScalarValue {}
extension Int16: JSONConvertible, ScalarValue {}
extension Int32: JSONConvertible, ScalarValue {}
extension Int64: JSONConvertible, ScalarValue {}
extension UInt: JSONConvertible, ScalarValue {}
extension UInt8: JSONConvertible, ScalarValue {}
extension UInt16: JSONConvertible, ScalarValue {}
extension UInt32: JSONConvertible, ScalarValue {}
extension UInt64: JSONConvertible, ScalarValue {}

extension Double: JSONConvertible, ScalarValue {
    /// Converts a number or a string with a number to the nearest `Double`.
    public init?(json: JSON) { self.init(scalar: json) }

    /// The shortest number that converts back to the same value; null for infinities and NaN.
    public var json: JSON { .double(self) }

    /// Reads numbers directly.
    public static let valuePlan: ValuePlan<Self> = ValuePlan(.double, optional: .optionalDouble)

    static func value(of token: ScalarToken) -> Result<Self, ScalarToken.Failure> { token.double(.shared) }
}

extension Float: JSONConvertible, ScalarValue {
    /// Converts to the nearest `Float` of the nearest `Double`.
    public init?(json: JSON) { self.init(scalar: json) }

    /// The shortest number that converts back to the same value; null for infinities and NaN.
    public var json: JSON { isFinite ? JSON(.number("\(self)")) : .null }

    /// Reads numbers directly.
    public static var valuePlan: ValuePlan<Self> { ValuePlan(ScalarBox(value)) }

    static func value(of token: ScalarToken) -> Result<Self, ScalarToken.Failure> {
        token.double(.shared).flatMap { Float($0).isFinite ? .success(Float($0)) : .failure(.outOfRange) }
    }
}

extension Decimal: JSONConvertible, ScalarValue {
    /// Converts a number or a string with a number exactly; 38 digits always fit.
    public init?(json: JSON) { self.init(scalar: json) }

    /// The number with all digits; null for NaN.
    public var json: JSON { .decimal(self) }

    /// Reads numbers directly.
    public static var valuePlan: ValuePlan<Self> { ValuePlan(ScalarBox(value)) }

    static func value(of token: ScalarToken) -> Result<Self, ScalarToken.Failure> { token.decimal }
}

extension Bool: JSONConvertible, ScalarValue {
    /// Converts a Boolean, 0 and 1, and the words true, yes, t, y, false, no, f and n.
    public init?(json: JSON) { self.init(scalar: json) }

    /// Converts a word, ignoring case.
    init?(word: String) {
        switch word.lowercased() {
        case "true", "yes", "t", "y", "1": self = true
        case "false", "no", "f", "n", "0": self = false
        default: return nil
        }
    }

    /// The Boolean.
    public var json: JSON { .bool(self) }

    /// Reads Booleans directly.
    public static let valuePlan: ValuePlan<Self> = ValuePlan(.bool, optional: .optionalBool)

    static func value(of token: ScalarToken) -> Result<Self, ScalarToken.Failure> { token.bool }
}

/// Reads scalars with a conversion of their text.
final class ScalarBox<Value: JSONConvertible>: TypedBox<Value> {
    private let value: (ScalarToken) -> Result<Value, ScalarToken.Failure>

    init(_ value: @escaping (ScalarToken) -> Result<Value, ScalarToken.Failure>) {
        self.value = value
        super.init()
    }

    override var expectation: String { Value.expectation }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        guard let (token, end) = reader.scalar(place) else { return .broken }
        switch value(token) {
        case .success(let value):
            memory.initialize(as: Value.self, to: value)
            return .made(end)
        case .failure(let failure):
            reader.note(failure, at: place, entry.pointee.rule, expectation)
            return .skipped(end)
        }
    }
}
