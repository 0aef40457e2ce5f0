public import ObjectMapping

extension SeedReport {
    /// The report as JSON, as written by `seed-db build --report`.
    ///
    /// ```json
    /// { "path": "seed.sqlite", "size": 65536, "seconds": 0.02, "peakMemoryBytes": 19525632, "rejects": null,
    ///   "entities": [{ "name": "User", "rows": 2, "merged": 0, "conflicts": 0 }],
    ///   "sources": [{ "file": "users.json", "read": 2, "kept": 2, "rejected": 0 }],
    ///   "unresolved": [{ "entity": "Task", "relationship": "assignedUser", "destination": "User", "count": 1,
    ///                    "samples": ["9"] }], "conflicts": [] }
    /// ```
    public var json: JSON {
        (try? Self.mapping.json(of: self, options: WritingOptions(whenNil: .null))) ?? .null
    }

    static let mapping = Mapping(
        SeedReport.self,
        SeedReport.init(path:size:seconds:peakMemory:rejectsPath:entities:sources:unresolved:conflicts:),
        Parameter("path", \.path), Parameter("size", \.size), Parameter("seconds", \.roundedSeconds),
        Parameter("peakMemoryBytes", \.peakMemory), Parameter("rejects", \.rejectsPath),
        Parameter("entities", \.entities, by: Entity.mapping), Parameter("sources", \.sources, by: Source.mapping),
        Parameter("unresolved", \.unresolved, by: Unresolved.mapping),
        Parameter("conflicts", \.conflicts, by: SeedIssue.mapping))

    private var roundedSeconds: Double { (seconds * 1000).rounded() / 1000 }
}

extension SeedReport.Entity {
    static let mapping = Mapping(
        Self.self, Self.init(name:rows:merged:conflicts:), Parameter("name", \.name), Parameter("rows", \.rows),
        Parameter("merged", \.merged), Parameter("conflicts", \.conflicts))
}

extension SeedReport.Source {
    static let mapping = Mapping(
        Self.self, Self.init(file:read:kept:rejected:), Parameter("file", \.file), Parameter("read", \.read),
        Parameter("kept", \.kept), Parameter("rejected", \.rejected))
}

extension SeedReport.Unresolved {
    static let mapping = Mapping(
        Self.self, Self.init(entity:relationship:destination:count:samples:), Parameter("entity", \.entity),
        Parameter("relationship", \.relationship), Parameter("destination", \.destination),
        Parameter("count", \.count), Parameter("samples", \.samples))
}

extension SeedIssue {
    static let mapping = Mapping(
        Self.self, Self.init(file:line:column:path:message:), Parameter("file", \.file), Parameter("line", \.line),
        Parameter("column", \.column), Parameter("path", \.path), Parameter("message", \.message))

    private init(file: String, line: Int, column: Int, path: String, message: String) {
        self.init(file: file, position: TextPosition(line: line, column: column), path: path, message: message)
    }
}
