/// A value that a `Match` compares with: a literal of a string, a number, a boolean or nil, which is null.
///
/// Values are compared as JSON compares: numbers by value, and `1` is neither `true` nor `"1"`.
public struct MatchValue: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// The value.
    public let json: JSON

    /// The JSON of a value, as `MatchValue(Kind.circle)`.
    public init(_ value: some JSONConvertible) { json = value.json }

    /// A string.
    public init(stringLiteral text: String) { json = .string(text) }

    /// An integer.
    public init(integerLiteral value: Int64) { json = .integer(value) }

    /// A number.
    public init(floatLiteral value: Double) { json = .double(value) }

    /// A boolean.
    public init(booleanLiteral value: Bool) { json = .bool(value) }

    /// Null, which is not the same as no value.
    public init(nilLiteral: ()) { json = .null }

    /// The value as messages show it.
    var name: String { json.string.map { "'\($0)'" } ?? json.text }
}
