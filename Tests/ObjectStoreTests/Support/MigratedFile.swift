import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// A file with the objects of an earlier model.
struct MigratedFile {
    let folder: TemporaryDirectory
    let url: URL

    /// Creates a file with a model, and runs statements in it.
    init(_ entities: [EntityDescription], _ statements: String...) throws {
        folder = try TemporaryDirectory()
        url = folder.file("app.sqlite")
        let store = try ManagedObjectStore(at: url, model: ObjectModel(entities: entities))
        try store.write { (connection) throws(StoreError) in
            for sql in statements { try connection.database.execute(sql) }
        }
        try store.checkpoint()
        store.close()
    }

    /// Opens the file with another model.
    func migrate(to entities: [EntityDescription], steps: [MigrationStep] = []) throws -> ManagedObjectStore {
        try ManagedObjectStore(at: url, model: ObjectModel(entities: entities), options: Self.options(steps))
    }

    static func options(_ steps: [MigrationStep]) -> ManagedObjectStore.Options {
        var options = ManagedObjectStore.Options()
        options.migrationSteps = steps
        return options
    }

    /// Returns the error with which the file is refused, which leaves its bytes.
    func refusal(
        of entities: [EntityDescription], steps: [MigrationStep] = [], at location: SourceLocation = #_sourceLocation
    ) throws -> StoreError? {
        let before = try content()
        let error = #expect(throws: StoreError.self, sourceLocation: location) {
            try migrate(to: entities, steps: steps)
        }
        #expect(try content() == before, sourceLocation: location)
        return error
    }

    /// Everything in the file.
    func content() throws -> [String: [[StoredValue]]] {
        let database = try SQLiteDatabase(path: url.path, mode: .readOnly)
        defer { database.close() }
        var content: [String: [[StoredValue]]] = [:]
        for name in try database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").rows([]) {
            let table = name[0].text ?? ""
            content[table] = try database.prepare("SELECT * FROM \(Schema.quoted(table))").rows([])
        }
        content["schema"] = try database.prepare("SELECT type, name, sql FROM sqlite_schema").rows([])
        return content
    }

    /// Expects that the file has the tables, columns and indexes of a new one, and no damage.
    func expectComplete(_ entities: [EntityDescription], at location: SourceLocation = #_sourceLocation) throws {
        let new = try ManagedObjectStore(inMemory: ObjectModel(entities: entities))
        let found = try ManagedObjectStore(at: url, model: ObjectModel(entities: entities))
        #expect(try Self.schema(found) == Self.schema(new), sourceLocation: location)
        #expect(try SeedDatabase(at: url).damages() == [], sourceLocation: location)
        #expect(try SeedDatabase(at: url).model.hash == ObjectModel(entities: entities).hash, sourceLocation: location)
    }

    /// Expects that a store that was just migrated has the tables, columns and indexes of a new file.
    ///
    /// The next opening could repair them.
    static func expectComplete(
        _ store: ManagedObjectStore, _ entities: [EntityDescription], at location: SourceLocation = #_sourceLocation
    ) throws {
        let new = try ManagedObjectStore(inMemory: ObjectModel(entities: entities))
        #expect(try schema(store) == schema(new), sourceLocation: location)
    }

    /// The columns and indexes of all tables with a prefix-free name.
    private static func schema(_ store: ManagedObjectStore) throws -> Set<String> {
        let columns = try store.rows(
            sql: """
                SELECT m.name || '.' || c.name || ' ' || c.type || coalesce(' > ' || f."table", '') AS text
                FROM sqlite_schema m, pragma_table_info(m.name) c
                LEFT JOIN pragma_foreign_key_list(m.name) f ON f."from" = c.name
                WHERE m.type = 'table' AND m.name NOT IN ('_mappingkit_unsent', '_mappingkit_saves')
                """)
        let indexes = try store.rows(sql: "SELECT sql AS text FROM sqlite_schema WHERE type IN ('index', 'trigger')")
        return Set((columns + indexes).compactMap { $0["text"]?.text })
    }
}

extension ManagedObjectStore {
    /// The rows of a statement as text: values separated by commas, rows by semicolons.
    func text(_ sql: String) throws -> String {
        try rows(sql: sql).map { row in
            row.values.map { $0.text ?? $0.description }.joined(separator: ",")
        }.joined(separator: ";")
    }
}

extension EntityDescription {
    /// An entity that is identified by `id`.
    init(
        _ name: String, _ attributes: [AttributeDescription] = [], _ relationships: [RelationshipDescription] = [],
        was: [String] = []
    ) {
        self.init(
            name, identifiedBy: ["id"], attributes: [AttributeDescription("id", AttributeType(.integer))] + attributes,
            relationships: relationships, formerNames: was)
    }
}

extension AttributeDescription {
    static func string(_ name: String, was: String...) -> AttributeDescription {
        AttributeDescription(name, AttributeType(.string), formerNames: was)
    }

    static func integer(_ name: String, was: String...) -> AttributeDescription {
        AttributeDescription(name, AttributeType(.integer), formerNames: was)
    }
}
