import ObjectMapping

/// Finds values that the steps of a migration leave and the model does not allow.
///
/// Values that were invalid before a step changed their table are not those of the step.
final class MigrationChecks {
    private let database: SQLiteDatabase
    private let difference: ModelDifference
    private let provided: Set<String>
    /// The numbers of invalid values before the first change, by table.
    private var former: [String: [Problem.Key: Int64]] = [:]
    /// The columns that steps have changed, by table.
    private(set) var changedColumns: [String: Set<String>] = [:]

    private struct Problem {
        struct Key: Hashable {
            let property: String
            /// Whether values are missing, or have another type.
            let isMissing: Bool
        }
        let key: Key
        let count: Int64
        let text: String
    }

    init(_ database: SQLiteDatabase, _ stage: Migration.Stage) {
        (self.database, difference, provided) = (database, stage.difference, stage.provided)
    }

    /// Returns the entity of a table after the migration; `nil` for one that is removed.
    func entity(_ table: String) -> EntityDescription? { difference.target.entity(named: table) }

    /// The tables of entities that steps have changed.
    var changedTables: Set<String> { Set(former.keys) }

    /// Notes what is invalid in a table before columns of it are changed.
    func willChange(_ table: String, _ columns: Set<String>) throws(StoreError) {
        changedColumns[table, default: []].formUnion(columns)
        guard former[table] == nil, let entity = difference.target.entity(named: table) else { return }
        former[table] = [:]
        let old = difference.renamed.entity(named: table)
        for problem in try problems(of: entity, as: { old?.attribute(named: $0.name)?.type ?? $0.type }) {
            former[table]?[problem.key] = problem.count
        }
    }

    /// Returns the first problem of the changed tables, and of what the steps provide.
    func problem() throws(StoreError) -> String? {
        for entity in difference.target.entities {
            let known = former[entity.name]
            let names = (entity.attributes.map(\.name) + entity.relationships.map(\.name)).filter {
                provided.contains("\(entity.name).\($0)")
            }
            guard known != nil || !names.isEmpty else { continue }
            for problem in try problems(of: entity, as: \.type) {
                let isProvided = names.contains(problem.key.property)
                guard isProvided || known.map({ problem.count > $0[problem.key] ?? 0 }) ?? false else { continue }
                return problem.text
            }
        }
        return nil
    }

    // MARK: Counting

    private func problems(
        of entity: EntityDescription, as type: (AttributeDescription) -> AttributeType
    ) throws(StoreError) -> [Problem] {
        let table = Schema.quoted(entity.name)
        var found: [Problem] = []
        let required =
            entity.attributes.filter { !$0.isOptional }.map(\.name)
            + entity.relationships.filter { $0.isRequired && !$0.isToMany }.map(\.name)
        if !required.isEmpty {
            let sums = required.map { "sum(\(Schema.quoted($0)) IS NULL)" }.joined(separator: ", ")
            let counts = try database.prepare("SELECT \(sums) FROM \(table)").rows([]).first ?? []
            for (name, count) in zip(required, counts) {
                guard let count = count.integer, count > 0 else { continue }
                let text =
                    "\(count) \(count == 1 ? "row" : "rows") of '\(entity.name)' \(count == 1 ? "has" : "have") no '\(name)'"
                found.append(Problem(key: .init(property: name, isMissing: true), count: count, text: text))
            }
        }
        for attribute in entity.attributes {
            let (column, type) = (Schema.quoted(attribute.name), type(attribute))
            let values = try database.prepare(
                "SELECT \(column), count(*) FROM \(table) WHERE \(column) IS NOT NULL "
                    + "AND NOT \(Self.isCertain(column, type)) GROUP BY \(column)")
            var (count, example): (Int64, StoredValue?) = (0, nil)
            while try values.step() {
                let value = values.value(at: 0)
                guard !StorageForm.isValid(value, type) else { continue }
                count += values.integer(at: 1)
                example = example ?? value
            }
            guard let example else { continue }
            let text = "'\(entity.name).\(attribute.name)' is \(example), expected \(StorageForm.expectation(of: type))"
            found.append(Problem(key: .init(property: attribute.name, isMissing: false), count: count, text: text))
        }
        try found.append(contentsOf: rowProblem(of: entity).map { [$0] } ?? [])
        for relationship in entity.relationships {
            if let problem = try sideProblem(of: relationship, entity) { found.append(problem) }
        }
        return found
    }

