/// The content of a file after rows were written.
package struct StoreSummary: Sendable, Hashable {
    /// The rows of one entity.
    package struct EntityCount: Sendable, Hashable {
        package let entity: String
        /// The number of rows in the file.
        package let rows: Int
        /// The number of new rows.
        package let inserted: Int
        /// The number of occurrences of existing rows.
        package let merged: Int
        /// The number of these that replaced an earlier value.
        package let conflicts: Int
    }

    /// The entities, in the order of the model.
    package let entities: [EntityCount]
    /// The relationships with unresolved connections, in the order of the model.
    package let unresolved: [UnresolvedConnections]
}

/// A row of an element that replaced values of an earlier row of the same build with the same identity.
package struct MergeConflict: Sendable, Hashable {
    package let entity: String
    /// The attributes and relationships with different values.
    package let names: [String]
    /// The offset of the row's object in the text, in bytes.
    package let offset: Int
}

/// The unresolved connections of one relationship.
package struct UnresolvedConnections: Sendable, Hashable {
    package let entity: String
    package let relationship: String
    package let destination: String
    package let count: Int
    /// Some of the keys, each as a JSON array of its parts, such as `[7]`; up to five.
    package let samples: [String]

    /// Reads them from the table of unresolved connections.
    static func all(in database: SQLiteDatabase, _ model: ObjectModel) throws(StoreError) -> [UnresolvedConnections] {
        var found: [UnresolvedConnections] = []
        for entity in model.entities {
            for relationship in entity.relationships {
                let place = [StoredValue.text(entity.name), .text(relationship.name)]
                // Alternative keys have a row each.
                let counted = relationship.isToMany ? "*" : #"DISTINCT "row""#
                let condition = #"FROM "_mappingkit_pending" WHERE "entity" = ? AND "relationship" = ?"#
                let count = try database.integer("SELECT count(\(counted)) \(condition)", place)
                guard count > 0 else { continue }
                let samples = try database.prepare(
                    #"SELECT "key" \#(condition) GROUP BY "key" ORDER BY min(rowid) LIMIT 5"#)
                try samples.bind(place)
                var keys: [String] = []
                while try samples.step() { keys.append(samples.value(at: 0).text ?? "") }
                found.append(
                    UnresolvedConnections(
                        entity: entity.name, relationship: relationship.name, destination: relationship.destination,
                        count: Int(count), samples: keys))
            }
        }
        return found
    }
}
