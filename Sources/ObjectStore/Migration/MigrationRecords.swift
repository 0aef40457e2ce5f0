import ObjectMapping

/// The statements that change what the file stores about its objects: unresolved connections, marks of what a server has
/// not accepted, and the last row numbers.
struct MigrationRecords {
    private let difference: ModelDifference
    private let tables: Set<String>
    private static let pending = "_mappingkit_pending"
    private static let unsent = "_mappingkit_unsent"

    init(_ difference: ModelDifference, in schema: FileSchema) {
        self.difference = difference
        tables = schema.tables
    }

    // MARK: Names

    /// New names.
    var renames: [MigrationStatement] {
        var statements: [MigrationStatement] = []
        for (old, new) in zip(difference.stored.entities, difference.renamed.entities) {
            let names = zip(old.relationships.map(\.name), new.relationships.map(\.name)).map { ($0, $1) }
            statements += Self.renames(names, of: "relationship", in: Self.pending, entity: old.name)
            if tables.contains(Self.unsent) {
                let names = zip(old.attributes.map(\.name), new.attributes.map(\.name)).map { ($0, $1) } + names
                statements += Self.renames(names, of: "property", in: Self.unsent, entity: old.name)
            }
        }
        let entities = zip(difference.stored.entities, difference.renamed.entities).map { ($0.name, $1.name) }
        for table in [Self.pending, Self.unsent] where tables.contains(table) {
            statements += Self.renames(entities, of: "entity", in: table, entity: nil)
        }
        let keys = entities.map { (RowMarks.key(of: $0.0), RowMarks.key(of: $0.1)) }
        return statements + Self.renames(keys, of: "key", in: "_mappingkit", entity: nil)
    }

    /// Returns statements that replace names in a column: one for all, or two if a new name is an old one as well.
    private static func renames(
        _ names: [(old: String, new: String)], of column: String, in table: String, entity: String?
    ) -> [MigrationStatement] {
        let changed = names.filter { $0.old != $0.new }
        guard !changed.isEmpty else { return [] }
        let used = Set(names.map(\.old))
        let temporary = changed.contains { used.contains($0.new) } ? "_mappingkit " : ""
        let (quoted, name) = (Schema.quoted(table), Schema.quoted(column))
        let condition = entity.map { " AND \"entity\" = \(literal($0))" } ?? ""
        let cases = changed.map { " WHEN \(literal($0.old)) THEN \(literal(temporary + $0.new))" }.joined()
        let list = changed.map { literal($0.old) }.joined(separator: ", ")
        let statement = MigrationStatement(
            "UPDATE \(quoted) SET \(name) = CASE \(name)\(cases) END WHERE \(name) IN (\(list))\(condition)")
        guard !temporary.isEmpty else { return [statement] }
        let length = temporary.utf8.count
        return [
            statement,
            MigrationStatement(
                "UPDATE \(quoted) SET \(name) = substr(\(name), \(length + 1)) "
                    + "WHERE substr(\(name), 1, \(length)) = \(literal(temporary))\(condition)"),
        ]
    }

    // MARK: Values

