package import ObjectMapping

extension AttributeDescription {
    /// The default in stored form; `nil` if the attribute has no default or the default has another type.
    package var storedDefault: StoredValue? {
        defaultValue.flatMap { StorageForm.value(of: $0, as: type) }
    }
}

/// Converts the JSON of a model (defaults, conditions) to stored values.
///
/// It is stricter than mapping: values must have their stored form.
package enum StorageForm {
    /// Returns the stored form of a value; `nil` if it has another type.
    static func value(of json: JSON, as type: AttributeType) -> StoredValue? {
        if json.isNull { return .null }
        guard type.isList else { return single(json, as: type.scalar) }
        guard let elements = json.array else { return nil }
        var texts: [String] = []
        for element in elements {
            if element.isNull {
                texts.append("null")
            } else if let value = single(element, as: type.scalar) {
                texts.append(value.listElement(of: type.scalar))
            } else {
                return nil
            }
        }
        return .text("[\(texts.joined(separator: ","))]")
    }

    /// Returns the JSON of a stored value; `nil` for null.
    package static func json(of value: StoredValue, as type: AttributeType) -> JSON? {
        switch value {
        case .null: nil
        case .integer(let value): type.scalar == .boolean ? .bool(value != 0) : .integer(value)
        case .real(let value): .double(value)
        case .text(let text): type.isList || type.scalar == .json ? try? JSON(text) : .string(text)
        case .blob(let bytes): .string(Data(bytes).base64EncodedString())
        }
    }

    /// Returns a description of a type's JSON values, for messages.
    static func expectation(of type: AttributeType) -> String {
        guard !type.isList else {
            return "an array in which each element is \(expectation(of: AttributeType(type.scalar)))"
        }
        return switch type.scalar {
        case .string: "a string"
        case .integer: "an integer"
        case .double: "a number"
        case .boolean: "true or false"
        case .date: "a date such as \"2026-11-21T07:23:00.000Z\""
        case .decimal: "a number, or a string with a number"
        case .uuid: "a string such as \"f81d4fae-7dec-11d0-a765-00a0c91e6bf6\""
        case .url: "a string with a URL"
        case .data: "a string of Base64"
        case .json: "any JSON"
        }
    }

    private static func single(_ json: JSON, as scalar: AttributeType.Scalar) -> StoredValue? {
        switch scalar {
        case .string: json.string?.storedValue
        case .integer: json.int64?.storedValue
        case .double: json.double?.storedValue
        case .boolean: json.bool?.storedValue
        case .date: json.string.flatMap { isDate($0) ? $0.storedValue : nil }
        case .decimal: Decimal(json: json)?.storedValue
        case .uuid: UUID(json: json)?.storedValue
        case .url: URL(json: json).flatMap { _ in json.string?.storedValue }
        case .data: Data(json: json)?.storedValue
        case .json: json.storedValue
        }
    }

    /// Whether a text is an existing date in stored form.
    private static func isDate(_ text: String) -> Bool {
        let pattern = "0000-00-00T00:00:00.000Z".utf8
        // A leap second is accepted, but stored as the following second.
        guard text.utf8.count == pattern.count, Date(json: .string(text)) != nil, !text.hasSuffix(":60.000Z")
        else { return false }
        return zip(text.utf8, pattern).allSatisfy { byte, digit in
            digit == UInt8(ascii: "0") ? UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte : byte == digit
        }
    }
}

extension StoredValue {
    /// Returns the value as text in a list.
    fileprivate func listElement(of scalar: AttributeType.Scalar) -> String {
        switch self {
        case .null: "null"
        case .integer(let value): scalar == .boolean ? (value == 0 ? "false" : "true") : String(value)
        case .real(let value): JSON.double(value).text
        case .text(let text): scalar == .json ? text : JSONText.quoted(text)
        case .blob(let bytes): JSONText.quoted(Data(bytes).base64EncodedString())
        }
    }
}
