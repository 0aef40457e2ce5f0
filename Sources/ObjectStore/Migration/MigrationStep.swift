import ObjectMapping

/// A step of a migration that is written by hand, because it cannot be derived from the models.
///
/// ```swift
/// var options = ManagedObjectStore.Options()
/// options.migrationSteps = [
///     MigrationStep("names in two parts", providing: ["Person.first", "Person.last"]) { migration in
///         try migration.update("Person") { row in
///             let parts = (row["name"].text ?? "").split(separator: " ", maxSplits: 1)
///             row["first"] = .text(String(parts.first ?? ""))
///             row["last"] = .text(String(parts.last ?? ""))
///         }
///     }
/// ]
/// ```
///
/// A step runs once for each file, in the transaction of the migration: after attributes, relationships and entities were
/// added and renamed, and before others are removed. The file records its name.
public struct MigrationStep: Sendable {
    /// The name, which files record.
    public let name: String
    /// The model to which the file is changed with this step; `nil` for that of the store.
    let target: ObjectModel?
    /// The attributes and relationships whose values the step provides, as `Entity.name`.
    let provided: Set<String>
    let deletesRows: Bool
    let body: @Sendable (MigrationContext) throws -> Void

    /// Creates a step in Swift.
    ///
    /// - Parameters:
    ///   - name: The name, which must not change after a release.
    ///   - model: An earlier version of the model that the file has after this step, for several versions in a row.
    ///     Defaults to `nil`: the model with which the file is opened.
    ///   - properties: The attributes and relationships whose values the step provides, such as `Person.age`. Without a
    ///     step, a change that needs them is refused. Defaults to none.
    ///   - deletesRows: Whether the step may delete rows. Defaults to `false`: a step that does fails.
    ///   - body: Changes the rows, on the thread that opens the file.
    public init(
        _ name: String, to model: ObjectModel? = nil, providing properties: [String] = [], deletesRows: Bool = false,
        _ body: @escaping @Sendable (MigrationContext) throws -> Void
    ) {
        self.name = name
        target = model
        provided = Set(properties)
        self.deletesRows = deletesRows
        self.body = body
    }

    /// Creates a step of SQL statements.
    ///
    /// ```swift
    /// MigrationStep("ages", providing: ["Person.age"], sql: """
    ///     UPDATE "Person" SET "age" = CAST("_mappingkit_old_age" AS INTEGER)
    ///     """)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name, which must not change after a release.
    ///   - model: An earlier version of the model that the file has after this step. Defaults to `nil`.
    ///   - properties: The attributes and relationships whose values the step provides. Defaults to none.
    ///   - deletesRows: Whether the step may delete rows. Defaults to `false`.
    ///   - statements: INSERT, UPDATE, DELETE or REPLACE statements.
    public init(
        _ name: String, to model: ObjectModel? = nil, providing properties: [String] = [], deletesRows: Bool = false,
        sql statements: String...
    ) {
        self.init(name, to: model, providing: properties, deletesRows: deletesRows) { migration in
            for sql in statements { try migration.write(sql: sql) }
        }
    }
}
