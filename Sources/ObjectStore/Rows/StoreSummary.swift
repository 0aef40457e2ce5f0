/// What a file holds after rows were written.
package struct StoreSummary: Sendable, Hashable {
    /// The rows of one entity.
    package struct EntityCount: Sendable, Hashable {
        package let entity: String
        /// Rows in the file.
        package let rows: Int
        /// Rows that were not there before.
        package let inserted: Int
        /// Occurrences of rows that were there already.
        package let merged: Int
        /// How many of these replaced a value that an earlier one had.
        package let conflicts: Int
    }

    /// In the order of the model.
    package let entities: [EntityCount]
    /// The relationships of which some targets are not there; in the order of the model.
    package let unresolved: [UnresolvedConnections]
}

/// A row of an element that replaced values of an earlier row of the same build with the same identity.
package struct MergeConflict: Sendable, Hashable {
    package let entity: String
    /// The attributes and relationships with different values.
    package let names: [String]
    /// Where the row's object begins, in bytes from the start of the text.
    package let offset: Int
}

/// Connections of one relationship whose targets are not in the file.
package struct UnresolvedConnections: Sendable, Hashable {
    package let entity: String
    package let relationship: String
    package let destination: String
    package let count: Int
    /// Some of the keys, each as JSON text of the list of its parts, such as `[7]`; at most five.
    package let samples: [String]

    /// Reads them from the table of pending connections.
    static func all(in database: SQLiteDatabase, _ model: ObjectModel) throws(StoreError) -> [UnresolvedConnections] {
        var found: [UnresolvedConnections] = []
        for entity in model.entities {
            for relationship in entity.relationships {
                let place = [StoredValue.text(entity.name), .text(relationship.name)]
                // Keys of which any will do stand in a row each.
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
