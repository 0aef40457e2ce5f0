/// A value in the form stored by SQLite.
///
/// Dates, decimals, UUIDs, URLs, lists and JSON are texts; Booleans are the integers 0 and 1.
public enum StoredValue: Sendable, Hashable {
    /// NULL.
    case null
    /// An integer, or a Boolean as 0 or 1.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// A text in UTF-8.
    case text(String)
    /// Bytes.
    case blob([UInt8])

    /// Whether the value is null.
    public var isNull: Bool { self == .null }

    /// The integer; `nil` for other kinds.
    public var integer: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// The number, including converted integers; `nil` for other kinds.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .null, .text, .blob: nil
        }
    }

    /// The text; `nil` for other kinds.
    public var text: String? {
        guard case .text(let value) = self else { return nil }
        return value
    }

    /// The bytes; `nil` for other kinds.
    public var blob: [UInt8]? {
        guard case .blob(let value) = self else { return nil }
        return value
    }
}

extension StoredValue {
    /// Whether SQLite considers both values equal: texts are compared by their bytes, unlike in `String`.
    public static func == (a: StoredValue, b: StoredValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a == b
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.blob(let a), .blob(let b)): a == b
        default: false
        }
    }

    /// Hashes the kind and the value, a text by its bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .text(var text):
            text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            hasher.combine(0xFF as UInt8)
        case .blob(let bytes): hasher.combine(bytes)
        }
    }
}

// No literal for null: `value == nil` would compare with null instead of testing the optional.
extension StoredValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral
{
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// Creates a real number.
    public init(floatLiteral value: Double) { self = .real(value) }

    /// Creates a text.
    public init(stringLiteral value: String) { self = .text(value) }

    /// Creates a Boolean in stored form: 1 or 0.
    public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
}

extension StoredValue: CustomStringConvertible {
    /// The value as an SQL literal; a blob as `x'…'`.
    public var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let value):
            "'\(value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
        case .blob(let bytes): "x'\(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())'"
        }
    }
}
