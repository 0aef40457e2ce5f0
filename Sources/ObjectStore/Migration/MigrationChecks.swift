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
        /// A value of another type.
        let value: StoredValue
        let type: AttributeType?
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
                let name = problem.key.property
                guard let type = problem.type else {
                    return "\(problem.count) \(problem.count == 1 ? "row" : "rows") of '\(entity.name)' "
                        + "\(problem.count == 1 ? "has" : "have") no '\(name)'"
                }
                return "'\(entity.name).\(name)' is \(problem.value), expected \(StorageForm.expectation(of: type))"
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
                found.append(
                    Problem(key: .init(property: name, isMissing: true), count: count, value: .null, type: nil))
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
            found.append(
                Problem(
                    key: .init(property: attribute.name, isMissing: false), count: count, value: example, type: type))
        }
        return found
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
        if type.scalar == .boolean, !type.isList { return value == 0 || value == 1 }
        if type.scalar == .double, !type.isList { return value.double != nil }
        if type.scalar == .data, !type.isList { return value.blob != nil }
        if type.scalar == .json, !type.isList { return value.text.map { (try? JSON($0)) != nil } ?? false }
        guard let json = json(of: value, as: type), let stored = self.value(of: json, as: type) else { return false }
        return type.scalar != .uuid || stored == value
    }
}
