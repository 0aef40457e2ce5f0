// No literals of nil and of strings: `flag ? json : nil` would mean null, and `JSON("[1]")` a string that looks like JSON.
extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Null.
    public static let null = JSON(.null)

    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A number; null if it is too large for a `Double`.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// An object with its members in this order.
    public init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(JSONObject(members.map { (key: $0.0, value: $0.1) }))
    }

    /// A boolean.
    public static func bool(_ value: Bool) -> JSON { JSON(.bool(value)) }

    /// An integer of any size.
    public static func integer(_ value: some BinaryInteger) -> JSON {
        JSON(Int64(exactly: value).map(Storage.integer) ?? .number(String(value)))
    }

    /// A number as short as it can be and still be read back exactly; null for infinities and NaN, which JSON lacks.
    public static func double(_ value: Double) -> JSON { value.isFinite ? JSON(.number("\(value)")) : .null }

    /// A number with all digits of a decimal; null for NaN, which JSON lacks.
    public static func decimal(_ value: Decimal) -> JSON { value.isNaN ? .null : JSON(.number("\(value)")) }

    /// A string.
    public static func string(_ text: String) -> JSON { JSON(.string(text)) }

    /// An array; absent elements become null.
    public static func array(_ elements: some Sequence<JSON>) -> JSON {
        JSON(.array(JSONTree(elements.map { $0.exists ? $0 : .null })))
    }

    /// An object; absent members are left out.
    public static func object(_ members: JSONObject) -> JSON { members.withoutAbsent }
}
