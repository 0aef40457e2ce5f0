import ObjectMapping
import ObjectStore

/// An entity of two databases: the common columns, and the queries that select them.
struct ComparedEntity {
    /// An attribute, or a relationship represented by the keys of its targets.
    private struct Field {
        let name: String
        /// The expressions of its columns; the table of the row has the alias `ComparedEntity.row`.
        let expressions: (Side) -> [String]
        let joins: (Side) -> [String]
        /// The number of its columns.
        let width: Int
        let json: ([StoredValue]) -> JSON
    }

    /// The model of one of the files.
    struct Side {
        fileprivate let model: ObjectModel
        fileprivate let entity: EntityDescription
        fileprivate let index: Int
    }

    /// A part of the rows, in the order in which they are compared.
    struct Selection {
        /// The number of columns in the order.
        let keys: Int
        let sql: (Side) -> String
    }

    enum Order { case ascending, same, descending }

    let oldSide: Side
    let newSide: Side
    private let fields: [Field]
    /// The number of fields in the identity.
    private let identityCount: Int

    private static let row = "\"_mappingkit_row\""
    private static let target = "\"_mappingkit_target\""

    init?(_ name: String, _ old: ObjectModel, _ new: ObjectModel) {
        guard let oldIndex = old.index(of: name), let newIndex = new.index(of: name) else { return nil }
        let sides = (
            old: Side(model: old, entity: old.entities[oldIndex], index: oldIndex),
            new: Side(model: new, entity: new.entities[newIndex], index: newIndex)
        )
        (oldSide, newSide) = sides
        let (before, after) = (sides.old.entity, sides.new.entity)
        let attributes = Self.commonAttributes(before, after)
        let identity = before.identity == after.identity ? before.identity : []
        let keys = identity.compactMap { name in attributes.first { $0.name == name } }
        identityCount = keys.count == identity.count ? keys.count : 0
        let first = Array(keys.prefix(identityCount))
        let rest = attributes.filter { attribute in !first.contains { $0.name == attribute.name } }
        fields =
            (first + rest).map(Self.field)
            + after.relationships.indices.compactMap { index in
                let relationship = after.relationships[index]
                guard let other = before.relationship(named: relationship.name),
                    other.destination == relationship.destination, other.isToMany == relationship.isToMany
                else { return nil }
                return Self.field(of: relationship, sides.old, sides.new)
            }
    }

    private static func commonAttributes(
        _ old: EntityDescription, _ new: EntityDescription
    ) -> [AttributeDescription] {
        new.attributes.filter { $0.type == old.attribute(named: $0.name)?.type }
    }

    // MARK: Fields

    private static func field(of attribute: AttributeDescription) -> Field {
        Field(
            name: attribute.name, expressions: { _ in ["\(row).\(Schema.quoted(attribute.name))"] }, joins: { _ in [] },
            width: 1, json: { StorageForm.json(of: $0[0], as: attribute.type) ?? .null })
    }

    /// Returns a stored relationship; `nil` for one that is stored by its inverse.
    private static func field(
        of relationship: RelationshipDescription, _ old: Side, _ new: Side
    ) -> Field? {
        guard let before = old.model.entity(named: relationship.destination),
            let after = new.model.entity(named: relationship.destination)
        else { return nil }
        let attributes = commonAttributes(before, after)
        let isIdentified = before.identity == after.identity && !after.identity.isEmpty
        let identity = after.identity.compactMap { name in attributes.first { $0.name == name } }
        let keys = isIdentified && identity.count == after.identity.count ? identity : attributes
        return relationship.isToMany
            ? listField(relationship, keys, isIdentified, [old, new]) : field(relationship, keys, isIdentified)
    }

    /// Returns a to-one relationship: whether there is a target, and its key.
    private static func field(
        _ relationship: RelationshipDescription, _ keys: [AttributeDescription], _ isIdentified: Bool
    ) -> Field {
        let alias = Schema.quoted("_mappingkit_target \(relationship.name)")
        return Field(
            name: relationship.name,
            expressions: { _ in
                ["\(alias).\"_id\" IS NOT NULL"] + keys.map { "\(alias).\(Schema.quoted($0.name))" }
            },
            joins: { _ in
                [
                    "LEFT JOIN \(Schema.quoted(relationship.destination)) AS \(alias) "
                        + "ON \(alias).\"_id\" = \(row).\(Schema.quoted(relationship.name))"
                ]
            },
            width: keys.count + 1,
            json: { values in
                guard values[0] != .integer(0) else { return .null }
                let parts = zip(values.dropFirst(), keys).map { StorageForm.json(of: $0, as: $1.type) ?? .null }
                return isIdentified && parts.count == 1 ? parts[0] : .array(parts)
            })
    }

