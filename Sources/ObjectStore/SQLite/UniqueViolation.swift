/// Values that two objects cannot both have.
public struct UniqueViolation: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The entity of the objects.
    public let entity: String
    /// The unique attribute, or all attributes of the identity or of a unique index.
    public let attributes: [String]
    /// The values, in the order of the attributes.
    public let values: [StoredValue]

    /// The entity and the attributes, without the values.
    public var description: String { attributes.map { "\(entity).\($0)" }.joined(separator: ", ") }

    /// The entity and the attributes, without the values.
    public var customMirror: Mirror { Mirror(self, children: ["entity": entity, "attributes": attributes]) }
}

extension StoredEntity {
    /// Returns the error for values that violate a unique index of the entity.
    ///
    /// - Parameters:
    ///   - error: The error of SQLite, which is returned if it has another reason.
    ///   - call: What failed, such as "cannot save the object Person/1".
    ///   - value: Returns the value of a property.
    func uniqueViolation(
        _ error: StoreError, _ call: String, value: (PropertyIndex) throws(StoreError) -> StoredValue?
    ) -> StoreError {
        let found = ([description.identity] + description.uniqueSets).first { names in
            !names.isEmpty && error.message.hasSuffix(": " + names.map { "\(name).\($0)" }.joined(separator: ", "))
        }
        guard error.kind == .constraint, let found else { return error }
        let values = found.map { name in property(named: name).flatMap { try? value($0) } ?? .null }
        let names = found.map { "'\($0)'" }.joined(separator: ", ")
        return StoreError(
            .constraint,
            "\(call): another object of '\(name)' has the same \(found.count == 1 ? "value" : "values") of \(names), which "
                + "must be unique", code: error.code, entity: name,
            violation: UniqueViolation(entity: name, attributes: found, values: values))
    }
}
