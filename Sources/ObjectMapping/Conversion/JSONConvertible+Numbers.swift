extension FixedWidthInteger where Self: JSONConvertible & Codable {
    /// Converts an integer, a string with an integer, or a number such as `1.0` and `1e3`.
    public init?(json: JSON) {
        guard let value: Self = json.integer() ?? json.spelledNumber?.integer() else { return nil }
        self = value
    }

    /// The number.
    public var json: JSON { .integer(self) }

    /// Reads integers directly.
    public static var valuePlan: ValuePlan<Self> { ValuePlan(IntegerBox<Self>()) }
}

extension Int: JSONConvertible {
    /// Reads integers directly.
    public static let valuePlan: ValuePlan<Self> = ValuePlan(.int, optional: .optionalInt)
}
extension Int8: JSONConvertible {}
extension Int16: JSONConvertible {}
extension Int32: JSONConvertible {}
extension Int64: JSONConvertible {}
extension UInt: JSONConvertible {}
extension UInt8: JSONConvertible {}
extension UInt16: JSONConvertible {}
extension UInt32: JSONConvertible {}
extension UInt64: JSONConvertible {}

extension Double: JSONConvertible {
    /// Converts a number or a string with a number to the nearest `Double`.
    public init?(json: JSON) {
        guard let value = json.double ?? json.spelledNumber?.double else { return nil }
        self = value
    }

    /// The shortest number that converts back to the same value; null for infinities and NaN.
    public var json: JSON { .double(self) }

    /// Reads numbers directly.
    public static let valuePlan: ValuePlan<Self> = ValuePlan(.double, optional: .optionalDouble)
}

extension Float: JSONConvertible {
    /// Converts to the nearest `Float` of the nearest `Double`.
    public init?(json: JSON) {
        guard let value = Double(json: json), Float(value).isFinite else { return nil }
        self = Float(value)
    }

    /// The shortest number that converts back to the same value; null for infinities and NaN.
    public var json: JSON { isFinite ? JSON(.number("\(self)")) : .null }
}

extension Decimal: JSONConvertible {
    /// Converts a number or a string with a number exactly, with up to 38 digits.
    public init?(json: JSON) {
        guard let value = json.decimal ?? json.spelledNumber?.decimal else { return nil }
        self = value
    }

    /// The number with all digits; null for NaN.
    public var json: JSON { .decimal(self) }
}

extension Bool: JSONConvertible {
    /// Converts a Boolean, 0 and 1, and the words true, yes, t, y, false, no, f and n.
    public init?(json: JSON) {
        if let value = json.bool {
            self = value
            return
        }
        guard let word = json.string ?? json.int64.map(String.init) else { return nil }
        self.init(word: word)
    }

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
}

extension JSON {
    /// The number in a string, in JSON syntax without spaces; leading zeros and a plus sign are allowed.
    var spelledNumber: JSON? {
        guard let text = string?.utf8 else { return nil }
        let isNegative = text.first == UInt8(ascii: "-")
        var digits = isNegative || text.first == UInt8(ascii: "+") ? text.dropFirst() : text[...]
        while digits.first == UInt8(ascii: "0"), digits.dropFirst().first?.isASCIIDigit == true { digits.removeFirst() }
        guard digits.first?.isASCIIDigit == true else { return nil }
        return JSON.number(spelled: (isNegative ? "-" : "") + String(Substring(digits)))
    }

    /// Returns the number in a text in exact JSON syntax.
    static func number(spelled text: String) -> JSON? {
        guard text.utf8.first?.isJSONBlank == false, text.utf8.last?.isASCIIDigit == true,
            let number = try? JSON(text), number.isNumber
        else { return nil }
        return number
    }
}

/// Reads integers of any width.
private final class IntegerBox<Value: FixedWidthInteger>: TypedBox<Value> {
    override var expectation: String { "an integer from \(Value.min) to \(Value.max)" }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        guard let (token, end) = reader.scalar(place) else { return .broken }
        switch token.integer(Value.self) {
        case .success(let value):
            memory.initialize(as: Value.self, to: value)
            return .made(end)
        case .failure(let failure):
            reader.note(failure, at: place, entry.pointee.rule, expectation)
            return .skipped(end)
        }
    }
}
