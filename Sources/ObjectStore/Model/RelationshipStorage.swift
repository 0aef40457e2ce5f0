/// Where the links of a relationship are kept.
package enum RelationshipStorage: Sendable, Hashable {
    /// In the relationship's own column.
    case column
    /// In its own column too, which repeats what `relationship` of the destination holds: the lesser side of a one-to-one.
    case mirror(of: Int)
    /// In the column of `relationship` of the destination: a to-many whose inverse is to-one.
    case inverseColumn(Int)
    /// In a table of links; `isOwner` says whether this side is the one that gave it its name.
    case joinTable(String, isOwner: Bool)
}

extension ObjectModel {
    /// Where the links of a relationship are kept.
    ///
    /// Both sides of a one-to-one have a column; the leading one is that wired by key, else that declared first. The
    /// table of a many-to-many is named after the side declared first. First is by order of entities, then of their
    /// relationships.
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
        case (true, false): return .inverseColumn(back)
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
