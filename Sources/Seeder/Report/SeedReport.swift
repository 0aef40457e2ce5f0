/// The result of a build.
public struct SeedReport: Sendable, Hashable {
    /// The number of rows of an entity.
    public struct Entity: Sendable, Hashable {
        /// The entity's name.
        public let name: String
        /// The rows in the database, after an update including existing rows.
        public let rows: Int
        /// The elements, including nested ones, that were merged into a row with the same identity.
        public let merged: Int
        /// The merged elements that replaced a value with a different one.
        public let conflicts: Int
    }

    /// The numbers of elements of a source.
    public struct Source: Sendable, Hashable {
        /// The file as specified; `-` is standard input.
        public let file: String
        /// The number of elements found.
        public internal(set) var read = 0
        /// The number of elements that were stored as new rows or merged into others.
        public internal(set) var kept = 0
        /// The number of elements that were skipped.
        public internal(set) var rejected = 0
    }

    /// The connections of one relationship whose target is not in the database.
    public struct Unresolved: Sendable, Hashable {
        /// The entity with the relationship.
        public let entity: String
        /// The relationship's name.
        public let relationship: String
        /// The entity of the targets.
        public let destination: String
        /// The number of unresolved connections.
        public let count: Int
        /// Up to five missing keys; compound keys as JSON arrays, `["B",1]`.
        public let samples: [String]
    }

    /// The path of the database, as specified.
    public let path: String
    /// The size of the database in bytes.
    public let size: Int
    /// The duration of the build in seconds, including the checksum.
    public let seconds: Double
    /// The peak memory of the process in bytes.
    public let peakMemory: Int
    /// The path of the file with the skipped elements; `nil` if no element was skipped.
    public let rejectsPath: String?
    /// The rows of each entity, in the order of the model.
    public let entities: [Entity]
    /// The numbers of each source, in order.
    public let sources: [Source]
    /// The unresolved connections.
    ///
    /// They are NULL in the database.
    public let unresolved: [Unresolved]
    /// The positions of the first ten elements that replaced a value of an earlier one with the same identity.
    public let conflicts: [SeedIssue]

    /// The number of skipped elements of all sources.
    public var rejected: Int { sources.reduce(0) { $0 + $1.rejected } }

    /// The number of elements that replaced a value of an earlier one with the same identity, of all entities.
    public var conflictCount: Int { entities.reduce(0) { $0 + $1.conflicts } }
}
