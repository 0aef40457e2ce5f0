public import ObjectMapping

extension SeedReport {
    /// The report as JSON, as `seed-db build --report` writes it.
    ///
    /// ```json
    /// { "path": "seed.sqlite", "size": 65536, "seconds": 0.02, "peakMemoryBytes": 19525632, "rejects": null,
    ///   "entities": [{ "name": "User", "rows": 2, "merged": 0, "conflicts": 0 }],
    ///   "sources": [{ "file": "users.json", "read": 2, "kept": 2, "rejected": 0 }],
    ///   "unresolved": [{ "entity": "Task", "relationship": "assignedUser", "destination": "User", "count": 1,
    ///                    "samples": ["9"] }] }
    /// ```
    public var json: JSON {
        [
            "path": .string(path),
            "size": .integer(size),
            "seconds": .double((seconds * 1000).rounded() / 1000),
            "peakMemoryBytes": .integer(peakMemory),
            "rejects": rejectsPath.map { .string($0) } ?? .null,
            "entities": .array(
                entities.map { entity in
                    [
                        "name": .string(entity.name), "rows": .integer(entity.rows), "merged": .integer(entity.merged),
                        "conflicts": .integer(entity.conflicts),
                    ]
                }),
            "sources": .array(
                sources.map { source in
                    [
                        "file": .string(source.file), "read": .integer(source.read), "kept": .integer(source.kept),
                        "rejected": .integer(source.rejected),
                    ]
                }),
            "unresolved": .array(
                unresolved.map { unresolved in
                    [
                        "entity": .string(unresolved.entity), "relationship": .string(unresolved.relationship),
                        "destination": .string(unresolved.destination), "count": .integer(unresolved.count),
                        "samples": .array(unresolved.samples.map { .string($0) }),
                    ]
                }),
        ]
    }
}
