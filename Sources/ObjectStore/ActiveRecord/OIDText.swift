import ObjectMapping

/// The identifier of a managed object as text: the value of its identity, or a JSON array of several.
enum OIDText {
    static func text(of values: [StoredValue]) -> String {
        values.count == 1 ? text(of: values[0]) : JSON.array(values.map { .string(text(of: $0)) }).text
    }

    private static func text(of value: StoredValue) -> String {
        switch value {
        case .null: ""
        case .integer(let number): String(number)
        case .text(let text): text
        case .real, .blob: value.description
        }
    }

    /// Returns the values of an identity.
    ///
    /// - Throws: `StoreError` of kind `invalidValue` for another text.
    static func values(of oid: String, _ entity: StoredEntity) throws(StoreError) -> [StoredValue] {
        let attributes = entity.identity.map { entity.type.attributes[$0] }
        let parts = attributes.count == 1 ? [oid] : (try? JSON(oid))?.array?.compactMap(\.string) ?? []
        let values = zip(attributes, parts).compactMap { value(of: $1, $0) }
        guard parts.count == attributes.count, values.count == attributes.count else {
            let types = attributes.map { "\($0.name): \($0.typeName)" }.joined(separator: ", ")
            throw invalid(
                oid, entity,
                attributes.count == 1 ? "a text of the identity (\(types))" : "a JSON array of texts for (\(types))")
        }
        return values
    }

    private static func value(of text: String, _ attribute: ManagedAttribute) -> StoredValue? {
        guard !text.isEmpty else { return nil }
        switch attribute.type.scalar {
        case .integer:
            // Only the text that `oid` returns.
            return Int64(text).flatMap { String($0) == text ? .integer($0) : nil }.flatMap(attribute.canonical)
        case .string: return .text(text)
        default: return attribute.canonical(.text(text)).flatMap { $0.text == text ? $0 : nil }
        }
    }

    static func invalid(_ oid: String, _ entity: StoredEntity, _ expected: String) -> StoreError {
        StoreError(
            .invalidValue,
            "expected \(expected) as oid of '\(entity.name)', found '\(printable(String(oid.prefix(64))))'",
            entity: entity.name)
    }
}
