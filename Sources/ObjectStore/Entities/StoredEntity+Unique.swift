import ObjectMapping

/// Attributes other than the identity whose values are unique: alone, or together with others.
extension StoredEntity {
    /// The statement that finds the row with the values of unique attributes; without attributes, of the identity.
    func lookup(matching names: [String]) -> String {
        names.isEmpty ? statements.lookup : EntityStatements.lookup(in: table, by: names.map(Schema.quoted))
    }

    /// The statement that reads the objects with the values of unique attributes; without attributes, of identities.
    func findingAll(matching names: [String]) -> String {
        names.isEmpty
            ? statements.findingAll
            : EntityStatements.findingAll(statements.selection, in: table, by: names.map(Schema.quoted))
    }

    /// The expression of a key in the table of unresolved connections: the values as an array for the identity, and as an
    /// object with their names, in alphabetical order, for other attributes.
    ///
    /// - Parameters:
    ///   - names: The unique attributes; empty for the identity.
    ///   - values: The expressions of the values.
    static func pendingKey(matching names: [String], _ values: [String]) -> String {
        guard !names.isEmpty else { return "json_array(\(values.joined(separator: ", ")))" }
        let members = zip(names, values).sorted { $0.0 < $1.0 }.map { "'\($0.replacing("'", with: "''"))', \($1)" }
        return "json_object(\(members.joined(separator: ", ")))"
    }

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

extension ManagedClass {
    /// Returns the names of attributes; `nil` if a property is not an attribute.
    func attributeNames(of properties: [AnyKeyPath]) -> [String]? {
        let names = properties.compactMap { property -> String? in
            guard let steps = steps(of: property), steps.count == 1, case .attribute = steps[0].property else {
                return nil
            }
            return steps[0].name
        }
        return names.count == properties.count ? names : nil
    }

    /// Returns the names of unique attributes for the properties of a connection, in the order of the properties; `nil` if
    /// they are not unique.
    func uniqueNames(of properties: [AnyKeyPath]) -> [String]? {
        guard let names = attributeNames(of: properties) else { return nil }
        return description.uniqueSets.contains { Set($0) == Set(names) && $0.count == names.count } ? names : nil
    }
}

extension ManagedObject: UniqueProperties {
    package static func problem(_ properties: [AnyKeyPath]) -> (expected: String, found: String)? {
        guard let type = try? ManagedClass.of(self), type.uniqueNames(of: properties) == nil else { return nil }
        let names = properties.map { name(of: $0) ?? "\($0)" }
        let list = names.joined(separator: ", ")
        return names.count == 1
            ? (
                "a unique attribute of \(self); declare `@Stored(.unique) var \(list)`",
                "\(list), which several objects can have"
            )
            : (
                "unique attributes of \(self); declare `.unique(\(names.map { "\"\($0)\"" }.joined(separator: ", ")))` in "
                    + "`class var indexes`", "\(list), which several objects can have"
            )
    }
}
