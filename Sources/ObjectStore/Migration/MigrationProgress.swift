/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable {
    /// The number of rows that were visited.
    public let completed: Int
    /// The number of rows that the migration visits.
    public let total: Int
    /// What has ended: a statement, or the name of a step.
    public let description: String

    /// The completed part, from 0 to 1.
    public var fraction: Double { total == 0 ? 1 : Double(completed) / Double(total) }
}
