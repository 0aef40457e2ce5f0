/// What a finished build did.
public struct SeedReport: Sendable, Hashable {
    /// How many rows of one entity there are.
    public struct Entity: Sendable, Hashable {
        /// The entity's name.
        public let name: String
        /// Rows in the database; of an update, those of before included.
        public let rows: Int
        /// Elements, nested ones included, that were merged into a row of the same identity.
        public let merged: Int
        /// Merged elements that replaced a value of an earlier one by a different value.
        public let conflicts: Int
    }

    /// What became of the elements of one source.
    public struct Source: Sendable, Hashable {
        /// The file as it was named; `-` is standard input.
        public let file: String
        /// Elements found.
        public internal(set) var read = 0
        /// Elements stored, as rows of their own or merged into others.
        public internal(set) var kept = 0
        /// Elements left out.
        public internal(set) var rejected = 0
    }

    /// The connections of one relationship whose target is not in the database.
    public struct Unresolved: Sendable, Hashable {
        /// The entity that has the relationship.
        public let entity: String
        /// The relationship's name.
        public let relationship: String
        /// The entity it leads to.
        public let destination: String
        /// How many connections lead nowhere.
        public let count: Int
        /// Up to five of the keys that were not found; one of several parts as a JSON array, `["B",1]`.
        public let samples: [String]
    }

    /// The path of the database, as it was given.
    public let path: String
    /// The size of the database in bytes.
    public let size: Int
    /// How long the build took, in seconds, with the checksum.
    public let seconds: Double
    /// The most memory that the process has held so far, in bytes.
    public let peakMemory: Int
    /// The path of the file of the elements that were left out; nil if there are none.
    public let rejectsPath: String?
    /// The rows of each entity, in the order of the model.
    public let entities: [Entity]
    /// What became of each source, in the order given.
    public let sources: [Source]
    /// The connections that lead nowhere; they are null in the database.
    public let unresolved: [Unresolved]
    /// The places of the first ten elements that replaced a value of an earlier one with the same identity.
    public let conflicts: [SeedIssue]

    /// How many elements were left out, of all sources.
    public var rejected: Int { sources.reduce(0) { $0 + $1.rejected } }

    /// The number of elements that replaced a value of an earlier one with the same identity, of all entities.
    public var conflictCount: Int { entities.reduce(0) { $0 + $1.conflicts } }
}
