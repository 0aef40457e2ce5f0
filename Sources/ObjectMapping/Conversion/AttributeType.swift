/// A named type of an attribute, for mappings without Swift types, such as those in a seed's manifest.
///
/// Written `"integer"`, or `"[integer]"` for a list.
public struct AttributeType: Sendable, Hashable, CustomStringConvertible {
    /// The types of single values.
    public enum Scalar: String, Sendable, CaseIterable {
        /// A text.
        case string
        /// An integer of 64 bits.
        case integer
        /// A number, as the nearest `Double`.
        case double
        /// True or false.
        case boolean
        /// A date: an ISO 8601 text, or seconds since 1970.
        case date
        /// A number with up to 38 exact digits.
        case decimal
        /// A UUID (RFC 9562).
        case uuid
        /// A URL or a relative reference (RFC 3986).
        case url
        /// Bytes, in base64 (RFC 4648).
        case data
        /// Any value, stored as JSON.
        case json
    }

    /// The type of the value, or of each element of a list.
    public var scalar: Scalar
    /// Whether the value is a list.
    public var isList: Bool

    /// Creates the type of a single value, or of a list.
    public init(_ scalar: Scalar, isList: Bool = false) {
        self.scalar = scalar
        self.isList = isList
    }

    /// Creates a type from a name such as `"date"` or `"[string]"`; `nil` for an unknown name.
    public init?(_ name: String) {
        let isList = name.hasPrefix("[") && name.hasSuffix("]")
        guard let scalar = Scalar(rawValue: isList ? String(name.dropFirst().dropLast()) : name) else { return nil }
        self.init(scalar, isList: isList)
    }

    /// The name, as accepted by `init(_:)`.
    public var description: String { isList ? "[\(scalar.rawValue)]" : scalar.rawValue }

    /// All names that `init(_:)` accepts.
    package static var names: [String] {
        Scalar.allCases.map(\.rawValue) + Scalar.allCases.map { "[\($0.rawValue)]" }
    }
}

extension AttributeType.Scalar {
    /// Creates the named type of a Swift type; `nil` if it has no name.
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

/// A scalar in the text, by kind.
enum ScalarToken {
    case null
    case bool(Bool)
    case number(Bytes, Int)
    /// A string without escapes.
    case string(Bytes, Int)
    case object
    case array

    /// The digits of a number without its sign, or of a number in a string, which can have leading zeros and a plus
    /// sign.
    private var unsigned: (start: Bytes, count: Int, isNegative: Bool)? {
        let (text, count): (Bytes, Int)
        switch self {
        case .number(let start, let size), .string(let start, let size): (text, count) = (start, size)
        default: return nil
        }
        let isNegative = text.pointee == UInt8(ascii: "-")
        var start = isNegative || isString && text.pointee == UInt8(ascii: "+") ? text + 1 : text
        while isString, start.pointee == UInt8(ascii: "0"), start[1].isASCIIDigit { start += 1 }
        // A string is not followed by a digit, so the scan ends with the text or the text is not a number.
        guard count > 0, start.pointee.isASCIIDigit, let end = skipNumber(start), end - text == count else {
            return nil
        }
        return (start, end - start, isNegative)
    }

    /// The reason why a value was not converted.
    enum Failure: Error {
        case kind
        /// A string, but not one in the expected format.
        case misspelt(Noun)
        case fraction, outOfRange

        /// The expected content of a string.
        enum Noun: String { case number, boolean, date, UUID, URL, base64 }
    }

    /// Converts to an integer; accepts strings with integers, `1.0` and `1e3`.
    func integer<Value: FixedWidthInteger>(_: Value.Type) -> Result<Value, Failure> {
        guard let (start, count, isNegative) = unsigned else { return .failure(isString ? .misspelt(.number) : .kind) }
        var plain: Int64 = 0
        if scanInteger(start, &plain) == start + count {
            return Value(exactly: isNegative ? -plain : plain).map { .success($0) } ?? .failure(.outOfRange)
        }
        let number = NumberText((isNegative ? "-" : "") + makeString(start, count))
        if number.exponent < 0 { return .failure(.fraction) }
        return number.integer().map { .success($0) } ?? .failure(.outOfRange)
    }

    /// Converts to the nearest `Double`; accepts strings with numbers.
    func double(_ powers: PowersOfFive) -> Result<Double, Failure> {
        guard let (start, count, isNegative) = unsigned else { return .failure(isString ? .misspelt(.number) : .kind) }
        var value = 0.0
        // A number in a string is followed by the quote, so the scan ends there.
        guard let end = scanDouble(start, &value, powers), end - start == count else { return .failure(.outOfRange) }
        return .success(isNegative ? -value : value)
    }

    /// Converts to a Boolean; accepts 0 and 1, and the words that RestKit accepted.
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

    /// Converts to a string; numbers and Booleans keep their spelling.
    var string: Result<String, Failure> {
        switch self {
        case .string(let start, let count), .number(let start, let count): .success(makeString(start, count))
        case .bool(let value): .success(value ? "true" : "false")
        default: .failure(.kind)
        }
    }

    /// Converts to a date: an ISO 8601 text, or seconds since 1970 as a number.
    ///
    /// A number in a string can also be a year or a date in another format, so it is not converted.
    func date(_ powers: PowersOfFive) -> Result<(whole: Int64, milliseconds: Int, fraction: Double), Failure> {
        if case .string(let start, let count) = self {
            return ISODate.seconds(start, count).map { .success($0) } ?? .failure(.misspelt(.date))
        }
        switch double(powers) {
        case .success(let seconds):
            guard abs(seconds) < ISODate.latest else { return .failure(.outOfRange) }
            let whole = seconds.rounded(.down)
            let fraction = seconds - whole
            // The rest to a whole second can be smaller than a `Double` can represent.
            guard fraction < 1 else { return .success((Int64(whole) + 1, 0, 0)) }
            // The nearest `Double` can be slightly below the written milliseconds.
            return .success((Int64(whole), min(999, Int((fraction + seconds.ulp) * 1000)), fraction))
        case .failure(let failure): return .failure(failure)
        }
    }

    /// Converts to a decimal number; accepts strings with numbers.
    var decimal: Result<Decimal, Failure> {
        guard unsigned != nil else { return .failure(isString ? .misspelt(.number) : .kind) }
        return string.flatMap { text in NumberText(text).decimal.map { .success($0) } ?? .failure(.outOfRange) }
    }

    var uuid: Result<UUID, Failure> { parsed(.UUID, UUID.init(validating:)) }
    var url: Result<URL, Failure> { parsed(.URL) { URL(string: $0) } }
    var data: Result<Data, Failure> { parsed(.base64, Data.init(validating:)) }

    private func parsed<Value>(_ noun: Failure.Noun, _ parse: (String) -> Value?) -> Result<Value, Failure> {
        guard case .string(let start, let count) = self else { return .failure(.kind) }
        return parse(makeString(start, count)).map { .success($0) } ?? .failure(.misspelt(noun))
    }

    private var isString: Bool {
        if case .string = self { true } else { false }
    }
}
