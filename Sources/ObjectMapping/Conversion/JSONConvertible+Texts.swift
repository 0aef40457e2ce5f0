extension String: JSONConvertible, ScalarValue {
    /// Converts a string; numbers and Booleans keep their spelling.
    public init?(json: JSON) { self.init(scalar: json) }

    /// The string.
    public var json: JSON { .string(self) }

    /// Reads strings directly.
    public static let valuePlan: ValuePlan<Self> = ValuePlan(.string, optional: .optionalString)

    static func value(of token: ScalarToken) -> Result<Self, ScalarToken.Failure> { token.string }
}

extension Date: JSONConvertible, ScalarValue {
    /// Converts an ISO 8601 text (UTC without an offset), or seconds since 1970 as a number.
    ///
    /// A string with a number is not a date: it can be a year. `.using(.date(.secondsSince1970))` reads it as seconds.
    public init?(json: JSON) { self.init(scalar: json) }

    /// ISO 8601 in UTC with milliseconds, such as `2026-11-21T07:23:00.000Z`; seconds since 1970 outside the years 0 to
    /// 9999.
    public var json: JSON {
        var buffer = ByteBuffer(capacity: 24)
        guard ISODate.append(self, to: &buffer) else { return .double(timeIntervalSince1970) }
        return .string(makeString(buffer.text, buffer.count))
    }

    /// Reads dates directly.
    public static let valuePlan: ValuePlan<Self> = ValuePlan(.date, optional: .optionalDate)

    static func value(of token: ScalarToken) -> Result<Self, ScalarToken.Failure> {
        token.date(.shared).map { Date(timeIntervalSince1970: Double($0.whole) + $0.fraction) }
    }
}

extension UUID: JSONConvertible, ScalarValue {
    /// Converts a UUID in the format of RFC 9562, ignoring case.
    public init?(json: JSON) { self.init(scalar: json) }

    /// The text in lowercase.
    public var json: JSON { .string(uuidString.lowercased()) }

    /// Reads the text directly.
    public static var valuePlan: ValuePlan<Self> { ValuePlan(ScalarBox(value)) }

    static func value(of token: ScalarToken) -> Result<Self, ScalarToken.Failure> { token.uuid }
}

extension UUID {
    /// Converts the text format of RFC 9562; Foundation also accepts a space or a hyphen instead of a digit.
    init?(validating text: String) {
        let hyphens = [8, 13, 18, 23]
        let isValid = text.utf8.enumerated().allSatisfy { index, byte in
            hyphens.contains(index) ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
        }
        guard isValid else { return nil }
        self.init(uuidString: text)
    }
}

extension Data {
    /// Converts base64 (RFC 4648 §4); Foundation also accepts too much padding, and characters after it.
    init?(validating text: String) {
        let padding = text.utf8.drop { $0 != UInt8(ascii: "=") }
        guard text.utf8.count.isMultiple(of: 4), padding.count < 3, padding.allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        self.init(base64Encoded: text)
    }
}

extension URL: JSONConvertible, ScalarValue {
    /// Converts a URL or a relative reference (RFC 3986).
    public init?(json: JSON) { self.init(scalar: json) }

    /// The text.
    public var json: JSON { .string(relativeString) }

    /// Reads the text directly.
    public static var valuePlan: ValuePlan<Self> { ValuePlan(ScalarBox(value)) }

    static func value(of token: ScalarToken) -> Result<Self, ScalarToken.Failure> { token.url }
}

extension Data: JSONConvertible, ScalarValue {
    /// Converts base64 (RFC 4648).
    public init?(json: JSON) { self.init(scalar: json) }

    /// Base64.
    public var json: JSON { .string(base64EncodedString()) }

    /// Reads the text directly.
    public static var valuePlan: ValuePlan<Self> { ValuePlan(ScalarBox(value)) }

    static func value(of token: ScalarToken) -> Result<Self, ScalarToken.Failure> { token.data }
}

extension JSON: JSONConvertible {
    /// The value itself.
    public init?(json: JSON) { self = json }

    /// The value itself.
    public var json: JSON { self }
}

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    /// Converts the value; null is `nil`, of a nested optional the inner one.
    public init?(json: JSON) {
        guard !json.isNull || Wrapped.valuePlan.typed.acceptsNull else {
            self = nil as Wrapped?
            return
        }
        guard let value = Wrapped(json: json) else { return nil }
        self = .some(value)
    }

    /// The value, or null for `nil`; a nested optional is absent if the outer one is `nil`.
    public var json: JSON { self?.json ?? (Wrapped.valuePlan.typed.acceptsNull ? .absent : .null) }

    /// Reads like the wrapped type.
    public static var valuePlan: ValuePlan<Self> { plan(Wrapped.valuePlan, each: .element) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    /// Converts every element; a single value is accepted as a list with one element.
    public init?(json: JSON) {
        var elements: [Element] = []
        for value in json.array ?? [json] {
            guard let element = Element(json: value) else { return nil }
            elements.append(element)
        }
        self = elements
    }

    /// The elements.
    public var json: JSON { .array(map(\.json)) }

    /// Reads lists directly.
    public static var valuePlan: ValuePlan<Self> {
        let element = Element.valuePlan
        return ValuePlan(list: element, element.typed.element, each: .element)
    }
}

extension Set: JSONConvertible where Element: JSONConvertible {
    /// Converts every element; duplicates count once.
    public init?(json: JSON) {
        guard let elements = [Element](json: json) else { return nil }
        self = Set(elements)
    }

    /// The elements in any order.
    public var json: JSON { .array(map(\.json)) }

    /// Reads lists directly.
    public static var valuePlan: ValuePlan<Self> {
        let element = Element.valuePlan
        return ValuePlan(set: element, element.typed.element, each: .element)
    }
}

extension Dictionary: JSONConvertible where Key: CodingKeyRepresentable, Value: JSONConvertible {
    /// Converts every value; keys are strings, integers or `CodingKeyRepresentable` enums with such raw values.
    public init?(json: JSON) {
        guard let object = json.object else { return nil }
        self.init(minimumCapacity: object.count)
        for member in object {
            guard let key = Key(memberKey: member.key), let value = Value(json: member.value) else { return nil }
            self[key] = value
        }
    }

    /// An object with its members sorted by key.
    public var json: JSON { .members(self, \.json) }

    /// Reads objects directly.
    public static var valuePlan: ValuePlan<Self> { plan(Value.valuePlan, each: .element) }
}
