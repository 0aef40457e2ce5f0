import ObjectMapping

/// Attributes other than the identity whose values are unique: alone, or together with others.
extension StoredEntity {
    /// The names of the attributes that are declared unique, in the order of the declarations.
    var uniqueAttributes: [[String]] {
        description.attributes.filter(\.isUnique).map { [$0.name] }
            + description.indexes.filter(\.isUnique).map(\.attributes).filter { names in
                names.allSatisfy { description.attribute(named: $0) != nil }
            }
    }

    /// The condition that finds rows by the values of attributes, or by keys of a JSON array with an alias.
    private func condition(_ names: [String], keys: String?) -> String {
        names.enumerated().map { index, name in
            let value =
                keys.map { names.count == 1 ? "\($0).value" : "json_extract(\($0).value, '$[\(index)]')" } ?? "?"
            return "\(table).\(Schema.quoted(name)) = \(value)"
        }.joined(separator: " AND ")
    }

    /// The statement that finds the row with the values of unique attributes; without attributes, of the identity.
    func lookup(matching names: [String]) -> String {
        names.isEmpty ? statements.lookup : "SELECT \"_id\" FROM \(table) WHERE \(condition(names, keys: nil))"
    }

    /// The statement that reads the objects with the values of unique attributes, like `findingAll`.
    func findingAll(matching names: [String]) -> String {
        // A cross join, so that the values are looked up with their index.
        names.isEmpty
            ? statements.findingAll
            : "SELECT \(statements.selection) FROM json_each(?) AS \"_mappingkit_keys\" CROSS JOIN \(table) "
                + "ON \(condition(names, keys: "\"_mappingkit_keys\""))"
    }

    /// The expression of a key in the table of unresolved connections: the values as an array for the identity, and as an
    /// object with their names for other attributes.
    ///
    /// - Parameters:
    ///   - names: The unique attributes; empty for the identity.
    ///   - values: The expressions of the values.
    static func pendingKey(matching names: [String], _ values: [String]) -> String {
        guard !names.isEmpty else { return "json_array(\(values.joined(separator: ", ")))" }
        let members = zip(names, values).map { "'\($0.replacing("'", with: "''"))', \($1)" }
        return "json_object(\(members.joined(separator: ", ")))"
    }
}

extension ManagedClass {
    /// The names of the attributes that are declared unique, in the order of the declarations.
    var uniqueAttributes: [[String]] {
        attributes.filter { $0.options.contains(.unique) && !$0.isTransient }.map { [$0.name] }
            + type.indexes.filter(\.isUnique).map(\.attributes)
    }

    /// Returns the names of unique attributes for the properties of a connection, in the order of the properties; `nil` if
    /// they are not unique.
    func uniqueNames(of properties: [AnyKeyPath]) -> [String]? {
        let names = properties.compactMap { property -> String? in
            guard let steps = steps(of: property), steps.count == 1, case .attribute = steps[0].property else {
                return nil
            }
            return steps[0].name
        }
        guard names.count == properties.count else { return nil }
        return uniqueAttributes.contains { Set($0) == Set(names) && $0.count == names.count } ? names : nil
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
