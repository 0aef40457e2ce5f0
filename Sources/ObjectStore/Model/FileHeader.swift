import MappingDigests
import ObjectMapping
import MappingSystemCalls

/// Identifies the files of this package.
enum FileHeader {
    /// Rejects what SQLite does not recognize as another file: it overwrites files that are shorter than its header, and
    /// reading a pipe does not end.
    static func check(_ status: stat, path: String) throws(StoreError) {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(
                .cannotOpen,
                "cannot open '\(path)': it is \(status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file")"
            )
        }
        guard status.st_size == 0 || status.st_size >= 512 else {
            throw StoreError(
                .corrupt,
                "'\(path)' is not a SQLite database: it has \(status.st_size) \(status.st_size == 1 ? "byte" : "bytes")",
                advice: "move it away, or build or copy it again")
        }
    }

    static func empty(_ path: String) -> StoreError { StoreError(.foreign, "'\(path)' is empty: it has no database") }

    /// Rejects files of other programs and of newer versions.
    static func check(_ database: SQLiteDatabase, path: String) throws(StoreError) {
        let application = try database.integer("PRAGMA application_id")
        guard application == Schema.applicationID else {
            guard try !isEmpty(database) else {
                throw empty(path)
            }
            throw StoreError(
                .foreign, "'\(path)' was not created by MappingKit (its application_id is \(application))",
                advice: "use any SQLite tool to read it")
        }
        let version = try database.integer("PRAGMA user_version")
        guard version <= Schema.formatVersion else {
            throw StoreError(
                .newerFormat,
                "unsupported format \(version) of '\(path)'; this version of MappingKit reads up to \(Schema.formatVersion)",
                advice: "update MappingKit")
        }
    }

    /// Whether a database has no table and no application ID: it was just created.
    static func isEmpty(_ database: SQLiteDatabase) throws(StoreError) -> Bool {
        guard try database.integer("PRAGMA application_id") == 0 else { return false }
        return try database.integer("SELECT count(*) FROM sqlite_schema") == 0
    }

    /// Returns the model in the metadata of the file.
    static func model(of database: SQLiteDatabase, path: String) throws(StoreError) -> ObjectModel {
        let text = try readingMetadata(of: path) { () throws(StoreError) in
            try database.value(#"SELECT "value" FROM "_mappingkit" WHERE "key" = 'model'"#)?.text ?? ""
        }
        do {
            return try ObjectModel(json: try JSON(text))
        } catch {
            throw StoreError(
                .corrupt, "the model in '\(path)' cannot be read: \(error)", advice: "build or copy the file again")
        }
    }

    /// Calls a closure that reads `_mappingkit`, the table that every file of this package has.
    static func readingMetadata<Result>(
        of path: String, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            guard error.isOfInvalidStatement else { throw error }
            throw StoreError(
                .corrupt, "'\(path)' lacks '_mappingkit', the table with its model",
                advice: "restore the file from a backup, or build it again", code: error.code)
        }
    }

    // MARK: Identifier

    private static let selection = #"SELECT "value" FROM "_mappingkit" WHERE "key" = 'identifier'"#

    /// Whether the file has an identifier: seeds and older files have none before they are opened for writing.
    static func isIdentified(_ database: SQLiteDatabase) throws(StoreError) -> Bool {
        try database.value(selection)?.text != nil
    }

    /// Gives the file an identifier, unless another process has.
    static func identify(_ database: SQLiteDatabase) throws(StoreError) {
        try database.run(
            #"INSERT OR IGNORE INTO "_mappingkit"("key", "value") VALUES('identifier', ?)"#, [UUID().storedValue])
    }

    /// Returns the identifier of a file; one that is derived from its path if it has none.
    static func identifier(of database: SQLiteDatabase, path: String) throws(StoreError) -> String {
        if let text = try database.value(selection)?.text { return text }
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return "path-\(SHA256.hex(of: resolved.utf8).prefix(32))"
    }
}
