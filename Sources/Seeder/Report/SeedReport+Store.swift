import ObjectMapping
package import ObjectStore

extension SeedReport.Entity {
    /// Creates the report from the counts of the store.
    init(_ count: StoreSummary.EntityCount) {
        self.init(name: count.entity, rows: count.rows, merged: count.merged, conflicts: count.conflicts)
    }
}

extension SeedReport.Unresolved {
    /// Creates the report of unresolved connections; single keys are not wrapped in an array or object.
    package init(_ unresolved: UnresolvedConnections) {
        self.init(
            entity: unresolved.entity, relationship: unresolved.relationship, destination: unresolved.destination,
            count: unresolved.count, samples: unresolved.samples.map(Self.shortened))
    }

    /// Returns `7` for `[7]` and `{"sku":7}`; `["a","b"]` is unchanged.
    private static func shortened(_ key: String) -> String {
        guard let json = try? JSON(key), let parts = json.array ?? json.object?.values, parts.count == 1,
            let part = parts.first
        else { return key }
        return part.string ?? part.text
    }
}
