public import ObjectMapping

extension ManagedObjectStore {
    /// Returns what opening a file with a model would change, without changing anything.
    ///
    /// ```swift
    /// let plan = try await ManagedObjectStore.migrationPlan(at: url, model: model)
    /// print(plan)                      // rename 'Task.title' to 'name'
    /// print(plan.statements.joined(separator: "\n"))
    /// ```
    ///
    /// Steps are listed, but do not run.
    ///
    /// - Parameters:
    ///   - url: The file, or a seed.
    ///   - model: The managed classes, or entities without classes.
    ///   - options: The options with which the file would be opened. Defaults to the default options.
    /// - Throws: `StoreError`, of kind `cannotOpen` if the file does not exist.
    public static func migrationPlan(
        at url: URL, model: ObjectModel, options: Options = Options()
    ) async throws -> MigrationPlan {
        try await blocking { () throws(StoreError) in
            let file = try StoreFile(url, options)
            guard try !file.isMissing() else {
                throw StoreError(.cannotOpen, "there is no file '\(file.path)'")
            }
            let connection = try file.openReader()
            defer { connection.close() }
            try connection.run("BEGIN")
            try FileHeader.check(connection.database, path: file.path)
            let stored = try FileHeader.model(of: connection.database, path: file.path)
            let migration = try Migration(from: stored, to: model, options, in: connection.database)
            return try migration.plan(in: connection.database, path: file.path)
        }
    }
}
