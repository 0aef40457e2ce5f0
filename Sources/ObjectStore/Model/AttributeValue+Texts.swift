public import ObjectMapping

/// A type whose values are stored as the text of their JSON form.
public protocol TextAttributeValue: AttributeValue, JSONConvertible {}

extension TextAttributeValue {
    /// Creates a value from its text.
    public init?(storedValue: StoredValue) {
        guard case .text(let text) = storedValue else { return nil }
        self.init(json: .string(text))
    }

    /// The text.
    public var storedValue: StoredValue { json.string.map { .text($0) } ?? .null }
}

extension Date: TextAttributeValue {
    /// A date, stored in ISO 8601 in UTC with milliseconds.
    public static var attributeType: AttributeType { AttributeType(.date) }

    /// The text, truncated to milliseconds; seconds since 1970 outside the years 0 to 9999, which a column of dates
    /// rejects.
    public var storedValue: StoredValue {
        truncatedToMilliseconds.json.string.map { .text($0) } ?? .real(timeIntervalSince1970)
    }
}

extension URL: TextAttributeValue {
    /// A URL.
    public static var attributeType: AttributeType { AttributeType(.url) }
}

extension UUID: TextAttributeValue {
    /// A UUID, stored in lowercase.
    public static var attributeType: AttributeType { AttributeType(.uuid) }

    /// The text in lowercase.
    public var storedValue: StoredValue { .text(uuidString.lowercased()) }
}

extension Decimal: TextAttributeValue {
    /// A decimal number, stored with all its digits.
    public static var attributeType: AttributeType { AttributeType(.decimal) }

    /// The digits; a real number for NaN, which a column of decimals rejects.
    public var storedValue: StoredValue { isNaN ? .real(.nan) : .text("\(self)") }
}

extension JSON: AttributeValue {
    /// Any JSON value.
    public static var attributeType: AttributeType { AttributeType(.json) }

    /// Creates a JSON value from its text.
    public init?(storedValue: StoredValue) {
        guard case .text(let text) = storedValue, let value = try? JSON(text) else { return nil }
        self = value
    }

    /// The text without whitespace.
    public var storedValue: StoredValue { .text(text) }
}

extension Array: AttributeValue where Element: AttributeValue & JSONConvertible {
    /// A list of the type of the elements.
    public static var attributeType: AttributeType { AttributeType(Element.attributeType.scalar, isList: true) }

    /// Creates a list from the text of a JSON array; `nil` if an element has another type.
    public init?(storedValue: StoredValue) {
        guard case .text(let text) = storedValue, let elements = (try? JSON(text))?.array else { return nil }
        self = []
        reserveCapacity(elements.count)
        for element in elements {
            guard let value = Element(json: element) else { return nil }
            append(value)
        }
    }

    /// The text of a JSON array; a real number for a list with NaN or infinity, which a column of lists rejects.
    public var storedValue: StoredValue {
        // Without a JSON value for each element.
        if let texts = self as? [String] { return .text(JSONText.array(texts)) }
        if isEmpty { return .text("[]") }
        // Decimals keep their digits, UUIDs are in lowercase and dates are truncated, as in separate columns.
        let areTexts = Element.self is any TextAttributeValue.Type || Element.self == Date?.self
        var elements: [JSON] = []
        elements.reserveCapacity(count)
        for element in self {
            if areTexts, let text = element.storedValue.text {
                elements.append(.string(text))
                continue
            }
            let json = element.json
            // Without a form in JSON.
            if json.isNull, case .real = element.storedValue { return .real(.nan) }
            elements.append(json)
        }
        return .text(JSON.array(elements).text)
    }
}
