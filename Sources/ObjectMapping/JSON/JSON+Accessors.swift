extension JSON {
    /// Whether there is a value at all; false for what a subscript did not find.
    public var exists: Bool { if case .absent = storage { false } else { true } }

    /// Whether the value is a null that stands in the text; false when it is absent.
    public var isNull: Bool { if case .null = storage { true } else { false } }

    /// Whether there is a value that is not null.
    var isPresent: Bool { exists && !isNull }

    /// The string; nil if the value is of another kind.
    public var string: String? { if case .string(let text) = content { text } else { nil } }

    /// The boolean; nil if the value is of another kind.
    public var bool: Bool? { if case .bool(let value) = content { value } else { nil } }

    /// The elements; nil if the value is no array.
    public var array: [JSON]? { if case .array(let elements) = content { elements } else { nil } }

    /// The members in order; nil if the value is no object.
    public var object: JSONObject? { if case .object(let object) = content { object } else { nil } }

    /// The number as an `Int`; nil if it is none, has a fraction or does not fit.
    ///
    /// `1.0` and `1e3` are integers.
    public var int: Int? { integer() }

    /// The number as an `Int64`; nil if it is none, has a fraction or does not fit.
    public var int64: Int64? { integer() }

    /// The number as a `UInt64`; nil if it is none, is negative, has a fraction or does not fit.
    public var uint64: UInt64? { integer() }

    /// The number as the nearest `Double`; nil if the value is no number or is too large.
    public var double: Double? {
        switch content {
        case .integer(let value): Double(value)
        case .number(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    /// The number as an exact `Decimal`; nil if the value is no number, or has more than 38 digits, or is out of range.
    public var decimal: Decimal? {
        switch content {
        case .integer(let value): Decimal(value)
        case .number(let text): NumberText(text).decimal
        default: nil
        }
    }

    func integer<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T? {
        switch content {
        case .integer(let value): T(exactly: value)
        case .number(let text): NumberText(text).integer(type)
        default: nil
        }
    }

    /// The kind of the value with its article, for messages: "a string".
    package var kindName: String {
        switch content {
        case .absent: "nothing"
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object, .document: "an object"
        }
    }
}
