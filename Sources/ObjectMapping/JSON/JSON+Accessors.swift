extension JSON {
    /// Whether there is a value; `false` if a subscript did not find one.
    public var exists: Bool { if case .absent = storage { false } else { true } }

    /// Whether the value is null; `false` if it is absent.
    public var isNull: Bool { if case .null = storage { true } else { false } }

    /// Whether there is a value that is not null.
    var isPresent: Bool { exists && !isNull }

    /// The value; `nil` if it is absent.
    var present: JSON? { exists ? self : nil }

    /// The string; `nil` if the value is of another kind.
    ///
    /// - Complexity: O(*n*) for a parsed value, which creates the string at each call.
    public var string: String? {
        switch storage {
        case .string(let text): text
        case .parsed(let tape, let place): tape.tokens.string(place)
        default: nil
        }
    }

    /// The Boolean; `nil` if the value is of another kind.
    public var bool: Bool? { if case .bool(let value) = storage { value } else { nil } }

    /// The elements of an array; `nil` if the value is not an array.
    ///
    /// - Complexity: O(*n*) for a parsed value, which creates the array at each call: store it before a loop, or use
    ///   `json[index]`.
    public var array: [JSON]? {
        if case .array(let tree) = storage { return tree.values }
        guard var children = JSONChildren(self), !children.isObject else { return nil }
        var elements: [JSON] = []
        elements.reserveCapacity(children.count)
        while let element = children.next() { elements.append(element) }
        return elements
    }

    /// The members in order; `nil` if the value is not an object.
    ///
    /// - Complexity: O(1).
    public var object: JSONObject? {
        switch storage {
        case .object: JSONObject(self)
        case .parsed(let tape, let place) where tape.tokens.token(place).kind == .object: JSONObject(self)
        default: nil
        }
    }

    /// The number as an `Int`; `nil` if it is not a number, has a fraction or is out of range.
    ///
    /// `1.0` and `1e3` are integers.
    public var int: Int? { integer() }

    /// The number as an `Int64`; `nil` if it is not a number, has a fraction or is out of range.
    public var int64: Int64? { integer() }

    /// The number as a `UInt64`; `nil` if it is not a number, is negative, has a fraction or is out of range.
    public var uint64: UInt64? { integer() }

    /// The number as the nearest `Double`; `nil` if the value is not a number or is out of range.
    public var double: Double? {
        switch storage {
        case .integer(let value): Double(value)
        case .number(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        case .parsed(let tape, let place): tape.tokens.double(place)
        default: nil
        }
    }

    /// The number as an exact `Decimal`; `nil` if the value is not a number, or no `Decimal` has exactly this
    /// value (38 digits always fit).
    public var decimal: Decimal? {
        if case .integer(let value) = storage { return Decimal(value) }
        return number?.decimal
    }

    func integer<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T? {
        switch storage {
        case .integer(let value): return T(exactly: value)
        case .parsed(let tape, let place): return tape.tokens.integer(place)
        default: return number?.integer(type)
        }
    }

    /// The exact number; `nil` if the value is of another kind.
    var number: NumberText? {
        switch storage {
        case .integer(let value): NumberText(value)
        case .number(let text): NumberText(text)
        case .parsed(let tape, let place) where tape.tokens.token(place).isNumber:
            NumberText(tape.tokens.numberText(place))
        default: nil
        }
    }

    /// Whether the value is a number.
    package var isNumber: Bool { kind == .number }

    /// The kind of the value; `nil` if it is absent.
    var kind: JSONKind? {
        switch storage {
        case .absent: nil
        case .null: .null
        case .bool: .boolean
        case .integer, .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        case .parsed(let tape, let place): tape.tokens.kind(place)
        }
    }

    /// The kind of the value with its article, for messages: "a string".
    package var kindName: String { kind?.name ?? "nothing" }

    /// The tree of an array or object that was created in code.
    var tree: JSONTree? {
        switch storage {
        case .array(let tree), .object(let tree): tree
        default: nil
        }
    }
}

// No literals for `nil` and strings: `flag ? json : nil` would mean null, and `JSON("[1]")` a string that looks like
// JSON.
extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Null.
    public static let null = JSON(.null)

    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// Creates a number from a floating-point literal; null if it exceeds the range of `Double`.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// Creates an array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// Creates an object with its members in this order.
    public init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(JSONObject(members.map { (key: $0.0, value: $0.1) }))
    }

    /// Creates a Boolean.
    public static func bool(_ value: Bool) -> JSON { JSON(.bool(value)) }

    /// Creates an integer of any size.
    public static func integer(_ value: some BinaryInteger) -> JSON {
        JSON(Int64(exactly: value).map(Storage.integer) ?? .number(String(value)))
    }

    /// Creates the shortest number that is read back exactly; null for infinities and NaN, which JSON does not support.
    public static func double(_ value: Double) -> JSON { value.isFinite ? JSON(.number("\(value)")) : .null }

    /// Creates a number with all digits of a decimal; null for NaN, which JSON does not support.
    public static func decimal(_ value: Decimal) -> JSON { value.isNaN ? .null : JSON(.number("\(value)")) }

    /// Creates a string.
    public static func string(_ text: String) -> JSON { JSON(.string(text)) }

    /// Creates an array; absent elements are replaced with null.
    public static func array(_ elements: some Sequence<JSON>) -> JSON {
        JSON(.array(JSONTree(elements.map { $0.exists ? $0 : .null })))
    }

    /// Creates an object; absent members are omitted.
    public static func object(_ members: JSONObject) -> JSON { members.withoutAbsent }
}
