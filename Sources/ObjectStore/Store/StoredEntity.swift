import ObjectMapping

/// An entity of an open store: its class, its table, and the storage of its relationships.
final class StoredEntity: Sendable {
    struct Relationship: Sendable {
        let name: String
        /// The index of the destination entity.
        let destination: Int
        /// The index of the inverse relationship.
        let inverse: Int?
        let storage: RelationshipStorage
        /// The quoted column of a to-one relationship.
        let column: String
        /// The quoted columns of the keys that set it, in the order of the destination's identity; several keys are
        /// alternatives.
        let keys: [[String]]
    }

    /// How the property of a column is loaded.
    struct LoadStep: Sendable {
        let offset: Int
        /// `nil` for an attribute whose values need its coding.
        let direct: DirectCoding?
        /// The index of the attribute in the class.
        let attribute: Int
        let isIdentity: Bool
    }

    let index: Int
    let type: ManagedClass
    /// The quoted table.
    let table: String
    /// The indexes of the class's attributes with columns.
    let columns: [Int]
    /// The quoted names of these columns.
    let columnNames: [String]
    /// The indexes of the class's attributes in the identity.
    let identity: [Int]
    /// The indexes of the identity's attributes among the columns.
    let identityColumns: [Int]
    /// The relationships in the order of the class.
    let relationships: [Relationship]
    /// The indexes of the to-one relationships, which have columns.
    let toOnes: [Int]
    /// The columns from which objects are read: the row, the attributes, the to-one relationships.
    let selection: String
    /// How the columns of the selection are loaded, except for that of the row.
    let loadSteps: [LoadStep]
    /// The attributes whose values can be invalid.
    let validated: [ManagedAttribute]
    /// The offsets of attributes whose defaults count as assigned.
    let generated: [Int]
    /// Whether the entity is the destination of relationships.
    let isTarget: Bool
    /// The statement that inserts a row with all columns.
    let insertion: String
    /// The statement that finds the row of an identity.
    let lookup: String
    /// The statement that reads the object of an identity.
    let finding: String
    /// The statement that reads the objects of identities: a JSON array of values, or of arrays with the values of
    /// each.
    let findingAll: String
    /// The statement that returns the last row of the table.
    let lastRow: String
    /// The argument of `RowMarks.query`.
    let rowMark: [StoredValue]

    var name: String { type.name }

    /// Combines a class with the entity of the same name in a file.
    init(_ index: Int, _ type: ManagedClass, _ classes: [ManagedClass], in model: ObjectModel) {
        self.index = index
        self.type = type
        let position = model.index(of: type.name) ?? index
        let description = model.entities[position]
        table = Schema.quoted(type.name)
        columns = type.attributes.indices.filter { !type.attributes[$0].isTransient }
        columnNames = columns.map { Schema.quoted(type.attributes[$0].name) }
        // In the order of the file, which connections of several keys use.
        identity = description.identity.compactMap { name in type.attributes.firstIndex { $0.name == name } }
        let (identity, columns) = (identity, columns)
        identityColumns = identity.compactMap { columns.firstIndex(of: $0) }
        let mapped = (type.type as? any Mappable.Type).map { Self.keyedRelationships(of: $0, type) } ?? []
        relationships = type.relationships.map { relationship in
            let place = description.relationships.firstIndex { $0.name == relationship.name } ?? 0
            let destination = classes.firstIndex { $0.type == relationship.target } ?? 0
            let inverse = description.relationships[place].inverse
            let (by, isAny) = (description.relationships[place].by, description.relationships[place].any)
            let order = model.entity(named: classes[destination].name)?.identity ?? []
            let declared = classes[destination].attributes.filter(\.isIdentity).map(\.name)
            let keys =
                (isAny ? by.map { [$0] } : [by])
                + mapped.filter { $0.name == relationship.name && $0.keys.count == declared.count }.map { mapped in
                    // Mappings use the order of the class.
                    order.compactMap { name in declared.firstIndex(of: name).map { mapped.keys[$0] } }
                }
            return Relationship(
                name: relationship.name, destination: destination,
                inverse: inverse.flatMap { name in classes[destination].relationships.firstIndex { $0.name == name } },
                storage: model.storage(ofEntityAt: position, relationship: place),
                column: Schema.quoted(relationship.name),
                keys: Set(keys.filter { !$0.isEmpty && $0.count == order.count }).map { $0.map(Schema.quoted) })
        }
        toOnes = type.relationships.indices.filter { !type.relationships[$0].isToMany }
        loadSteps =
            columns.map { index in
                let attribute = type.attributes[index]
                return LoadStep(
                    offset: attribute.offset, direct: attribute.direct, attribute: index,
                    isIdentity: attribute.isIdentity)
            }
            + toOnes.map {
                LoadStep(offset: type.relationships[$0].offset, direct: .row, attribute: 0, isIdentity: false)
            }
        validated = type.attributes.filter(\.needsValidation)
        generated = type.attributes.filter(\.isGenerated).map(\.offset)
        isTarget = classes.contains { $0.relationships.contains { $0.target == type.type } }
        let table = table
        let names = columnNames + toOnes.map { Schema.quoted(type.relationships[$0].name) }
        selection = (["\"_id\""] + names).map { "\(table).\($0)" }.joined(separator: ", ")
        insertion =
            "INSERT INTO \(table)(\"_id\"\(names.map { ", " + $0 }.joined())) "
            + "VALUES(?\(String(repeating: ", ?", count: names.count)))"
        let conditions = identity.map { "\(Schema.quoted(type.attributes[$0].name)) = ?" }
        let condition = "FROM \(table) WHERE \(conditions.joined(separator: " AND "))"
        lastRow = "SELECT max(\"_id\") FROM \(table)"
        rowMark = [.text(RowMarks.key(of: type.name))]
        lookup = "SELECT \"_id\" \(condition)"
        finding = "SELECT \(selection) \(condition)"
        let keys = identity.enumerated().map { index, attribute in
            let value =
                identity.count == 1
                ? "\"_mappingkit_keys\".value" : "json_extract(\"_mappingkit_keys\".value, '$[\(index)]')"
            return "\(table).\(Schema.quoted(type.attributes[attribute].name)) = \(value)"
        }
        // A cross join, so that the identities are looked up with their index.
        findingAll =
            "SELECT \(selection) FROM json_each(?) AS \"_mappingkit_keys\" CROSS JOIN \(table) "
            + "ON \(keys.joined(separator: " AND "))"
    }

    /// Returns the relationships that the mapping of a class sets by keys, by the names of the properties.
    private static func keyedRelationships<Class: Mappable>(
        of _: Class.Type, _ type: ManagedClass
    ) -> [(name: String, keys: [String])] {
        Class.mapping.keyedRelationships.compactMap { relationship in
            guard let name = type.steps(of: relationship.destination)?.last?.name else { return nil }
            return (name, relationship.keys.compactMap { type.steps(of: $0)?.last?.name })
        }
    }

    /// Returns the quoted column of an attribute of the class.
    func column(ofAttribute index: Int) -> String { Schema.quoted(type.attributes[index].name) }
}

extension StoredEntity {
    /// Returns the quoted name of a column by its index among all written columns.
    func columnName(_ position: Int) -> String {
        position < columns.count ? columnNames[position] : relationships[toOnes[position - columns.count]].column
    }
}
