import ObjectMapping

/// The SQL of the file that keeps a model.
package struct Schema: Sendable {
    /// `application_id` of every file: "MKDB".
    package static let applicationID: Int64 = 0x4D4B_4442
    /// `user_version` of the files written by this version.
    package static let formatVersion: Int64 = 1

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

    /// The names that are made of those of an entity and a relationship.
    var derivedNames: [DerivedName] {
        relationships.compactMap { entity, relationship in
            let description = entity.description.relationships[relationship]
            let (name, kind): (String, String)
            switch model.storage(ofEntityAt: entity.index, relationship: relationship) {
            case .column, .mirror: (name, kind) = (Self.indexName(entity.description.name, description.name), "index")
            case .joinTable(let table, isOwner: true): (name, kind) = (table, "table")
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
        return ownTables + model.entities.map(table) + joinTables
    }

    /// The unique index over an entity's identity; nil for an entity without one.
    package func identityIndex(of entity: EntityDescription) -> String? {
        guard !entity.identity.isEmpty else { return nil }
        let columns = entity.identity.map(Self.quoted).joined(separator: ", ")
        let name = Self.quoted("_mappingkit_identity_\(entity.name)")
        return "CREATE UNIQUE INDEX \(name) ON \(Self.quoted(entity.name))(\(columns))"
    }

    /// The indexes over the columns of relationships.
    package var relationshipIndexes: [String] {
        relationships.compactMap { entity, relationship in
            let description = entity.description.relationships[relationship]
            switch model.storage(ofEntityAt: entity.index, relationship: relationship) {
            case .column, .mirror: return Self.index(table: entity.description.name, column: description.name)
            case .joinTable(let table, isOwner: true): return Self.index(table: table, column: "target")
            case .joinTable, .inverseColumn: return nil
            }
        }
    }

    /// The index over one column of a relationship.
    package static func index(table: String, column: String) -> String {
        let name = quoted(indexName(table, column))
        return "CREATE INDEX IF NOT EXISTS \(name) ON \(quoted(table))(\(quoted(column)))"
    }

    /// A name as SQL takes it, whatever it holds.
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

    private func table(of entity: EntityDescription) -> String {
        var columns = [#""_id" INTEGER PRIMARY KEY"#]
        columns += entity.attributes.map { "\(Self.quoted($0.name)) \(Self.columnType(of: $0.type))" }
        columns += entity.relationships.filter { !$0.isToMany }.map {
            #"\#(Self.quoted($0.name)) INTEGER REFERENCES \#(Self.quoted($0.destination))("_id")"#
        }
        return "CREATE TABLE \(Self.quoted(entity.name))(\(columns.joined(separator: ", ")))"
    }

    private var joinTables: [String] {
        relationships.compactMap { entity, relationship in
            guard
                case .joinTable(let name, isOwner: true) = model.storage(
                    ofEntityAt: entity.index, relationship: relationship)
            else { return nil }
            let owner = Self.quoted(entity.description.name)
            let target = Self.quoted(entity.description.relationships[relationship].destination)
            return #"CREATE TABLE \#(Self.quoted(name))("owner" INTEGER REFERENCES \#(owner)("_id"), "#
                + #""target" INTEGER REFERENCES \#(target)("_id"), "position" INTEGER, "#
                + #"PRIMARY KEY("owner", "target")) WITHOUT ROWID"#
        }
    }

    private static func columnType(of type: AttributeType) -> String {
        guard !type.isList else { return "TEXT" }
        return switch type.scalar {
        case .integer, .boolean: "INTEGER"
        case .double: "REAL"
        case .data: "BLOB"
        case .string, .date, .decimal, .uuid, .url, .json: "TEXT"
        }
    }

    private static func indexName(_ table: String, _ column: String) -> String {
        "_mappingkit_index_\(table).\(column)"
    }
}
