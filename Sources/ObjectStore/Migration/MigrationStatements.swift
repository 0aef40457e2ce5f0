import ObjectMapping

/// The statements that change the tables of a file to another model.
///
/// First everything is added, so that steps can read old values and write new ones; then the rest is removed.
struct MigrationStatements {
    let difference: ModelDifference
    /// The attributes and relationships whose values steps provide, as `Entity.name`.
    let provided: Set<String>
    private let schema: FileSchema
    /// New names, tables, columns and links.
    private(set) var additions: [MigrationStatement] = []
    /// What is removed, and tables that are written again.
    private(set) var removals: [MigrationStatement] = []
    /// The indexes.
    private(set) var indexes: [MigrationStatement] = []
    /// The entities whose tables are written again.
    private(set) var rebuilt: Set<String> = []
    /// The entities with a column whose former values have another name until they are removed.
    private var replaced: Set<String> = []
    /// Statements that count values which cannot be converted, with the reason to refuse them; in the names of the file.
    private(set) var checks: [(sql: String, noun: String, reason: String)] = []

    /// The names, until then, of removed tables whose names new ones take: of entities, and of links.
    private var displaced: (entities: [String: String], links: [String: String]) = ([:], [:])

    /// The prefix of columns and tables that are replaced.
    static let oldPrefix = "_mappingkit_old_"

    var renamed: ObjectModel { difference.renamed }
    var target: ObjectModel { difference.target }

    init(_ difference: ModelDifference, in schema: FileSchema, providing provided: Set<String>) {
        self.difference = difference
        self.schema = schema
        self.provided = provided
        displaceTables()
        var columns: [MigrationStatement] = []
        for entity in target.entities {
            guard let old = renamed.entity(named: entity.name) else {
                columns.append(MigrationStatement(Schema(target).table(of: entity)))
                continue
            }
            columns += additions(to: entity, old)
            removeColumns(of: entity, old)
        }
        additions = renames + columns + addedTables.map { MigrationStatement($0.sql) }
        addLinks()
        for entity in renamed.entities where target.entity(named: entity.name) == nil {
            removals.append(MigrationStatement("DROP TABLE \(Schema.quoted(table(entity.name)))"))
        }
        for table in removedTables {
            removals.append(MigrationStatement("DROP TABLE \(Schema.quoted(self.table(table, isLinks: true)))"))
        }
        let changes = schema.changes(from: difference.stored, to: target, rebuilding: changedTables)
        additions.insert(
            contentsOf: changes.dropped.map { MigrationStatement("DROP INDEX IF EXISTS \(Schema.quoted($0))") }, at: 0)
        indexes = changes.added.map { sql in MigrationStatement(sql, visiting: table(ofIndex: sql)) }
    }

    /// Returns the tables of the file whose indexes are created again: SQLite changes the names in an index with those of its
    /// table and columns, so that it would be taken for the index of another column.
    private var changedTables: Set<String> {
        var tables: Set<String> = []
        for (old, new) in zip(difference.stored.entities, renamed.entities)
        where old.name != new.name || old.columns != new.columns || rebuilt.contains(new.name)
            || replaced.contains(new.name)
        {
            tables.insert(old.name)
        }
        let links = (Schema(difference.stored).joinTables.map(\.name), Schema(renamed).joinTables.map(\.name))
        for (old, new) in zip(links.0, links.1) where old != new { tables.insert(old) }
        return tables
    }

    private func table(ofIndex sql: String) -> String? {
        target.entities.first { sql.contains(" ON \(Schema.quoted($0.name))(") }?.name
    }

    // MARK: Names

    private var renames: [MigrationStatement] {
        let stored = difference.stored
        var tables: [(old: String, new: String)] = []
        for (old, new) in zip(stored.entities, renamed.entities) {
            tables.append((old.name, table(new.name)))
        }
        let links = (Schema(stored).joinTables.map(\.name), Schema(renamed).joinTables.map(\.name))
        tables += zip(links.0, links.1).map { ($0, table($1, isLinks: true)) }
        var statements = Self.renames(tables, temporary: "_mappingkit_table_") { old, new in
            "ALTER TABLE \(Schema.quoted(old)) RENAME TO \(Schema.quoted(new))"
        }
        for (old, new) in zip(stored.entities, renamed.entities) {
            statements += Self.renames(
                Array(zip(old.columns, new.columns)).map { ($0, $1) }, temporary: "_mappingkit_column_"
            ) { "ALTER TABLE \(Schema.quoted(new.name)) RENAME COLUMN \(Schema.quoted($0)) TO \(Schema.quoted($1))" }
        }
        return statements.map { MigrationStatement($0) }
    }

