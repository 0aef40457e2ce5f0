import ObjectMapping

/// Relationships that are stored in another way.
extension MigrationStatements {
    /// A relationship by its place in a model.
    private struct Side {
        let entity: Int
        let relationship: Int
    }

    /// Fills the columns and tables of relationships from those in which the file stores their links.
    mutating func addLinks() {
        for entity in target.entities.indices {
            for index in target.entities[entity].relationships.indices {
                let side = Side(entity: entity, relationship: index)
                let inverse = inverse(of: side)
                if let inverse, (inverse.entity, inverse.relationship) < (entity, index) { continue }
                addLinks([side] + (inverse.map { [$0] } ?? []))
            }
        }
    }

    private mutating func addLinks(_ sides: [Side]) {
        guard let source = sides.first(where: { known($0) != nil }), let known = known(source) else { return }
        for side in sides where !isFilled(side) {
            let isSource = side.entity == source.entity && side.relationship == source.relationship
            let entity = target.entities[side.entity]
            let relationship = entity.relationships[side.relationship]
            let links = Self.links(of: known, in: renamed, isInverse: !isSource)
            if relationship.isToMany {
                guard let table = target.storage(ofEntityAt: side.entity, relationship: side.relationship).linkTable
                else { continue }
                append(
                    MigrationStatement(
                        "INSERT OR IGNORE INTO \(table.name)(\"owner\", \"target\", \"position\") "
                            + "SELECT \"source\", \"target\", \"position\" FROM (\(links))",
                        visiting: entity.name))
            } else {
                let (table, column) = (Schema.quoted(entity.name), Schema.quoted(relationship.name))
                append(
                    MigrationStatement(
                        "UPDATE \(table) SET \(column) = \"_mappingkit_link\".\"target\" FROM (\(links)) "
                            + "AS \"_mappingkit_link\" WHERE \(table).\"_id\" = \"_mappingkit_link\".\"source\"",
                        visiting: entity.name))
                let stored = Self.links(of: known, in: difference.stored, isInverse: !isSource)
                check(
                    "SELECT count(*) FROM (SELECT 1 FROM (\(stored)) GROUP BY \"source\" "
                        + "HAVING count(DISTINCT \"target\") > 1)",
                    "object", "'\(entity.name)' would have more than one object in '\(relationship.name)'")
            }
        }
    }

    private func inverse(of side: Side) -> Side? {
        let relationship = target.entities[side.entity].relationships[side.relationship]
        guard let inverse = relationship.inverse, let entity = target.index(of: relationship.destination),
            let index = target.entities[entity].relationships.firstIndex(where: { $0.name == inverse })
        else { return nil }
        return Side(entity: entity, relationship: index)
    }

    /// Returns the relationship in the file; `nil` if it is new, or refers to another entity.
    private func known(_ side: Side) -> Side? {
        let (entity, relationship) = (
            target.entities[side.entity], target.entities[side.entity].relationships[side.relationship]
        )
        guard let position = renamed.index(of: entity.name),
            let index = renamed.entities[position].relationships.firstIndex(where: {
                $0.name == relationship.name && $0.destination == relationship.destination
            })
        else { return nil }
        return Side(entity: position, relationship: index)
    }

    /// Whether the file stores the links of a side where the other model does.
    private func isFilled(_ side: Side) -> Bool {
        let relationship = target.entities[side.entity].relationships[side.relationship]
        guard relationship.isToMany else {
            return known(side).map { !renamed.entities[$0.entity].relationships[$0.relationship].isToMany } ?? false
        }
        let storage = target.storage(ofEntityAt: side.entity, relationship: side.relationship)
        guard let table = storage.linkTable, table.isOwner else { return true }
        guard let known = known(side) else { return false }
        let old = renamed.storage(ofEntityAt: known.entity, relationship: known.relationship).linkTable
        return old?.table == table.table && old?.isOwner == true
    }

    /// Returns a query for the links of a relationship: source, target and position.
    private static func links(of side: Side, in model: ObjectModel, isInverse: Bool) -> String {
        let entity = model.entities[side.entity]
        let relationship = entity.relationships[side.relationship]
        let table = Schema.quoted(entity.name)
        var (source, target, from, position): (String, String, String, String?)
        switch model.storage(ofEntityAt: side.entity, relationship: side.relationship) {
        case .column, .mirror:
            (source, target, from, position) = (#""_id""#, Schema.quoted(relationship.name), table, nil)
        case .inverseColumn:
            (source, target) = (Schema.quoted(relationship.inverse ?? ""), #""_id""#)
            (from, position) = (Schema.quoted(relationship.destination), nil)
        case .linkTable(let name, _), .joinTable(let name, isOwner: true):
            (source, target, from) = (#""owner""#, #""target""#, Schema.quoted(name))
            position = #""position""#
        case .joinTable(let name, isOwner: false):
            (source, target, from, position) = (#""target""#, #""owner""#, Schema.quoted(name), nil)
        }
        if isInverse { (source, target, position) = (target, source, nil) }
        let order = position ?? "row_number() OVER (PARTITION BY \(source) ORDER BY \(target)) - 1"
        return "SELECT \(source) AS \"source\", \(target) AS \"target\", \(order) AS \"position\" FROM \(from) "
            + "WHERE \(source) IS NOT NULL AND \(target) IS NOT NULL"
    }
}
