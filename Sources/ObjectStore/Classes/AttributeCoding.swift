import ObjectMapping

/// Converts the values of an attribute to and from its column.
protocol AttributeCoding<Value>: SendableMetatype {
    associatedtype Value

    static var type: AttributeType { get }

    /// The name of the type in messages.
    static var typeName: String { get }

    /// Whether the column supports all values.
    static var isTotal: Bool { get }

    /// Returns the value of a column; `nil` if the column contains something else.
    static func decode(_ stored: StoredValue) -> Value?

    /// Returns the stored form of a value; `nil` if it cannot be stored.
    static func encode(_ value: Value) -> StoredValue?
}

extension AttributeCoding {
    static var typeName: String { type.description }
}

/// A type whose values can all be stored, so that validation need not encode them.
protocol TotalAttributeValue {}

extension String: TotalAttributeValue {}
extension Int: TotalAttributeValue {}
extension Bool: TotalAttributeValue {}
extension URL: TotalAttributeValue {}
extension UUID: TotalAttributeValue {}
extension Array: TotalAttributeValue where Element: AttributeValue & JSONConvertible & TotalAttributeValue {}

/// Values of a type that conforms to `AttributeValue`.
enum PlainCoding<Value: AttributeValue>: AttributeCoding {
    static var type: AttributeType { Value.attributeType }
    static var isTotal: Bool { Value.self is any TotalAttributeValue.Type }

    static func decode(_ stored: StoredValue) -> Value? { Value(storedValue: stored) }

    static func encode(_ value: Value) -> StoredValue? {
        let stored = value.storedValue
        switch stored {
        // NaN, dates outside the years 0 to 9999.
        case .real(let number): return number.isNaN || type.scalar != .double ? nil : stored
        // An integer above Int64.max cannot be stored as an integer.
        case .text where type == AttributeType(.integer): return nil
        // A list with an element that could not be read again.
        case .text where type.isList && !isTotal && decode(stored) == nil: return nil
        case .null, .integer, .text, .blob: return stored
        }
    }
}

/// Values with raw values.
enum RawValueCoding<Value: RawRepresentable>: AttributeCoding where Value.RawValue: AttributeValue {
    static var type: AttributeType { Value.RawValue.attributeType }
    static var typeName: String { "\(Value.self)" }
    static var isTotal: Bool { PlainCoding<Value.RawValue>.isTotal }

    static func decode(_ stored: StoredValue) -> Value? {
        PlainCoding<Value.RawValue>.decode(stored).flatMap(Value.init)
    }

    static func encode(_ value: Value) -> StoredValue? { PlainCoding.encode(value.rawValue) }
}

/// Optional values, which are null or values of another coding.
enum OptionalCoding<Wrapped: AttributeCoding>: AttributeCoding {
    static var type: AttributeType { Wrapped.type }
    static var typeName: String { Wrapped.typeName }
    static var isTotal: Bool { Wrapped.isTotal }

    static func decode(_ stored: StoredValue) -> Wrapped.Value?? {
        stored.isNull ? .some(nil) : Wrapped.decode(stored).map { .some($0) }
    }

    static func encode(_ value: Wrapped.Value?) -> StoredValue? { value.map { Wrapped.encode($0) } ?? .null }
}

/// Values that are stored as the JSON that their `Codable` conformance produces.
enum CodableCoding<Value: Codable>: AttributeCoding {
    static var type: AttributeType { AttributeType(.json) }
    static var typeName: String { "\(Value.self)" }
    static var isTotal: Bool { false }

    static func decode(_ stored: StoredValue) -> Value? {
        let text = stored.isNull ? "null" : stored.text ?? ""
        return try? MappingDecoder().decode(Value.self, from: text)
    }

    static func encode(_ value: Value) -> StoredValue? {
        guard let json = try? JSON(encoding: value) else { return nil }
        return json.isNull ? .null : .text((Value.self is any UnorderedValue.Type ? json.sorted : json).text)
    }
}

/// Containers whose order differs from run to run, so that they are stored sorted: equal values have equal texts.
private protocol UnorderedValue {}

extension Dictionary: UnorderedValue {}
extension Set: UnorderedValue {}
extension Optional: UnorderedValue where Wrapped: UnorderedValue {}

extension JSON {
    /// The members of an object sorted by key, as imports write them, or the elements of an array sorted by their text.
    fileprivate var sorted: JSON {
        if let object { return .object(JSONObject(object.sorted { $0.key < $1.key })) }
        guard let array else { return self }
        let elements = array.map { (element: $0, text: $0.text) }
        return .array(elements.sorted { $0.text < $1.text }.map(\.element))
    }
}
