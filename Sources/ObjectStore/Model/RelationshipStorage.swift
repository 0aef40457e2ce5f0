/// The storage of a relationship's links.
package enum RelationshipStorage: Sendable, Hashable {
    /// In the relationship's own column.
    case column
    /// In its own column, which mirrors `relationship` of the destination: the secondary side of a one-to-one
    /// relationship.
    case mirror(of: Int)
    /// In the column of `relationship` of the destination: a to-many relationship whose inverse is to-one.
    case inverseColumn(Int)
    /// In a table of links with positions, and in the column of the destination's to-one inverse.
    case linkTable(String, inverse: Int)
    /// In a table of links; `isOwner` is true for the side whose name it has.
    case joinTable(String, isOwner: Bool)
}

extension RelationshipStorage {
    /// A table of links as used by one side, with quoted column names.
    package struct LinkTable {
        let table: String
        /// The column of the object with the relationship.
        package let source: String
        /// The column of the target.
        package let target: String
        /// Whether the position is that of the target in the list of this side.
        package let isOwner: Bool

        /// The quoted name of the table.
        package var name: String { Schema.quoted(table) }
    }

    /// Whether the objects of the relationship do not refer to their owner.
    var isJoinTable: Bool {
        if case .joinTable = self { true } else { false }
    }

    /// The table of links that stores the relationship; `nil` if it is stored in columns.
    package var linkTable: LinkTable? {
        switch self {
        case .column, .mirror, .inverseColumn: nil
        case .linkTable(let name, inverse: _), .joinTable(let name, isOwner: true):
            LinkTable(table: name, source: "\"owner\"", target: "\"target\"", isOwner: true)
        case .joinTable(let name, isOwner: false):
            LinkTable(table: name, source: "\"target\"", target: "\"owner\"", isOwner: false)
        }
    }
}

extension ObjectModel {
    /// The storage of a relationship's links.
    ///
    /// Both sides of a one-to-one relationship have a column; the primary one is that connected by key, or that
    /// declared first. The table of a many-to-many relationship is named after the side declared first. The order is
    /// that of entities, then of their relationships.
    package func storage(ofEntityAt entity: Int, relationship: Int) -> RelationshipStorage {
        let description = entities[entity].relationships[relationship]
        guard let destination = index(of: description.destination),
            let back = entities[destination].relationships.firstIndex(where: { $0.name == description.inverse })
        else {
            return description.isToMany ? .joinTable(tableName(entity, relationship), isOwner: true) : .column
        }
        let inverse = entities[destination].relationships[back]
        let isFirst = (entity, relationship) < (destination, back)
        switch (description.isToMany, inverse.isToMany) {
        case (false, true): return .column
        case (true, false):
            return description.isOrdered
                ? .linkTable(tableName(entity, relationship), inverse: back) : .inverseColumn(back)
        case (true, true):
            let name = isFirst ? tableName(entity, relationship) : tableName(destination, back)
            return .joinTable(name, isOwner: isFirst)
        case (false, false):
            let leads = description.by.isEmpty == inverse.by.isEmpty ? isFirst : !description.by.isEmpty
            return leads ? .column : .mirror(of: back)
        }
    }

    private func tableName(_ entity: Int, _ relationship: Int) -> String {
        "\(entities[entity].name)_\(entities[entity].relationships[relationship].name)"
    }
}