    /// Returns statements that change names, with temporary ones if a new name is used already.
    private static func renames(
        _ names: [(old: String, new: String)], temporary: String, _ statement: (String, String) -> String
    ) -> [String] {
        let used = Set(names.map { $0.old.lowercased() })
        let changed = names.filter { $0.old != $0.new }
        guard changed.contains(where: { used.contains($0.new.lowercased()) }) else {
            return changed.map { statement($0.old, $0.new) }
        }
        return changed.enumerated().map { statement($1.old, "\(temporary)\($0)") }
            + changed.enumerated().map { statement("\(temporary)\($0)", $1.new) }
    }

    // MARK: Columns

    /// Whether a column gets other values, which a step provides.
    private func isReplaced(_ name: String, _ entity: EntityDescription, _ old: EntityDescription) -> Bool {
        if let attribute = entity.attribute(named: name) {
            guard let before = old.attribute(named: name) else { return old.columns.contains(name) }
            return before.type != attribute.type
                && (provided.contains("\(entity.name).\(name)")
                    || TypeWidening(from: before.type, to: attribute.type) == nil)
        }
        guard let relationship = entity.relationship(named: name), let before = old.relationship(named: name) else {
            return old.columns.contains(name)
        }
        return !before.isToMany && before.destination != relationship.destination
    }

