public import ObjectMapping

/// Options of the build of a seed database.
public struct SeedOptions: Sendable {
    /// What to do with invalid elements.
    public enum ErrorPolicy: String, Sendable, CaseIterable {
        /// The first invalid element stops the build. The error contains all of its issues.
        case fail
        /// Invalid elements are skipped, and their JSON is copied to the rejects file.
        ///
        /// Malformed JSON still stops the build, except in a line of NDJSON. A source without a valid element also
        /// stops it.
        case skip
    }

    /// What to do with invalid elements.
    ///
    /// Defaults to `.fail`.
    public var onError = ErrorPolicy.fail
    /// The file for skipped elements.
    ///
    /// Defaults to the output's path with `.rejects.ndjson`.
    public var rejects: URL? {
        get { rejectsPath.map { URL(filePath: $0) } }
        set { rejectsPath = newValue?.path }
    }
    /// The folder of relative paths in a manifest.
    ///
    /// Defaults to the folder of the manifest.
    public var base: URL? {
        get { basePath.map { URL(filePath: $0) } }
        set { basePath = newValue?.path }
    }
    /// The formats of dumps, by the extensions of their names or by `format` in a manifest.
    ///
    /// Defaults to JSON. A file whose extension has no format is read as JSON. Files in other formats are read into memory.
    public var formats = PayloadFormats()
    /// Whether an existing output is updated instead of replaced.
    ///
    /// Defaults to `false`.
    ///
    /// Objects are merged into the rows with the same identity, and waiting connections are set. No rows are removed.
    /// The output must have the same model. If it does not exist, it is built.
    public var updatesExisting = false
    /// Whether merges that replace a value with a different one are an error.
    ///
    /// Defaults to `false`.
    ///
    /// Elements with the same identity are merged into one row. For different values, the last one is used and the
    /// report contains the conflict. With this option, the build fails instead, and nothing is written. An update may
    /// replace existing values in the database, but its elements must not conflict with each other.
    public var rejectsConflictingMerges = false
    /// Receives the events of the build.
    ///
    /// Defaults to ignoring them.
    public var events: @Sendable (SeedEvent) -> Void = { _ in }
    /// Receives the progress of the build, for each piece of a dump and at each new phase.
    ///
    /// Defaults to `nil`.
    ///
    /// It is called synchronously on the thread of the build, up to some thousand times a second, but not while the
    /// build waits for input or for the disk.
    public var progress: (@Sendable (SeedProgress) -> Void)?

    /// The path as specified: a URL would make it absolute.
    package var rejectsPath: String?
    package var basePath: String?
    /// The path to which the caller will write the report, so that it does not overwrite another file.
    package var reportPath: String?

    /// Creates options with default values.
    public init() {}
}
