/// A type by name: what a value becomes where no Swift type says it, as in a seed's manifest.
///
/// Written `"integer"`, or `"[integer]"` for a list.
public struct AttributeType: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of single values.
    public enum Scalar: String, Sendable, CaseIterable {
        /// A text.
        case string
        /// A whole number of 64 bits.
        case integer
        /// A number with a fraction, as the nearest `Double`.
        case double
        /// True or false.
        case boolean
        /// A moment: an ISO 8601 text, or seconds since 1970.
        case date
        /// A number with all its digits, at most 38.
        case decimal
        /// A UUID (RFC 9562).
        case uuid
        /// A URL or a relative reference (RFC 3986).
        case url
        /// Bytes, in base64 (RFC 4648).
        case data
        /// Any value, kept as JSON.
        case json
    }

    /// The kind of the value, or of each element of a list.
    public var scalar: Scalar
    /// Whether the value is a list.
    public var isList: Bool

    /// The type of a single value, or of a list of such.
    public init(_ scalar: Scalar, isList: Bool = false) {
        self.scalar = scalar
        self.isList = isList
    }

    /// The type with a name such as `"date"` or `"[string]"`; nil for an unknown name.
    public init?(_ name: String) {
        let isList = name.hasPrefix("[") && name.hasSuffix("]")
        guard let scalar = Scalar(rawValue: isList ? String(name.dropFirst().dropLast()) : name) else { return nil }
        self.init(scalar, isList: isList)
    }

    /// The name, as `init(_:)` takes it.
    public var description: String { isList ? "[\(scalar.rawValue)]" : scalar.rawValue }

    /// Every name that `init(_:)` knows.
    package static var names: [String] {
        Scalar.allCases.map(\.rawValue) + Scalar.allCases.map { "[\($0.rawValue)]" }
    }
}

extension AttributeType.Scalar {
    /// What a Swift type is called where types go by names; nil for one without a name.
    init?(_ type: Any.Type) {
        switch type {
        case is any FixedWidthInteger.Type: self = .integer
        case is String.Type: self = .string
        case is Double.Type, is Float.Type: self = .double
        case is Bool.Type: self = .boolean
        case is Date.Type: self = .date
        case is Decimal.Type: self = .decimal
        case is UUID.Type: self = .uuid
        case is URL.Type: self = .url
        case is Data.Type: self = .data
        case is JSON.Type: self = .json
        default: return nil
        }
    }
}

/// A value as it stands in the text, told apart by kind.
enum ScalarToken {
    case null
    case bool(Bool)
    case number(Bytes, Int)
    /// Without escapes.
    case string(Bytes, Int)
    case object
    case array

    /// The kind in words.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .object: "an object"
        case .array: "an array"
        }
    }

    /// A number without its sign, or that of a string, which may have leading zeros and a plus sign.
    private var unsigned: (start: Bytes, count: Int, isNegative: Bool)? {
        let (text, count): (Bytes, Int)
        switch self {
        case .number(let start, let size), .string(let start, let size): (text, count) = (start, size)
        default: return nil
        }
        let isNegative = text.pointee == UInt8(ascii: "-")
        var start = isNegative || isString && text.pointee == UInt8(ascii: "+") ? text + 1 : text
        while isString, start.pointee == UInt8(ascii: "0"), start[1].isASCIIDigit { start += 1 }
        // What follows a string is no digit, so the scan ends with the text or is not what was asked for.
        guard count > 0, start.pointee.isASCIIDigit, let end = skipNumber(start), end - text == count else {
            return nil
        }
        return (start, end - start, isNegative)
    }

    /// Why a value was not converted.
    enum Failure: Error {
        case kind
        /// A string, but not one that spells such a thing.
        case misspelt(Noun)
        case fraction, outOfRange

        /// What a string should have spelt.
        enum Noun: String { case number, boolean, date, UUID, URL, base64 }
    }

    /// An integer; texts that spell one count, `1.0` and `1e3` too.
    func integer<Value: FixedWidthInteger>(_: Value.Type) -> Result<Value, Failure> {
        guard let (start, count, isNegative) = unsigned else { return .failure(isString ? .misspelt(.number) : .kind) }
        var plain = 0
        if scanInteger(start, &plain) == start + count {
            return Value(exactly: isNegative ? -plain : plain).map { .success($0) } ?? .failure(.outOfRange)
        }
        let number = NumberText((isNegative ? "-" : "") + makeString(start, count))
        if number.exponent < 0 { return .failure(.fraction) }
        return number.integer().map { .success($0) } ?? .failure(.outOfRange)
    }

    /// The nearest `Double`; texts that spell a number count.
    func double(_ powers: PowersOfFive) -> Result<Double, Failure> {
        guard let (start, count, isNegative) = unsigned else { return .failure(isString ? .misspelt(.number) : .kind) }
        var value = 0.0
        // A text's number is followed by its quote, so the scan ends there.
        guard let end = scanDouble(start, &value, powers), end - start == count else { return .failure(.outOfRange) }
        return .success(isNegative ? -value : value)
    }

    /// A truth value: 0 and 1 count, and the words that RestKit knew.
    var bool: Result<Bool, Failure> {
        switch self {
        case .bool(let value): return .success(value)
        case .number:
            guard case .success(let value) = integer(Int.self), 0...1 ~= value else { return .failure(.kind) }
            return .success(value == 1)
        case .string(let start, let count):
            return Bool(word: makeString(start, min(count, 8))).map { .success($0) } ?? .failure(.misspelt(.boolean))
        default: return .failure(.kind)
        }
    }

    /// A text; numbers and truth values as they are spelled.
    var string: Result<String, Failure> {
        switch self {
        case .string(let start, let count), .number(let start, let count): .success(makeString(start, count))
        case .bool(let value): .success(value ? "true" : "false")
        default: .failure(.kind)
        }
    }

    /// A moment: an ISO 8601 text, or seconds since 1970 as a number or text.
    func date(_ powers: PowersOfFive) -> Result<(whole: Int, milliseconds: Int, fraction: Double), Failure> {
        if case .string(let start, let count) = self, let date = ISODate.seconds(start, count) { return .success(date) }
        // A string with leading zeros is a date of another format rather than seconds.
        if case .string(let start, let count) = self, skipNumber(start).map({ $0 - start == count }) != true {
            return .failure(.misspelt(.date))
        }
        switch double(powers) {
        case .success(let seconds):
            guard abs(seconds) < ISODate.latest else { return .failure(.outOfRange) }
            let whole = seconds.rounded(.down)
            // The nearest Double may lie just below the milliseconds that were written.
            let milliseconds = min(999, Int((seconds - whole + seconds.ulp) * 1000))
            return .success((Int(whole), milliseconds, seconds - whole))
        case .failure(.misspelt): return .failure(.misspelt(.date))
        case .failure(let failure): return .failure(failure)
        }
    }

    /// A number in plain decimal notation; texts that spell one count.
    var decimalText: Result<(Bytes, Int), Failure> {
        switch self {
        case .number(let start, let count), .string(let start, let count):
            unsigned == nil ? .failure(.misspelt(.number)) : .success((start, count))
        default: .failure(.kind)
        }
    }

    private var isString: Bool {
        if case .string = self { true } else { false }
    }
}