    /// Returns a to-many relationship with a table of links: the keys as one text, for one side of a many-to-many
    /// relationship only.
    private static func listField(
        _ relationship: RelationshipDescription, _ keys: [AttributeDescription], _ isIdentified: Bool, _ sides: [Side]
    ) -> Field? {
        func list(_ side: Side) -> String? {
            guard let index = side.entity.relationships.firstIndex(where: { $0.name == relationship.name }),
                let link = side.model.storage(ofEntityAt: side.index, relationship: index).linkTable, link.isOwner
            else { return nil }
            // Blobs are not supported as elements; attributes of an identity are not blobs.
            let parts = keys.map { key in
                let column = "\(target).\(Schema.quoted(key.name))"
                return isIdentified ? column : "quote(\(column))"
            }
            let key = parts.count == 1 ? parts[0] : "json_array(\(parts.joined(separator: ", ")))"
            let order = side.entity.relationships[index].isOrdered ? "\(link.name).\"position\", 1" : "1"
            let element = parts.count == 1 ? "\"key\"" : "json(\"key\")"
            return "(SELECT json_group_array(\(element)) FROM (SELECT \(key) AS \"key\" FROM \(link.name) "
                + "JOIN \(Schema.quoted(relationship.destination)) AS \(target) "
                + "ON \(target).\"_id\" = \(link.name).\(link.target) "
                + "WHERE \(link.name).\(link.source) = \(row).\"_id\" ORDER BY \(order)))"
        }
        guard sides.allSatisfy({ list($0) != nil }) else { return nil }
        return Field(
            name: relationship.name, expressions: { [list($0) ?? "'[]'"] }, joins: { _ in [] }, width: 1,
            json: { $0[0].text.flatMap { try? JSON($0) } ?? .null })
    }

    // MARK: Queries

    /// The rows with an identity, then those without one, or all rows of an entity without an identity.
    var selections: [Selection] {
        guard identityCount > 0 else { return [unidentified(where: nil)] }
        let keys = fields.prefix(identityCount).map { "\(Self.row).\(Schema.quoted($0.name))" }
        let isIdentified = keys.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let ordered = Selection(keys: identityCount) { side in
            query(side, where: isIdentified) + " ORDER BY \(keys.joined(separator: ", "))"
        }
        return [ordered, unidentified(where: "NOT (\(isIdentified))")]
    }

    private func unidentified(where condition: String?) -> Selection {
        let count = fields.map(\.width).reduce(0, +)
        let order = (0..<count).map { String($0 + 1) }.joined(separator: ", ")
        return Selection(keys: count) { side in
            query(side, where: condition) + (count == 0 ? "" : " ORDER BY \(order)")
        }
    }

    private func query(_ side: Side, where condition: String?) -> String {
        let columns = fields.flatMap { $0.expressions(side) }
        let joins = fields.flatMap { $0.joins(side) }.map { " " + $0 }.joined()
        return "SELECT \(columns.isEmpty ? "NULL" : columns.joined(separator: ", ")) "
            + "FROM \(Schema.quoted(side.entity.name)) AS \(Self.row)\(joins)"
            + (condition.map { " WHERE \($0)" } ?? "")
    }

    // MARK: Rows

    /// Compares two rows by their first columns; a row is before the end.
    func order(_ old: [StoredValue]?, _ new: [StoredValue]?, keys: Int) -> Order {
        guard let old else { return .descending }
        guard let new else { return .ascending }
        for (a, b) in zip(old.prefix(keys), new.prefix(keys)) {
            if a.isOrderedBefore(b) { return .ascending }
            if b.isOrderedBefore(a) { return .descending }
        }
        return .same
    }

    /// Returns a row that differs, with the different values.
    func row(_ change: SeedDifference.Change, _ old: [StoredValue]?, _ new: [StoredValue]?) -> SeedDifference.Row {
        var identity: [(String, JSON)] = []
        var values: [(name: String, old: JSON?, new: JSON?)] = []
        let hasIdentity = !(old ?? new ?? []).prefix(identityCount).contains(.null)
        var column = 0
        for (index, field) in fields.enumerated() {
            let range = column..<column + field.width
            column = range.upperBound
            let (before, after) = (old.map { Array($0[range]) }, new.map { Array($0[range]) })
            if index < identityCount, hasIdentity {
                if let value = before ?? after { identity.append((field.name, field.json(value))) }
            } else if before != after {
                values.append((field.name, before.map(field.json), after.map(field.json)))
            }
        }
        return SeedDifference.Row(
            entity: newSide.entity.name, change: change, identity: JSONObject(identity),
            old: old.map { _ in JSONObject(values.map { ($0.name, $0.old ?? .null) }) },
            new: new.map { _ in JSONObject(values.map { ($0.name, $0.new ?? .null) }) })
    }
}
