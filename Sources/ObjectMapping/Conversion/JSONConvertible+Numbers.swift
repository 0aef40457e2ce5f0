extension FixedWidthInteger where Self: JSONConvertible & Codable {
    /// An integer; texts that spell one count, and so do `1.0` and `1e3`.
    public init?(json: JSON) {
        guard let value: Self = json.integer() ?? json.spelledNumber?.integer() else { return nil }
        self = value
    }

    /// The number.
    public var json: JSON { .integer(self) }

    /// Reads integers without a detour.
    public static var valuePlan: ValuePlan<Self> { ValuePlan(IntegerBox<Self>()) }
}

extension Int: JSONConvertible {
    /// Reads integers without a detour.
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
    /// The nearest `Double`; texts that spell a number count.
    public init?(json: JSON) {
        guard let value = json.double ?? json.spelledNumber?.double else { return nil }
        self = value
    }

    /// The number, as short as it can be read back; null for infinities and NaN.
    public var json: JSON { .double(self) }

    /// Reads numbers without a detour.
    public static let valuePlan: ValuePlan<Self> = ValuePlan(.double, optional: .optionalDouble)
}

extension Float: JSONConvertible {
    /// The nearest `Float` to the nearest `Double`.
    public init?(json: JSON) {
        guard let value = Double(json: json), Float(value).isFinite else { return nil }
        self = Float(value)
    }

    /// The number, as short as it can be read back; null for infinities and NaN.
    public var json: JSON { isFinite ? JSON(.number("\(self)")) : .null }
}

extension Decimal: JSONConvertible {
    /// The number itself, if 38 digits hold it; texts that spell a number count.
    public init?(json: JSON) {
        guard let value = json.decimal ?? json.spelledNumber?.decimal else { return nil }
        self = value
    }

    /// The number with all its digits; null for NaN.
    public var json: JSON { .decimal(self) }
}

extension Bool: JSONConvertible {
    /// A truth value; 0 and 1 count, and the words true, yes, t, y, false, no, f and n.
    public init?(json: JSON) {
        if let value = json.bool {
            self = value
            return
        }
        guard let word = json.string ?? json.int64.map(String.init) else { return nil }
        self.init(word: word)
    }

    /// The truth value that a word stands for, in either case.
    init?(word: String) {
        switch word.lowercased() {
        case "true", "yes", "t", "y", "1": self = true
        case "false", "no", "f", "n", "0": self = false
        default: return nil
        }
    }

    /// The truth value.
    public var json: JSON { .bool(self) }

    /// Reads truth values without a detour.
    public static let valuePlan: ValuePlan<Self> = ValuePlan(.bool, optional: .optionalBool)
}

extension JSON {
    /// The number that a string spells as JSON does, without blanks; leading zeros and a plus sign are allowed.
    var spelledNumber: JSON? {
        guard let text = string?.utf8 else { return nil }
        let isNegative = text.first == UInt8(ascii: "-")
        var digits = isNegative || text.first == UInt8(ascii: "+") ? text.dropFirst() : text[...]
        while digits.first == UInt8(ascii: "0"), digits.dropFirst().first?.isASCIIDigit == true { digits.removeFirst() }
        guard digits.first?.isASCIIDigit == true else { return nil }
        return JSON.number(spelled: (isNegative ? "-" : "") + String(Substring(digits)))
    }

    /// The number that a text spells exactly as JSON does.
    static func number(spelled text: String) -> JSON? {
        guard text.utf8.first?.isJSONBlank == false, text.utf8.last?.isASCIIDigit == true,
            let number = try? JSON(text), number.isNumber
        else { return nil }
        return number
    }
}

/// Integers of any width.
private final class IntegerBox<Value: FixedWidthInteger>: TypedBox<Value> {
    override var expectation: String { "an integer from \(Value.min) to \(Value.max)" }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        guard let (token, end) = reader.scalar(place) else { return .broken }
        switch token.integer(Value.self) {
        case .success(let value):
            memory.initialize(as: Value.self, to: value)
            return .made(end)
        case .failure(let failure):
            reader.note(failure, token, at: place, entry.pointee.rule, expectation)
            return .skipped(end)
        }
    }
}
