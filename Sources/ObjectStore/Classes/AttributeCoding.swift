import ObjectMapping

/// How the values of an attribute become what its column holds.
protocol AttributeCoding<Value>: SendableMetatype {
    associatedtype Value

    static var type: AttributeType { get }

    /// Whether a column can hold every value.
    static var isTotal: Bool { get }

    /// Returns the value for what a column holds; nil if it holds something else.
    static func decode(_ stored: StoredValue) -> Value?

    /// Returns what a column holds for a value; nil if it cannot hold the value.
    static func encode(_ value: Value) -> StoredValue?
}

/// A type of which a column can hold every value, so that values need not be encoded to validate them.
protocol TotalAttributeValue {}

extension String: TotalAttributeValue {}
extension Date: TotalAttributeValue {}
extension URL: TotalAttributeValue {}
extension UUID: TotalAttributeValue {}
extension Decimal: TotalAttributeValue {}
extension Array: TotalAttributeValue where Element: AttributeValue & JSONConvertible {}

/// Values of a type that conforms to `AttributeValue`.
enum PlainCoding<Value: AttributeValue>: AttributeCoding {
    static var type: AttributeType { Value.attributeType }
    static var isTotal: Bool { Value.self is any TotalAttributeValue.Type }

    static func decode(_ stored: StoredValue) -> Value? { Value(storedValue: stored) }

    static func encode(_ value: Value) -> StoredValue? {
        let stored = value.storedValue
        if case .real(let number) = stored, number.isNaN { return nil }
        // An integer above Int64.max has no integer form.
        if case .text = stored, type == AttributeType(.integer) { return nil }
        return stored
    }
}

/// Values with raw values.
enum RawValueCoding<Value: RawRepresentable>: AttributeCoding where Value.RawValue: AttributeValue {
    static var type: AttributeType { Value.RawValue.attributeType }
    static var isTotal: Bool { PlainCoding<Value.RawValue>.isTotal }

    static func decode(_ stored: StoredValue) -> Value? {
        PlainCoding<Value.RawValue>.decode(stored).flatMap(Value.init)
    }

    static func encode(_ value: Value) -> StoredValue? { PlainCoding.encode(value.rawValue) }
}

/// Optional values, which are null or values of another coding.
enum OptionalCoding<Wrapped: AttributeCoding>: AttributeCoding {
    static var type: AttributeType { Wrapped.type }
    static var isTotal: Bool { Wrapped.isTotal }

    static func decode(_ stored: StoredValue) -> Wrapped.Value?? {
        stored.isNull ? .some(nil) : Wrapped.decode(stored).map { .some($0) }
    }

    static func encode(_ value: Wrapped.Value?) -> StoredValue? { value.map { Wrapped.encode($0) } ?? .null }
}

/// Values that are stored as the JSON that their `Codable` conformance produces.
enum CodableCoding<Value: Codable>: AttributeCoding {
    static var type: AttributeType { AttributeType(.json) }
    static var isTotal: Bool { false }

    static func decode(_ stored: StoredValue) -> Value? {
        let text = stored.isNull ? "null" : stored.text ?? ""
        return try? MappingDecoder().decode(Value.self, from: text)
    }

    static func encode(_ value: Value) -> StoredValue? {
        guard let json = try? JSON(encoding: value) else { return nil }
        return json.isNull ? .null : .text(json.text)
    }
}
