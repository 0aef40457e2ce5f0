public import ObjectMapping

/// A type of attributes in managed objects.
///
/// `Bool`, `String`, `Double`, `Float`, integers, `Date`, `Decimal`, `UUID`, `URL`, `Data` and `JSON`, lists of them, and
/// optionals conform. Enumerations with raw values and `Codable` types need no conformance.
public protocol AttributeValue {
    /// The type of the attribute, which determines the type of its column.
    static var attributeType: AttributeType { get }

    /// Creates a value from a column; `nil` if the column contains something else.
    init?(storedValue: StoredValue)

    /// The stored form of the value.
    var storedValue: StoredValue { get }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
    /// The type of the wrapped value.
    public static var attributeType: AttributeType { Wrapped.attributeType }

    /// Creates `nil` from null, or wraps the value.
    public init?(storedValue: StoredValue) {
        if storedValue.isNull {
            self = .none
        } else {
            guard let value = Wrapped(storedValue: storedValue) else { return nil }
            self = .some(value)
        }
    }

    /// The stored form of the wrapped value, or null.
    public var storedValue: StoredValue { self?.storedValue ?? .null }
}

extension FixedWidthInteger {
    /// An integer.
    public static var attributeType: AttributeType { AttributeType(.integer) }

    /// Creates an integer; `nil` if it is out of range.
    public init?(storedValue: StoredValue) {
        guard case .integer(let value) = storedValue else { return nil }
        self.init(exactly: value)
    }

    /// The integer.
    ///
    /// Values above `Int64.max` cannot be stored: saving reports them.
    public var storedValue: StoredValue { Int64(exactly: self).map { .integer($0) } ?? .text(String(self)) }
}

extension Int: AttributeValue {}
extension Int8: AttributeValue {}
extension Int16: AttributeValue {}
extension Int32: AttributeValue {}
extension Int64: AttributeValue {}
extension UInt: AttributeValue {}
extension UInt8: AttributeValue {}
extension UInt16: AttributeValue {}
extension UInt32: AttributeValue {}
extension UInt64: AttributeValue {}

extension Bool: AttributeValue {
    /// A Boolean.
    public static var attributeType: AttributeType { AttributeType(.boolean) }

    /// Creates a Boolean from 0 or 1.
    public init?(storedValue: StoredValue) {
        guard case .integer(let value) = storedValue else { return nil }
        self = value != 0
    }

    /// 0 or 1.
    public var storedValue: StoredValue { .integer(self ? 1 : 0) }
}

extension BinaryFloatingPoint {
    /// A floating-point number.
    public static var attributeType: AttributeType { AttributeType(.double) }

    /// Creates the nearest number.
    public init?(storedValue: StoredValue) {
        guard let value = storedValue.double else { return nil }
        self.init(value)
    }

    /// The number.
    ///
    /// NaN cannot be stored: saving reports it.
    public var storedValue: StoredValue { .real(Double(self)) }
}

extension Double: AttributeValue {}
extension Float: AttributeValue {}

extension String: AttributeValue {
    /// The storage type, a string.
    public static var attributeType: AttributeType { AttributeType(.string) }

    /// Creates a string from a text.
    public init?(storedValue: StoredValue) {
        guard case .text(let text) = storedValue else { return nil }
        self = text
    }

    /// The text.
    public var storedValue: StoredValue { .text(self) }
}

extension Data: AttributeValue {
    /// Bytes.
    public static var attributeType: AttributeType { AttributeType(.data) }

    /// Creates data from a blob.
    public init?(storedValue: StoredValue) {
        guard case .blob(let bytes) = storedValue else { return nil }
        self.init(bytes)
    }

    /// The blob.
    public var storedValue: StoredValue { .blob(Array(self)) }
}
