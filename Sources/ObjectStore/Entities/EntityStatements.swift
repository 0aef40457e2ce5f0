/// The statements for rows of an entity that do not depend on a query.
struct EntityStatements: Sendable {
    /// The columns from which objects are read: the row, the attributes, the to-one relationships.
    let selection: String
    /// Inserts a row with all columns.
    let insertion: String
    /// Finds the row of an identity.
    let lookup: String
    /// Reads the object of an identity.
    let finding: String
    /// Reads the objects of identities: a JSON array of values, or of arrays with the values of each.
    let findingAll: String
    /// Returns the last row of the table.
    let lastRow: String
    /// The argument of `RowMarks.query`.
    let rowMark: [StoredValue]

    /// - Parameters:
    ///   - attributes: The quoted columns of the attributes.
    ///   - toOnes: The quoted columns of the to-one relationships.
    ///   - identity: The indexes of the attributes in the identity.
    init(of entity: String, attributes: [String], toOnes: [String], identity: [Int]) {
        let table = Schema.quoted(entity)
        let names = attributes + toOnes
        selection = (["\"_id\""] + names).map { "\(table).\($0)" }.joined(separator: ", ")
        insertion = Self.insertion(into: table, ["\"_id\""] + names)
        lastRow = "SELECT max(\"_id\") FROM \(table)"
        rowMark = [.text(RowMarks.key(of: entity))]
        let identity = identity.map { attributes[$0] }
        lookup = Self.lookup(in: table, by: identity)
        finding = "SELECT \(selection) FROM \(table) WHERE \(Self.condition(table, identity))"
        findingAll = Self.findingAll(selection, in: table, by: identity)
    }

    /// Inserts a row with values of columns.
    static func insertion(into table: String, _ columns: [String]) -> String {
        let parameters = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO \(table)(\(columns.joined(separator: ", "))) VALUES(\(parameters))"
    }

    /// Finds the row with the values of columns.
    static func lookup(in table: String, by columns: [String]) -> String {
        "SELECT \"_id\" FROM \(table) WHERE \(condition(table, columns))"
    }

    /// Reads the objects with the values of columns: a JSON array of values, or of arrays with the values of each.
    static func findingAll(_ selection: String, in table: String, by columns: [String]) -> String {
        // A cross join, so that the values are looked up with their index.
        "SELECT \(selection) FROM json_each(?) AS \"_mappingkit_keys\" CROSS JOIN \(table) "
            + "ON \(condition(table, columns, keys: "\"_mappingkit_keys\""))"
    }

    /// The condition for the values of columns: arguments, or the elements of a JSON array with an alias.
    private static func condition(_ table: String, _ columns: [String], keys: String? = nil) -> String {
        columns.enumerated().map { index, column in
            let value =
                keys.map { columns.count == 1 ? "\($0).value" : "json_extract(\($0).value, '$[\(index)]')" } ?? "?"
            return "\(table).\(column) = \(value)"
        }.joined(separator: " AND ")
    }
}

extension StoredEntity {
    /// The statement that updates columns of a row; their values are the first arguments, followed by the row.
    func update(of columns: [String]) -> String {
        let assignments = columns.map { "\($0) = ?" }.joined(separator: ", ")
        return "UPDATE \(table) SET \(assignments) WHERE \"_id\" = ?"
    }
}
