import ObjectMapping
package import ObjectStore

extension SeedReport.Entity {
    /// The report of what the store counted.
    init(_ count: StoreSummary.EntityCount) {
        self.init(name: count.entity, rows: count.rows, merged: count.merged, conflicts: count.conflicts)
    }
}

extension SeedReport.Unresolved {
    /// The report of what the store could not connect; a key of one part as its value.
    package init(_ unresolved: UnresolvedConnections) {
        self.init(
            entity: unresolved.entity, relationship: unresolved.relationship, destination: unresolved.destination,
            count: unresolved.count, samples: unresolved.samples.map(Self.shortened))
    }

    /// `[7]` as `7`, `["a","b"]` as it is.
    private static func shortened(_ key: String) -> String {
        guard let parts = try? JSON(key).array, parts.count == 1, let part = parts.first else { return key }
        return part.string ?? part.text
    }
}
