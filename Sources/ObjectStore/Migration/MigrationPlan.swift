import ObjectMapping

/// What opening a file with a model would change in it.
///
/// ```swift
/// let plan = try await ManagedObjectStore.migrationPlan(at: url, model: model)
/// print(plan)
/// ```
public struct MigrationPlan: Sendable, CustomStringConvertible {
    /// A change of the plan.
    public struct Change: Sendable, Hashable, CustomStringConvertible {
        /// The entity, by its new name; `nil` for a conflict of the names of entities.
        public let entity: String?
        /// The attribute or relationship, by its new name; `nil` for changes of entities and indexes.
        public let property: String?
        /// What is done, such as "rename 'Task.title' to 'name'".
        public let description: String
        /// Whether values of the file are deleted.
        public let losesValues: Bool
        /// The reason why the change cannot be made; `nil` if it can.
        public let obstacle: String?

        /// The entry in the problems of the plan; `nil` if the change can be made.
        var problem: String? { obstacle.map { "\(description): \($0)" } }
    }

    /// The changes, in the order of the model; those of several versions follow each other.
    public let changes: [Change]
    /// The names of the steps that would run.
    public let steps: [String]
    /// The SQL statements, in their order.
    public let statements: [String]
    /// The reasons why the migration is refused: changes with an obstacle, and rows of the file, such as duplicates of a new
    /// identity.
    public let problems: [String]

    /// Whether the file needs no change.
    public var isEmpty: Bool { changes.isEmpty && steps.isEmpty && statements.isEmpty }

    /// Whether opening the file would succeed, provided that its steps do: they do not run for a plan.
    public var isPossible: Bool { problems.isEmpty }

    /// The changes, one per line; those that are not possible with the reason.
    public var description: String {
        if isEmpty { return "nothing to change" }
        var lines = changes.map { change in
            change.description + (change.obstacle.map { " – not possible: \($0)" } ?? "")
        }
        lines += steps.map { "run the step '\($0)'" }
        let known = Set(changes.compactMap(\.problem))
        lines += problems.filter { !known.contains($0) }.map { "not possible: \($0)" }
        return lines.isEmpty ? "update the indexes" : lines.joined(separator: "\n")
    }
}