    /// Removed properties, and values of other types.
    var changes: [MigrationStatement] {
        var statements: [MigrationStatement] = []
        let (renamed, target) = (difference.renamed, difference.target)
        for old in renamed.entities {
            guard let new = target.entity(named: old.name) else {
                statements += removals(of: old.name)
                continue
            }
            for relationship in old.relationships {
                let kept = new.relationship(named: relationship.name)
                if kept?.destination != relationship.destination {
                    statements += removals(of: old.name, relationship.name)
                }
                if kept?.isToMany == true, !relationship.isToMany {
                    statements += unsentRemoval(of: old.name, relationship.name)
                }
            }
            for attribute in old.attributes {
                guard let kept = new.attribute(named: attribute.name) else {
                    statements += unsentRemoval(of: old.name, attribute.name)
                    continue
                }
                guard kept.type != attribute.type else { continue }
                let widening = TypeWidening(from: attribute.type, to: kept.type)
                guard tables.contains(Self.unsent), widening?.isIdentity != true else { continue }
                // A value before a conversion by hand is unknown.
                let value = widening?.expression(#""previous""#) ?? "NULL"
                statements.append(
                    MigrationStatement(
                        "UPDATE \"\(Self.unsent)\" SET \"previous\" = \(value) WHERE \"entity\" = ? AND \"property\" = ?",
                        [.text(old.name), .text(attribute.name)]))
            }
        }
        return statements + keyChanges
    }

    private func removals(of entity: String, _ relationship: String? = nil) -> [MigrationStatement] {
        let arguments = ([entity] + (relationship.map { [$0] } ?? [])).map { StoredValue.text($0) }
        let condition = relationship == nil ? "" : " AND \"relationship\" = ?"
        var statements = [
            MigrationStatement("DELETE FROM \"\(Self.pending)\" WHERE \"entity\" = ?\(condition)", arguments)
        ]
        statements += unsentRemoval(of: entity, relationship)
        if relationship == nil {
            statements.append(
                MigrationStatement(#"DELETE FROM "_mappingkit" WHERE "key" = ?"#, [.text(RowMarks.key(of: entity))]))
        }
        return statements
    }

    private func unsentRemoval(of entity: String, _ property: String? = nil) -> [MigrationStatement] {
        guard tables.contains(Self.unsent) else { return [] }
        let arguments = ([entity] + (property.map { [$0] } ?? [])).map { StoredValue.text($0) }
        let condition = property == nil ? "" : " AND \"property\" = ?"
        return [MigrationStatement("DELETE FROM \"\(Self.unsent)\" WHERE \"entity\" = ?\(condition)", arguments)]
    }

    // MARK: Keys

    /// The keys of unresolved connections, which have the names or types of attributes of the destination.
    private var keyChanges: [MigrationStatement] {
        var statements: [MigrationStatement] = []
        for entity in difference.renamed.entities {
            for relationship in entity.relationships {
                guard let position = difference.renamed.index(of: relationship.destination),
                    let target = difference.target.entity(named: relationship.destination)
                else { continue }
                let (stored, old) = (difference.stored.entities[position], difference.renamed.entities[position])
                let place: [StoredValue] = [.text(entity.name), .text(relationship.name)]
                if old.identity != target.identity {
                    statements.append(
                        MigrationStatement(
                            "DELETE FROM \"\(Self.pending)\" WHERE \"entity\" = ? AND \"relationship\" = ? "
                                + "AND \"key\" LIKE '[%'", place))
                } else {
                    let values = old.identity.enumerated().map { index, name in
                        value("json_extract(\"key\", '$[\(index)]')", name, old, target)
                    }
                    if values.contains(where: \.isChanged) {
                        statements.append(
                            update(
                                "json_array(\(values.map(\.sql).joined(separator: ", ")))", place, "\"key\" LIKE '[%'"))
                    }
                }
                for (before, names) in zip(stored.uniqueSets, old.uniqueSets) {
                    statements += keyUpdate(from: before, to: names, place, old, target)
                }
            }
        }
        return statements
    }

    /// Returns the statement for keys with the names of unique attributes, which are in alphabetical order.
    private func keyUpdate(
        from before: [String], to names: [String], _ place: [StoredValue], _ old: EntityDescription,
        _ target: EntityDescription
    ) -> [MigrationStatement] {
        let members = zip(before, names).map { before, name in
            (
                path: Self.literal("$.\"\(before)\""), name: name,
                value: value("json_extract(\"key\", \(Self.literal("$.\"\(before)\"")))", name, old, target)
            )
        }
        guard before != names || members.contains(where: \.value.isChanged) else { return [] }
        let sorted = members.sorted { $0.name < $1.name }
        let object = sorted.map { "\(Self.literal($0.name)), \($0.value.sql)" }.joined(separator: ", ")
        let condition = members.map { "json_type(\"key\", \($0.path)) IS NOT NULL" }.joined(separator: " AND ")
        return [update("json_object(\(object))", place, "\"key\" LIKE '{%' AND \(condition)")]
    }

    private func update(_ key: String, _ place: [StoredValue], _ condition: String) -> MigrationStatement {
        MigrationStatement(
            "UPDATE \"\(Self.pending)\" SET \"key\" = \(key) WHERE \"entity\" = ? AND \"relationship\" = ? "
                + "AND \(condition)", place)
    }

    /// Returns the expression of a key's value in the type of the target.
    private func value(
        _ expression: String, _ name: String, _ old: EntityDescription, _ target: EntityDescription
    ) -> (sql: String, isChanged: Bool) {
        guard let before = old.attribute(named: name)?.type, let type = target.attribute(named: name)?.type,
            before != type, let widening = TypeWidening(from: before, to: type), !widening.isIdentity
        else { return (expression, false) }
        return (widening.expression(expression), true)
    }

    private static func literal(_ name: String) -> String { StoredValue.text(name).description }
}

extension SaveJournal {
    /// Changes names in the changes of interrupted saves; what was removed is left out.
    static func migrate(by difference: ModelDifference, in database: SQLiteDatabase) throws(StoreError) {
        let rows = try database.prepare(
            #"SELECT "key", "entity", "values", "targets" FROM \#(table)"#
        ).rows([])
        for row in rows {
            guard let name = row[1].text, let position = difference.stored.index(of: name) else { continue }
            let new = difference.renamed.entities[position].name
            guard let target = difference.target.entity(named: new) else {
                try database.run(#"DELETE FROM \#(table) WHERE "key" = ?"#, [row[0]])
                continue
            }
            let names = Set(target.columns)
            func renamed(_ value: StoredValue) -> StoredValue {
                guard let object = value.text.flatMap({ try? JSON($0) })?.object else { return value }
                let members = object.map { (key: difference.renames.property($0.key, of: name), value: $0.value) }
                return .text(JSON.object(JSONObject(members.filter { names.contains($0.key) })).text)
            }
            try database.run(
                #"UPDATE \#(table) SET "entity" = ?, "values" = ?, "targets" = ? WHERE "key" = ?"#,
                [.text(new), renamed(row[2]), renamed(row[3]), row[0]])
        }
    }
}