    private func additions(to entity: EntityDescription, _ old: EntityDescription) -> [MigrationStatement] {
        let table = Schema.quoted(entity.name)
        var statements: [MigrationStatement] = []
        let before = Dictionary(old.columns.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        func add(_ name: String, _ definition: String) {
            // A column that is removed later may have the name.
            if let taken = before[name.lowercased()] {
                let new = Schema.quoted(Self.oldPrefix + taken)
                statements.append(
                    MigrationStatement("ALTER TABLE \(table) RENAME COLUMN \(Schema.quoted(taken)) TO \(new)"))
            }
            statements.append(MigrationStatement("ALTER TABLE \(table) ADD COLUMN \(definition)"))
        }
        for attribute in entity.attributes {
            let isKnown = old.attribute(named: attribute.name) != nil
            guard isKnown, !isReplaced(attribute.name, entity, old) else {
                let value = entity.identity.contains(attribute.name) ? nil : attribute.storedDefault
                let literal = value.flatMap { $0.isNull ? nil : $0.description } ?? ""
                // A default in the schema takes no time, unlike an update of all rows.
                let isConstant = !literal.isEmpty && !literal.utf8.contains(0)
                add(attribute.name, Schema.column(of: attribute) + (isConstant ? " DEFAULT \(literal)" : ""))
                continue
            }
            guard old.attribute(named: attribute.name)?.isOptional == true, attribute.replacesNull,
                !entity.identity.contains(attribute.name), let value = attribute.storedDefault
            else { continue }
            let column = Schema.quoted(attribute.name)
            statements.append(
                MigrationStatement(
                    "UPDATE \(table) SET \(column) = ? WHERE \(column) IS NULL", [value], visiting: entity.name))
        }
        for relationship in entity.relationships where !relationship.isToMany {
            let isKnown = old.relationship(named: relationship.name).map { !$0.isToMany } ?? false
            if !isKnown || isReplaced(relationship.name, entity, old) {
                add(relationship.name, Schema.column(of: relationship))
            }
        }
        return statements
    }

    private mutating func removeColumns(of entity: EntityDescription, _ old: EntityDescription) {
        let table = Schema.quoted(entity.name)
        let columns = Set(entity.columns)
        let taken = Set(entity.columns.map { $0.lowercased() })
        let removed = old.columns.compactMap { name -> String? in
            if columns.contains(name) { return isReplaced(name, entity, old) ? Self.oldPrefix + name : nil }
            return taken.contains(name.lowercased()) ? Self.oldPrefix + name : name
        }
        if removed.contains(where: { $0.hasPrefix(Self.oldPrefix) }) { replaced.insert(entity.name) }
        var values = Dictionary(
            entity.columns.map { ($0, Schema.quoted($0)) }, uniquingKeysWith: { first, _ in first })
        var isConverted = false
        for attribute in entity.attributes {
            guard let before = old.attribute(named: attribute.name), !isReplaced(attribute.name, entity, old) else {
                continue
            }
            let isOutdated =
                before.defaultValue != attribute.defaultValue
                && schema.defaults.contains([entity.name, attribute.name])
            isConverted = isConverted || isOutdated
            guard before.type != attribute.type, let widening = TypeWidening(from: before.type, to: attribute.type)
            else { continue }
            values[attribute.name] = widening.expression(Schema.quoted(attribute.name))
            isConverted =
                isConverted || !widening.isIdentity
                || Schema.columnType(of: before.type) != Schema.columnType(of: attribute.type)
            if let limit = widening.limit { addCheck(limit, attribute.name, of: entity.name) }
        }
        if !isConverted, removed.count == 1, let name = removed.first {
            removals.append(
                MigrationStatement("ALTER TABLE \(table) DROP COLUMN \(Schema.quoted(name))", visiting: entity.name))
        } else if isConverted || !removed.isEmpty {
            rebuild(entity, values)
        }
    }

    /// Writes a table again.
    private mutating func rebuild(_ entity: EntityDescription, _ values: [String: String]) {
        rebuilt.insert(entity.name)
        let (table, copy) = (Schema.quoted(entity.name), "_mappingkit_copy")
        let names = [#""_id""#] + entity.columns.map(Schema.quoted)
        let expressions = [#""_id""#] + entity.columns.compactMap { values[$0] }
        removals += [
            MigrationStatement(Schema(target).table(of: entity, named: copy)),
            MigrationStatement(
                "INSERT INTO \(Schema.quoted(copy))(\(names.joined(separator: ", "))) "
                    + "SELECT \(expressions.joined(separator: ", ")) FROM \(table)", visiting: entity.name),
            MigrationStatement("DROP TABLE \(table)"),
            MigrationStatement("ALTER TABLE \(Schema.quoted(copy)) RENAME TO \(table)"),
        ]
    }

    private mutating func addCheck(
        _ limit: (condition: (String) -> String, reason: String), _ name: String, of entity: String
    ) {
        guard let (table, column) = difference.storedNames(of: name, in: entity) else { return }
        let sql =
            "SELECT count(*) FROM \(Schema.quoted(table)) WHERE typeof(\(Schema.quoted(column))) = 'integer' "
            + "AND \(limit.condition(Schema.quoted(column)))"
        checks.append((sql, "value", "'\(entity).\(name)' cannot be converted: \(limit.reason)"))
    }

    // MARK: Links

    mutating func append(_ statement: MigrationStatement) { additions.append(statement) }

    mutating func check(_ sql: String, _ noun: String, _ reason: String) { checks.append((sql, noun, reason)) }

    /// Returns the name of a table of the file after names were changed, until it is removed.
    func table(_ name: String, isLinks: Bool = false) -> String {
        (isLinks ? displaced.links : displaced.entities)[name] ?? name
    }

    private mutating func displaceTables() {
        let (links, names) = (addedTables.map(\.name), target.entities.map(\.name))
        let new = Set((names + links).map { $0.lowercased() })
        for name in removedTables where new.contains(name.lowercased()) {
            displaced.links[name] = "\(Self.oldPrefix)links_\(name)"
        }
        for name in renamed.entities.map(\.name) where !names.contains(name) && new.contains(name.lowercased()) {
            displaced.entities[name] = Self.oldPrefix + name
        }
    }

    /// The new tables of links.
    private var addedTables: [(name: String, sql: String)] {
        let known = Schema(renamed).joinTables
        return Schema(target).joinTables.filter { table in !known.contains { $0 == table } }
    }

    private var removedTables: [String] {
        let new = Schema(target).joinTables
        return Schema(renamed).joinTables.filter { table in !new.contains { $0 == table } }.map(\.name)
    }
}

extension EntityDescription {
    /// The columns of the table without that of the row.
    var columns: [String] { attributes.map(\.name) + relationships.filter { !$0.isToMany }.map(\.name) }
}

extension ModelDifference {
    /// Returns the names in the file of an attribute or relationship and its entity; `nil` if the file does not have it.
    func storedNames(of property: String, in entity: String) -> (entity: String, property: String)? {
        guard let position = renamed.index(of: entity) else { return nil }
        let (old, new) = (stored.entities[position], renamed.entities[position])
        if let index = new.attributes.firstIndex(where: { $0.name == property }) {
            return (old.name, old.attributes[index].name)
        }
        return new.relationships.firstIndex { $0.name == property }.map { (old.name, old.relationships[$0].name) }
    }
}
