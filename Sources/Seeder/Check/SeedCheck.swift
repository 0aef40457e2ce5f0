/// The result of ``ObjectSeeder/check(limit:)``: what a build would store, and the problems that it would find.
public struct SeedCheck: Sendable, Hashable {
    /// The rows of each entity, in the order of the model.
    public internal(set) var entities: [SeedReport.Entity] = []
    /// The numbers of each source, if invalid elements were skipped.
    public internal(set) var sources: [SeedReport.Source] = []
    /// The issues of the dumps, in their order, up to the limit of the check.
    public internal(set) var issues: [SeedIssue] = []
    /// The number of issues beyond the limit.
    public internal(set) var furtherIssues = 0
    /// Dumps that could not be read completely, for a reason other than an issue, such as a truncated `a.json.gz`.
    public internal(set) var failures: [SeedError] = []
    /// Duplicate keys of objects, of which the last value is used; up to the limit of the check.
    public internal(set) var duplicateKeys: [SeedIssue] = []
    /// The number of duplicate keys beyond the limit.
    public internal(set) var furtherDuplicateKeys = 0
    /// The positions of elements that replace a value of an earlier one with the same identity; up to the limit of the check.
    public internal(set) var conflicts: [SeedIssue] = []
    /// The unresolved connections, which a build stores as NULL; empty if a dump could not be read completely.
    public internal(set) var unresolved: [SeedReport.Unresolved] = []

    /// Whether a build would succeed without skipping an element.
    public var isValid: Bool { issues.isEmpty && furtherIssues == 0 && failures.isEmpty }

    /// The number of elements that replace a value of an earlier one with the same identity.
    public var conflictCount: Int { entities.reduce(0) { $0 + $1.conflicts } }

    /// Whether there are no warnings either: no duplicate keys, conflicting merges or unresolved connections.
    public var isClean: Bool {
        isValid && conflictCount == 0 && duplicateKeys.isEmpty && furtherDuplicateKeys == 0 && unresolved.isEmpty
    }
}
