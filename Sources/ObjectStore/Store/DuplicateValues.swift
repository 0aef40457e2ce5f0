/// Rows of a file with equal values of attributes that the classes declare unique.
enum DuplicateValues {
    /// Returns the error for a unique index that cannot be created.
    ///
    /// - Parameters:
    ///   - sql: The statement that creates the index.
    ///   - model: The model of the file with the declarations of the classes.
    ///   - error: The error of the statement, which is returned if it has another reason.
    static func error(
        for sql: String, of model: ObjectModel, _ error: StoreError, in database: SQLiteDatabase, _ path: String
    ) throws(StoreError) -> StoreError {
        guard error.kind == .constraint else { return error }
        for entity in model.entities {
            let unique = ([entity.identity] + entity.uniqueSets).first { names in
                guard names != entity.identity else { return Schema(model).identityIndex(of: entity) == sql }
                return Schema.index(ObjectIndex(attributes: names, isUnique: true), of: entity)
                    .replacing("IF NOT EXISTS ", with: "") == sql
            }
            guard let names = unique else { continue }
            let rows = try count(in: entity.name, names, database)
            return StoreError(
                .modelMismatch, message(rows, of: names, entity, path),
                advice: "remove the duplicates with a version of the classes without this declaration; the file is "
                    + "unchanged",
                code: error.code, entity: entity.name, violation: try violation(of: names, entity, in: database))
        }
        return error
    }

    /// Returns the number of rows whose values other rows have as well.
    static func count(in table: String, _ names: [String], _ database: SQLiteDatabase) throws(StoreError) -> Int64 {
        let columns = names.map(Schema.quoted)
        return try database.integer(
            """
            SELECT sum("_mappingkit_count") FROM (SELECT count(*) AS "_mappingkit_count" \
            FROM \(Schema.quoted(table)) WHERE \(columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) \
            GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1)
            """)
    }

    /// Returns the first values that several rows have; `nil` if there are none.
    static func violation(
        of names: [String], _ entity: EntityDescription, in database: SQLiteDatabase
    ) throws(StoreError) -> UniqueViolation? {
        let columns = names.map(Schema.quoted).joined(separator: ", ")
        let found = try database.prepare(
            "SELECT \(columns) FROM \(Schema.quoted(entity.name)) "
                + "WHERE \(names.map { "\(Schema.quoted($0)) IS NOT NULL" }.joined(separator: " AND ")) "
                + "GROUP BY \(columns) HAVING count(*) > 1 LIMIT 1"
        ).rows([])
        return found.first.map { UniqueViolation(entity: entity.name, attributes: names, values: $0) }
    }

    static func message(_ count: Int64, of names: [String], _ entity: EntityDescription, _ path: String) -> String {
        "\(count) rows of '\(entity.name)' in '\(path)' have the same \(names.count == 1 ? "value" : "values") of "
            + names.map { "'\($0)'" }.joined(separator: ", ") + " as another row, which the classes "
            + (names == entity.identity ? "declare as identity" : "declare unique")
    }
}

extension UniqueViolation {
    /// The attributes and values, for errors of migrations.
    var text: String {
        "several rows of '\(entity)' would have the same "
            + zip(attributes, values).map { "'\($0)': \($1)" }.joined(separator: ", ")
    }
}
