import ObjectMapping

/// What tells a file of ours from others.
enum FileHeader {
    /// Refuses files of other programs and of newer versions.
    static func check(_ database: SQLiteDatabase) throws(StoreError) {
        let application = try database.integer("PRAGMA application_id")
        guard application == Schema.applicationID else {
            throw StoreError(
                .foreign, "the database was not made by MappingKit (its application_id is \(application))",
                advice: "use any SQLite tool to read it")
        }
        let version = try database.integer("PRAGMA user_version")
        guard version <= Schema.formatVersion else {
            throw StoreError(
                .newerFormat,
                "the database has format \(version), this version of MappingKit reads up to \(Schema.formatVersion)",
                advice: "update MappingKit")
        }
    }

    /// The model that the file says it keeps.
    static func model(of database: SQLiteDatabase, path: String) throws(StoreError) -> ObjectModel {
        let text = try database.value(#"SELECT "value" FROM "_mappingkit" WHERE "key" = 'model'"#)?.text ?? ""
        do {
            return try ObjectModel(json: try JSON(text))
        } catch {
            throw StoreError(
                .corrupt, "the model in '\(path)' cannot be read: \(error)", advice: "build or copy the file anew")
        }
    }
}
