/// What a build would find in its dumps, as ``ObjectSeeder/check(limit:)`` tells it.
public struct SeedCheck: Sendable, Hashable {
    /// The rows of each entity, in the order of the model.
    public internal(set) var entities: [SeedReport.Entity] = []
    /// What would become of each source with elements that do not fit left out, in the order given.
    public internal(set) var sources: [SeedReport.Source] = []
    /// What is wrong with the dumps, in their order, each with its place; at most as many as were asked for.
    public internal(set) var issues: [SeedIssue] = []
    /// How many issues there are beyond those.
    public internal(set) var furtherIssues = 0
    /// Dumps that could not be read to their ends and why, where an issue cannot say it: as `a.json.gz` cut off.
    public internal(set) var failures: [SeedError] = []
    /// Keys that stand again in their objects, mapped or not, of which the last one counts; at most as many as issues.
    public internal(set) var duplicateKeys: [SeedIssue] = []
    /// How many of them there are beyond those.
    public internal(set) var furtherDuplicateKeys = 0
    /// The places of elements that replace a value of an earlier one with the same identity; at most as many as issues.
    public internal(set) var conflicts: [SeedIssue] = []
    /// The connections that lead nowhere, null in a database; empty if a dump could not be read to its end.
    public internal(set) var unresolved: [SeedReport.Unresolved] = []

    /// Whether a build would succeed with nothing left out.
    public var isSound: Bool { issues.isEmpty && furtherIssues == 0 && failures.isEmpty }

    /// The number of elements that replace a value of an earlier one with the same identity.
    public var conflictCount: Int { entities.reduce(0) { $0 + $1.conflicts } }

    /// Whether there are no warnings either: no duplicate keys, conflicting merges or unresolved connections.
    public var isClean: Bool {
        isSound && conflictCount == 0 && duplicateKeys.isEmpty && furtherDuplicateKeys == 0 && unresolved.isEmpty
    }
}
