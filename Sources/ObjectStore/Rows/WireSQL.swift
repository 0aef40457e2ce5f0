/// The statements that resolve keys.
///
/// The arguments of every statement are the values of the conditions, in order; in `pending` statements, they follow the
/// names of entity and relationship.
struct WireSQL {
    let keyed: KeyedRelationship
    let entity: StoredEntity
    let destination: StoredEntity

    /// Names that are invalid for entities, so that they do not conflict with a model.
    private let source = "\"_mappingkit_source\""
    private let target = "\"_mappingkit_target\""
    private let element = "\"_mappingkit_element\""

    init(_ keyed: KeyedRelationship, of entity: StoredEntity, in entities: [StoredEntity]) {
        self.keyed = keyed
        self.entity = entity
        destination = entities[keyed.destination]
    }

    /// All keys of a model have the same conditions, and the same attributes of targets.
    private var key: StoredEntity.Key { keyed.rules[0].key }

    var arguments: [StoredValue] { key.conditions.map(\.value) }

    // MARK: Keys of a to-one

    /// Sets the columns of all rows with keys and without targets, in one pass over the table.
    ///
    /// Its arguments are those of every relationship, twice.
    static func update(_ all: [WireSQL]) -> String {
        let assignments = all.map(\.assignment).joined(separator: ", ")
        let conditions = all.map { "(\($0.isOpen))" }.joined(separator: " OR ")
        return all.first.map {
            "UPDATE \($0.entity.table) AS \($0.source) SET \(assignments) WHERE \(conditions)"
        }
            ?? ""
    }

    private var assignment: String {
        let lookups = keyed.rules.map { lookup($0.key.attributes) }
        let target = lookups.count == 1 ? lookups[0] : "coalesce(\(lookups.joined(separator: ", ")))"
        return "\(link) = coalesce(\(source).\(link), CASE WHEN \(hasKey)\(conditions) THEN \(target) END)"
    }

    /// Whether a row waits for its target.
    private var isOpen: String { "\(source).\(link) IS NULL AND \(hasKey)\(conditions)" }

    /// Stores the keys of all rows without a target; one statement, or one for each alternative key.
    var pending: [String] {
        keyed.rules.map { rule in
            let keys = rule.key.attributes.map(column)
            return #"INSERT INTO "_mappingkit_pending"("entity", "row", "relationship", "key")"#
                + " SELECT ?, \(source).\"_id\", ?, \(StoredEntity.pendingKey(matching: key.matching, keys)) FROM \(entity.table) AS \(source)"
                + " WHERE \(source).\(link) IS NULL AND \(keys.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))"
                + conditions
        }
    }

    private var link: String { entity.relationships[keyed.relationship].column }

    private func column(_ attribute: Int) -> String { "\(source).\(entity.columnNames[attribute])" }

    private func lookup(_ keys: [Int]) -> String {
        let pairs = zip(destination.columns(matching: key.matching), keys).map { compared, attribute in
            "\(target).\(compared) = \(column(attribute))"
        }
        return
            "(SELECT \(target).\"_id\" FROM \(destination.table) AS \(target) WHERE \(pairs.joined(separator: " AND ")))"
    }

    private var hasKey: String {
        "(\(keyed.keys.map { "\(column($0)) IS NOT NULL" }.joined(separator: keyed.rules.count > 1 ? " OR " : " AND ")))"
    }

    private var conditions: String {
        key.conditions.map { " AND \(column($0.attribute)) IS ?" }.joined()
    }

    // MARK: Lists of keys

    /// Selects every link of lists of keys: source, target, position; in that order.
    var listLinks: String {
        "SELECT \(source).\"_id\", \(target).\"_id\", \(element).key \(listElements)"
            + " CROSS JOIN \(destination.table) AS \(target) WHERE \(elementIsTarget)\(conditions)"
    }

    /// Adds the links of lists to a table of links.
    func listInsertion(into joinTable: String, isOwner: Bool) -> String {
        let columns = isOwner ? #""owner", "target""# : #""target", "owner""#
        return #"INSERT OR IGNORE INTO \#(Schema.quoted(joinTable))(\#(columns), "position") \#(listLinks)"#
    }

    /// Stores the unresolved keys in lists.
    var listPending: String {
        #"INSERT INTO "_mappingkit_pending"("entity", "row", "relationship", "key")"#
            + " SELECT ?, \(source).\"_id\", ?, \(StoredEntity.pendingKey(matching: key.matching, ["\(element).value"])) \(listElements)"
            + " WHERE \(element).value IS NOT NULL AND NOT EXISTS"
            + " (SELECT 1 FROM \(destination.table) AS \(target) WHERE \(elementIsTarget))\(conditions)"
    }

    private var listElements: String {
        // SQLite keeps the order of a CROSS JOIN: rows, then keys, then one search each.
        "FROM \(entity.table) AS \(source) CROSS JOIN json_each(\(column(keyed.keys[0]))) AS \(element)"
    }

    private var elementIsTarget: String {
        // SQLite ends a JSON text at NUL: such a list would have wrong targets, so it is left unresolved.
        "\(target).\(destination.columns(matching: key.matching)[0]) = \(element).value"
            + " AND instr(\(column(keyed.keys[0])), '\\u0000') = 0"
    }
}
