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
        insertion =
            "INSERT INTO \(table)(\"_id\"\(names.map { ", " + $0 }.joined())) "
            + "VALUES(?\(String(repeating: ", ?", count: names.count)))"
        let condition =
            "FROM \(table) WHERE \(identity.map { "\(attributes[$0]) = ?" }.joined(separator: " AND "))"
        lastRow = "SELECT max(\"_id\") FROM \(table)"
        rowMark = [.text(RowMarks.key(of: entity))]
        lookup = "SELECT \"_id\" \(condition)"
        finding = "SELECT \(selection) \(condition)"
        let keys = identity.enumerated().map { index, attribute in
            let value =
                identity.count == 1
                ? "\"_mappingkit_keys\".value" : "json_extract(\"_mappingkit_keys\".value, '$[\(index)]')"
            return "\(table).\(attributes[attribute]) = \(value)"
        }
        // A cross join, so that the identities are looked up with their index.
        findingAll =
            "SELECT \(selection) FROM json_each(?) AS \"_mappingkit_keys\" CROSS JOIN \(table) "
            + "ON \(keys.joined(separator: " AND "))"
    }
}