    /// Returns the problem of row numbers that objects cannot have.
    private func rowProblem(of entity: EntityDescription) throws(StoreError) -> Problem? {
        let row = try database.prepare(
            "SELECT count(*), min(\"_id\") FROM \(Schema.quoted(entity.name)) "
                + "WHERE \"_id\" <= 0 OR \"_id\" > \(RowMarks.maximum)"
        ).rows([]).first
        guard let count = row?.first?.integer, count > 0, let example = row?.last else { return nil }
        return Problem(
            key: .init(property: MigrationRow.row, isMissing: false), count: count,
            text: "'\(entity.name)' has the row number \(example), expected one from 1 to \(RowMarks.maximum)")
    }

    /// Returns the problem of a one-to-one relationship whose two columns differ.
    private func sideProblem(
        of relationship: RelationshipDescription, _ entity: EntityDescription
    ) throws(StoreError) -> Problem? {
        guard !relationship.isToMany, let name = relationship.inverse,
            let inverse = difference.target.entity(named: relationship.destination)?.relationship(named: name),
            !inverse.isToMany
        else { return nil }
        let (table, other) = (Schema.quoted(entity.name), Schema.quoted(relationship.destination))
        let (column, back) = (Schema.quoted(relationship.name), Schema.quoted(name))
        func differing(_ table: String, _ column: String, _ other: String, _ back: String) -> String {
            "(SELECT count(*) FROM \(table) AS \"a\" LEFT JOIN \(other) AS \"b\" ON \"b\".\"_id\" = \"a\".\(column) "
                + "WHERE \"a\".\(column) IS NOT NULL AND \"b\".\(back) IS NOT \"a\".\"_id\")"
        }
        let count = try database.integer(
            "SELECT \(differing(table, column, other, back)) + \(differing(other, back, table, column))")
        guard count > 0 else { return nil }
        let sides = "'\(entity.name).\(relationship.name)' and '\(relationship.destination).\(name)'"
        return Problem(
            key: .init(property: relationship.name, isMissing: false), count: count,
            text:
                "\(sides) of \(count) \(count == 1 ? "row" : "rows") differ, expected both columns to refer to each other"
        )
    }

    /// Returns a condition that is false for values that have to be examined one at a time.
    private static func isCertain(_ column: String, _ type: AttributeType) -> String {
        guard !type.isList else { return "0" }
        return switch type.scalar {
        case .string: "typeof(\(column)) = 'text'"
        case .integer: "typeof(\(column)) = 'integer'"
        case .double: "typeof(\(column)) IN ('integer', 'real')"
        case .boolean: "(typeof(\(column)) = 'integer' AND \(column) IN (0, 1))"
        case .data: "typeof(\(column)) = 'blob'"
        case .date, .decimal, .uuid, .url, .json: "0"
        }
    }
}

extension StorageForm {
    /// Whether a value is one of a type in stored form.
    static func isValid(_ value: StoredValue, _ type: AttributeType) -> Bool {
        if !type.isList {
            switch type.scalar {
            case .boolean: return value == 0 || value == 1
            case .integer: return value.integer != nil
            case .double: return value.double != nil
            case .data: return value.blob != nil
            case .json: return value.text.map { (try? JSON($0)) != nil } ?? false
            case .string, .date, .decimal, .uuid, .url: break
            }
        }
        guard value.text != nil else { return false }
        guard let json = json(of: value, as: type), let stored = self.value(of: json, as: type) else { return false }
        return type.scalar != .uuid || stored == value
    }
}
