import ObjectMapping

/// The SQL schema of a model.
package struct Schema: Sendable {
    /// The `application_id` of all files: "MKDB".
    package static let applicationID: Int64 = 0x4D4B_4442
    /// The `user_version` of files written by this version.
    package static let formatVersion: Int64 = 2

    package let model: ObjectModel

    package init(_ model: ObjectModel) {
        self.model = model
    }

    /// A table or index that is named after a relationship.
    struct DerivedName {
        let name: String
        /// "table" or "index".
        let kind: String
        let entity: String
        let relationship: String
    }

    /// The names composed of those of an entity and a relationship.
    var derivedNames: [DerivedName] {
        relationships.compactMap { entity, relationship in
            let description = entity.description.relationships[relationship]
            let (name, kind): (String, String)
            switch model.storage(ofEntityAt: entity.index, relationship: relationship) {
            case .column, .mirror:
                (name, kind) = (Self.indexName(entity.description.name, Self.escaped(description.name)), "index")
            case .joinTable(let table, isOwner: true), .linkTable(let table, inverse: _):
                (name, kind) = (table, "table")
            case .joinTable, .inverseColumn: return nil
            }
            return DerivedName(
                name: name, kind: kind, entity: entity.description.name, relationship: description.name)
        }
    }

    /// Every table, in the order of the model.
    package var tables: [String] {
        let ownTables = [
            #"CREATE TABLE "_mappingkit"("key" TEXT PRIMARY KEY, "value") WITHOUT ROWID"#,
            #"CREATE TABLE "_mappingkit_pending"("entity" TEXT, "row" INTEGER, "relationship" TEXT, "key" TEXT)"#,
        ]
        return ownTables + model.entities.map { table(of: $0) } + joinTables.map(\.sql)
    }

    /// Returns the unique index for an entity's identity; `nil` for an entity without one.
    package func identityIndex(of entity: EntityDescription) -> String? {
        guard !entity.identity.isEmpty else { return nil }
        let columns = entity.identity.map(Self.quoted).joined(separator: ", ")
        let name = Self.quoted("_mappingkit_identity_\(entity.name)")
        return "CREATE UNIQUE INDEX \(name) ON \(Self.quoted(entity.name))(\(columns))"
    }

    /// The indexes for the columns of relationships.
    package var relationshipIndexes: [String] {
        relationships.compactMap { entity, relationship in
            let description = entity.description.relationships[relationship]
            switch model.storage(ofEntityAt: entity.index, relationship: relationship) {
            case .column, .mirror: return Self.index(table: entity.description.name, column: description.name)
            case .joinTable(let table, isOwner: true): return Self.index(table: table, column: "target")
            case .linkTable(let table, inverse: _): return Self.index(table: table, column: "target", isUnique: true)
            case .joinTable, .inverseColumn: return nil
            }
        } + [Self.pendingIndex]
    }

    /// The index that finds the unresolved connections to an object, and their rows without reading the table.
    static let pendingIndex =
        #"CREATE INDEX IF NOT EXISTS "_mappingkit_index_pending" ON "_mappingkit_pending""#
        + #"("entity", "relationship", "key", "row")"#

    /// The index that finds the unresolved connections of a row; not in seeds, whose rows do not change.
    static let pendingRowIndex =
        #"CREATE INDEX IF NOT EXISTS "_mappingkit_index_pending_row" ON "_mappingkit_pending""#
        + #"("entity", "row", "relationship")"#

    /// The indexes for attributes; in seeds, only those that keys are compared with.
    var attributeIndexes: [String] {
        model.entities.flatMap { entity in entity.declaredIndexes.map { Self.index($0, of: entity) } }
    }

    /// The metadata of the file in `_mappingkit`.
    package var metadata: [(key: String, value: StoredValue)] {
        [
            ("format", .integer(Schema.formatVersion)), ("hash", .text(model.hash)),
            ("model", .text(model.json.text)),
        ]
    }

    /// Returns the index for one column of a relationship.
    package static func index(table: String, column: String, isUnique: Bool = false) -> String {
        let name = quoted(indexName(table, escaped(column)))
        return "CREATE \(isUnique ? "UNIQUE " : "")INDEX IF NOT EXISTS \(name) ON \(quoted(table))(\(quoted(column)))"
    }

    /// Returns the statement that creates an index over attributes.
    static func index(_ index: ObjectIndex, of entity: EntityDescription) -> String {
        let columns = index.attributes.map(quoted).joined(separator: ", ")
        return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX IF NOT EXISTS \(name(of: index, of: entity)) "
            + "ON \(quoted(entity.name))(\(columns))"
    }

    /// Returns the quoted name of an index over attributes.
    static func name(of index: ObjectIndex, of entity: EntityDescription) -> String {
        quoted(indexName(entity.name, index.attributes.map(escaped).joined(separator: ",")))
    }

    /// Returns a quoted name for SQL.
    package static func quoted(_ name: String) -> String {
        "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }

    // MARK: Parts

    private typealias IndexedEntity = (index: Int, description: EntityDescription)

    /// Every relationship, in the order of the model.
    private var relationships: [(IndexedEntity, Int)] {
        model.entities.enumerated().flatMap { index, entity in
            entity.relationships.indices.map { ((index, entity), $0) }
        }
    }

    /// Returns the statement that creates the table of an entity.
    ///
    /// - Parameter name: The name of the table. Defaults to that of the entity.
    func table(of entity: EntityDescription, named name: String? = nil) -> String {
        var columns = [#""_id" INTEGER PRIMARY KEY"#]
        columns += entity.attributes.map(Self.column)
        columns += entity.relationships.filter { !$0.isToMany }.map(Self.column)
        return "CREATE TABLE \(Self.quoted(name ?? entity.name))(\(columns.joined(separator: ", ")))"
    }

    static func column(of attribute: AttributeDescription) -> String {
        "\(quoted(attribute.name)) \(columnType(of: attribute.type))"
    }

    static func column(of relationship: RelationshipDescription) -> String {
        #"\#(quoted(relationship.name)) INTEGER REFERENCES \#(quoted(relationship.destination))("_id")"#
    }

    /// The statements that create tables of links, by the names of the tables.
    var joinTables: [(name: String, sql: String)] {
        relationships.compactMap { entity, relationship in
            let storage = model.storage(ofEntityAt: entity.index, relationship: relationship)
            guard let link = storage.linkTable, link.isOwner else { return nil }
            let owner = Self.quoted(entity.description.name)
            let target = Self.quoted(entity.description.relationships[relationship].destination)
            return (
                link.table,
                #"CREATE TABLE \#(link.name)("owner" INTEGER REFERENCES \#(owner)("_id"), "#
                    + #""target" INTEGER REFERENCES \#(target)("_id"), "position" INTEGER, "#
                    + #"PRIMARY KEY("owner", "target")) WITHOUT ROWID"#
            )
        }
    }

    static func columnType(of type: AttributeType) -> String {
        guard !type.isList else { return "TEXT" }
        return switch type.scalar {
        case .integer, .boolean: "INTEGER"
        case .double: "REAL"
        case .data: "BLOB"
        case .string, .date, .decimal, .uuid, .url, .json: "TEXT"
        }
    }

    private static func indexName(_ table: String, _ columns: String) -> String {
        "_mappingkit_index_\(escaped(table)).\(columns)"
    }

    /// Returns a part of the name of an index without its separators: the names of different columns differ.
    private static func escaped(_ name: String) -> String {
        name.contains { ".,%".contains($0) }
            ? name.replacing("%", with: "%25").replacing(".", with: "%2E").replacing(",", with: "%2C") : name
    }
}
