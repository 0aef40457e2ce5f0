import ObjectMapping

/// A relationship by its place in a model.
struct RelationshipPlace: Equatable {
    let entity: Int
    let relationship: Int
}

/// A relationship whose links are stored elsewhere after a migration.
struct MovedLinks {
    /// The relationship in the new model.
    let place: RelationshipPlace
    /// The relationship, or its inverse, in the model of the file.
    let source: RelationshipPlace
    /// Whether the source is the inverse.
    let isInverse: Bool

    /// Returns a query for the links: source, target and position.
    ///
    /// - Parameter table: Returns the expression of a table with the given columns. Defaults to the quoted name.
    func query(
        in model: ObjectModel,
        table: (_ name: String, _ columns: [String]) -> String = { name, _ in Schema.quoted(name) }
    ) -> String {
        let entity = model.entities[source.entity]
        let relationship = entity.relationships[source.relationship]
        var (from, to, rows, position): (String, String, String, String?)
        switch model.storage(ofEntityAt: source.entity, relationship: source.relationship) {
        case .column, .mirror:
            (from, to, position) = (#""_id""#, Schema.quoted(relationship.name), nil)
            rows = table(entity.name, ["_id", relationship.name])
        case .inverseColumn:
            let inverse = relationship.inverse ?? ""
            (from, to, position) = (Schema.quoted(inverse), #""_id""#, nil)
            rows = table(relationship.destination, ["_id", inverse])
        case .linkTable(let name, _), .joinTable(let name, isOwner: true):
            (from, to, position) = (#""owner""#, #""target""#, #""position""#)
            rows = table(name, ["owner", "target", "position"])
        case .joinTable(let name, isOwner: false):
            (from, to, position) = (#""target""#, #""owner""#, nil)
            rows = table(name, ["owner", "target", "position"])
        }
        if isInverse { (from, to, position) = (to, from, nil) }
        let order = position ?? "row_number() OVER (PARTITION BY \(from) ORDER BY \(to)) - 1"
        return "SELECT \(from) AS \"source\", \(to) AS \"target\", \(order) AS \"position\" FROM \(rows) "
            + "WHERE \(from) IS NOT NULL AND \(to) IS NOT NULL"
    }
}

extension MigrationStatements {
    /// Fills the columns and tables of relationships from those in which the file stores their links.
    mutating func addLinks() {
        for moved in difference.movedLinks {
            let entity = target.entities[moved.place.entity]
            let relationship = entity.relationships[moved.place.relationship]
            let links = moved.query(in: renamed) { Schema.quoted(table($0, isLinks: $1.first != "_id")) }
            if relationship.isToMany {
                guard let table = target.linkTable(at: moved.place) else { continue }
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
                check(
                    "SELECT count(*) FROM (SELECT 1 FROM (\(moved.query(in: difference.stored))) GROUP BY \"source\" "
                        + "HAVING count(DISTINCT \"target\") > 1)",
                    "object", "'\(entity.name)' would have more than one object in '\(relationship.name)'")
            }
        }
    }
}

extension ObjectModel {
    /// The table of links of a relationship; `nil` if it is stored in columns.
    func linkTable(at place: RelationshipPlace) -> RelationshipStorage.LinkTable? {
        storage(ofEntityAt: place.entity, relationship: place.relationship).linkTable
    }
}

extension ModelDifference {
    /// The relationships whose columns or tables of links are filled from those in which the file stores their links.
    var movedLinks: [MovedLinks] {
        var moved: [MovedLinks] = []
        for entity in target.entities.indices {
            for index in target.entities[entity].relationships.indices {
                let place = RelationshipPlace(entity: entity, relationship: index)
                let inverse = inverse(of: place)
                if let inverse, (inverse.entity, inverse.relationship) < (entity, index) { continue }
                let places = [place] + (inverse.map { [$0] } ?? [])
                guard let source = places.first(where: { known($0) != nil }), let known = known(source) else {
                    continue
                }
                moved += places.filter { !isFilled($0) }.map { place in
                    MovedLinks(place: place, source: known, isInverse: place != source)
                }
            }
        }
        return moved
    }

    private func inverse(of place: RelationshipPlace) -> RelationshipPlace? {
        let relationship = target.entities[place.entity].relationships[place.relationship]
        guard let inverse = relationship.inverse, let entity = target.index(of: relationship.destination),
            let index = target.entities[entity].relationships.firstIndex(where: { $0.name == inverse })
        else { return nil }
        return RelationshipPlace(entity: entity, relationship: index)
    }

    /// Returns the relationship in the file; `nil` if it is new, or refers to another entity.
    private func known(_ place: RelationshipPlace) -> RelationshipPlace? {
        let entity = target.entities[place.entity]
        let relationship = entity.relationships[place.relationship]
        guard let position = renamed.index(of: entity.name),
            let index = renamed.entities[position].relationships.firstIndex(where: {
                $0.name == relationship.name && $0.destination == relationship.destination
            })
        else { return nil }
        return RelationshipPlace(entity: position, relationship: index)
    }

    /// Whether the file stores the links of a relationship where the other model does.
    private func isFilled(_ place: RelationshipPlace) -> Bool {
        let relationship = target.entities[place.entity].relationships[place.relationship]
        guard relationship.isToMany else {
            return known(place).map { !renamed.entities[$0.entity].relationships[$0.relationship].isToMany } ?? false
        }
        guard let table = target.linkTable(at: place), table.isOwner else { return true }
        guard let known = known(place) else { return false }
        let old = renamed.linkTable(at: known)
        return old?.table == table.table && old?.isOwner == true
    }
}
