extension ManagedObjectStore {
    /// Calls a closure; if a statement fails because others have removed tables or columns of the model, the error names them.
    func checkingTables<Result>(
        of connection: StoreConnection, _ body: (StoreConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try body(connection)
        } catch {
            guard error.isOfInvalidStatement else { throw error }
            try pool.model?.check(connection)
            guard let missing = try? missingColumns(connection), !missing.isEmpty else {
                throw error
            }
            throw StoreError(
                .corrupt,
                "'\(url?.path ?? "the store")' lacks \(missing.map { "'\($0)'" }.joined(separator: ", ")) of its model: another "
                    + "program has changed the tables",
                advice: "restore the file from a backup, or build it again", code: error.code, sql: error.sql)
        }
    }

    /// Returns the tables and columns of entities that do not exist.
    private func missingColumns(_ connection: StoreConnection) throws(StoreError) -> [String] {
        var missing: [String] = []
        for entity in entities {
            let rows = try connection.database.prepare("SELECT name FROM pragma_table_info(?)").rows([
                .text(entity.name)
            ])
            let columns = Set(rows.compactMap(\.first?.text))
            let relationships = entity.toOnes.map { entity.relationships[$0].name }
            let expected = entity.description.attributes.map(\.name) + relationships
            missing +=
                columns.isEmpty
                ? [entity.name] : expected.filter { !columns.contains($0) }.map { "\(entity.name).\($0)" }
        }
        return missing
    }
}
