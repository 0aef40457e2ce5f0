/// What an upgrade to a new seed has changed.
///
/// ```swift
/// let report = try await store.upgradeSeed(to: newSeed)
/// print(report["Product"]?.updated ?? 0, report.conflicts)
/// ```
public struct SeedUpgradeReport: Sendable, CustomStringConvertible {
    /// The numbers of objects of an entity.
    public struct Counts: Sendable, Hashable {
        /// The entity.
        public let entity: String
        /// Objects that the new seed has added.
        public internal(set) var inserted = 0
        /// Objects with values of the new seed.
        public internal(set) var updated = 0
        /// Objects that the new seed no longer has.
        public internal(set) var removed = 0
        /// Objects of the seed that keep changes of the user.
        public internal(set) var kept = 0
        /// Objects of the seed that the user has deleted.
        public internal(set) var deleted = 0

        init(entity: String) { self.entity = entity }
    }

    /// The counts of all entities, in the order of the model.
    public internal(set) var entities: [Counts]
    /// The conflicts, which were resolved by the policy.
    public internal(set) var conflicts: [SeedConflict] = []
    /// Whether the file already had the content of the seed.
    public internal(set) var isUpToDate = false

    /// Returns the counts of an entity; `nil` if the model does not contain it.
    public subscript(entity: String) -> Counts? { entities.first { $0.entity == entity } }

    /// The counts of changed entities and the number of conflicts.
    public var description: String {
        let changed = entities.filter { $0 != Counts(entity: $0.entity) }
        let texts = changed.map { counts in
            "\(counts.entity): \(counts.inserted) inserted, \(counts.updated) updated, \(counts.removed) removed, "
                + "\(counts.kept) kept, \(counts.deleted) deleted"
        }
        let count = "\(conflicts.count) \(conflicts.count == 1 ? "conflict" : "conflicts")"
        let conflicts = conflicts.isEmpty ? [] : [count]
        return texts.isEmpty && conflicts.isEmpty ? "no changes" : (texts + conflicts).joined(separator: "; ")
    }
}
