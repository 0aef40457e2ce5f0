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
    /// The positions of numbers whose digits an attribute of the type `double` does not keep; up to the limit of the
    /// check.
    public internal(set) var lostDigits: [SeedIssue] = []
    /// The number of such numbers beyond the limit.
    public internal(set) var furtherLostDigits = 0
    /// The attributes and nested relationships without a value in any element; empty if a dump could not be read
    /// completely.
    public internal(set) var unusedRules: [UnusedRule] = []
    /// The unresolved connections, which a build stores as NULL; empty if a dump could not be read completely.
    public internal(set) var unresolved: [SeedReport.Unresolved] = []

    /// Whether a build would succeed without skipping an element.
    public var isValid: Bool { issues.isEmpty && furtherIssues == 0 && failures.isEmpty }

    /// The number of elements that replace a value of an earlier one with the same identity.
    public var conflictCount: Int { entities.reduce(0) { $0 + $1.conflicts } }

    /// Whether there are no warnings either: no duplicate keys, conflicting merges, lost digits or unresolved
    /// connections.
    ///
    /// An attribute without values (``unusedRules``) is not an error: it can be optional.
    public var isClean: Bool {
        isValid && conflictCount == 0 && duplicateKeys.isEmpty && furtherDuplicateKeys == 0 && unresolved.isEmpty
            && lostDigits.isEmpty && furtherLostDigits == 0
    }
}
