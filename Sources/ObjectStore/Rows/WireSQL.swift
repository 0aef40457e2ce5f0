/// The statements that resolve keys.
///
/// The arguments of every statement are the values of the wire's conditions, in order; in `pending` statements, they
/// follow the names of entity and relationship.
struct WireSQL {
    let wire: Wire
    let table: EntityTable
    let destination: EntityTable

    /// Names that are invalid for entities, so that they do not conflict with a model.
    private let source = "\"_mappingkit_source\""
    private let target = "\"_mappingkit_target\""
    private let element = "\"_mappingkit_element\""

    init(_ wire: Wire, of table: EntityTable, to destination: EntityTable) {
        self.wire = wire
        self.table = table
        self.destination = destination
    }

    var arguments: [StoredValue] { wire.conditions.map(\.value) }

    // MARK: Keys of a to-one

    /// Sets the columns of all rows with keys and without targets, in one pass over the table.
    ///
    /// Its arguments are those of every wire, twice.
    static func update(_ wires: [WireSQL]) -> String {
        let assignments = wires.map(\.assignment).joined(separator: ", ")
        let conditions = wires.map { "(\($0.isOpen))" }.joined(separator: " OR ")
        return wires.first.map {
            "UPDATE \($0.table.entity.table) AS \($0.source) SET \(assignments) WHERE \(conditions)"
        }
            ?? ""
    }

    private var assignment: String {
        let lookups = wire.isAny ? wire.keys.map { lookup([$0]) } : [lookup(wire.keys)]
        let target = lookups.count == 1 ? lookups[0] : "coalesce(\(lookups.joined(separator: ", ")))"
        return "\(column) = coalesce(\(source).\(column), CASE WHEN \(hasKey)\(conditions) THEN \(target) END)"
    }

    /// Whether a row waits for its target.
    private var isOpen: String { "\(source).\(column) IS NULL AND \(hasKey)\(conditions)" }

    /// Stores the keys of all rows without a target; one statement, or one for each alternative key.
    var pending: [String] {
        let groups = wire.isAny ? wire.keys.map { [$0] } : [wire.keys]
        return groups.map { keys in
            let list = keys.map(key).joined(separator: ", ")
            return #"INSERT INTO "_mappingkit_pending"("entity", "row", "relationship", "key")"#
                + " SELECT ?, \(source).\"_id\", ?, json_array(\(list)) FROM \(table.entity.table) AS \(source)"
                + " WHERE \(source).\(column) IS NULL AND \(keys.map { "\(key($0)) IS NOT NULL" }.joined(separator: " AND "))"
                + conditions
        }
    }

    private var column: String { table.quotedColumn(ofRelationship: wire.relationship) }

    private func key(_ attribute: Int) -> String { "\(source).\(table.quotedColumn(ofAttribute: attribute))" }

    private func lookup(_ keys: [Int]) -> String {
        let pairs = zip(destination.entity.identity, keys).map { identity, attribute in
            "\(target).\(destination.quotedColumn(ofAttribute: identity)) = \(key(attribute))"
        }
        return
            "(SELECT \(target).\"_id\" FROM \(destination.entity.table) AS \(target) WHERE \(pairs.joined(separator: " AND ")))"
    }

    private var hasKey: String {
        "(\(wire.keys.map { "\(key($0)) IS NOT NULL" }.joined(separator: wire.isAny ? " OR " : " AND ")))"
    }

    private var conditions: String {
        wire.conditions.map { " AND \(key($0.attribute)) IS ?" }.joined()
    }

    // MARK: Lists of keys

    /// Selects every link of lists of keys: source, target, position; in that order.
    var listLinks: String {
        "SELECT \(source).\"_id\", \(target).\"_id\", \(element).key \(listElements)"
            + " CROSS JOIN \(destination.entity.table) AS \(target) WHERE \(elementIsTarget)\(conditions)"
    }

    /// Adds the links of lists to a table of links.
    func listInsertion(into joinTable: String, isOwner: Bool) -> String {
        let columns = isOwner ? #""owner", "target""# : #""target", "owner""#
        return #"INSERT OR IGNORE INTO \#(Schema.quoted(joinTable))(\#(columns), "position") \#(listLinks)"#
    }

    /// Stores the unresolved keys in lists.
    var listPending: String {
        #"INSERT INTO "_mappingkit_pending"("entity", "row", "relationship", "key")"#
            + " SELECT ?, \(source).\"_id\", ?, json_array(\(element).value) \(listElements)"
            + " WHERE \(element).value IS NOT NULL AND NOT EXISTS"
            + " (SELECT 1 FROM \(destination.entity.table) AS \(target) WHERE \(elementIsTarget))\(conditions)"
    }

    private var listElements: String {
        // SQLite keeps the order of a CROSS JOIN: rows, then keys, then one search each.
        "FROM \(table.entity.table) AS \(source) CROSS JOIN json_each(\(key(wire.keys[0]))) AS \(element)"
    }

    private var elementIsTarget: String {
        // SQLite ends a JSON text at NUL: such a list would have wrong targets, so it is left unresolved.
        "\(target).\(destination.quotedColumn(ofAttribute: destination.entity.identity[0])) = \(element).value"
            + " AND instr(\(key(wire.keys[0])), '\\u0000') = 0"
    }
}
