/// How a seed database is built.
public struct SeedOptions: Sendable {
    /// What becomes of elements that do not fit.
    public enum ErrorPolicy: String, Sendable, CaseIterable {
        /// The first one ends the build, and the error holds all of its issues.
        case fail
        /// They are left out and written to the rejects file, as they stood.
        ///
        /// Broken JSON ends the build even so, but for a line of NDJSON, and so does a source of which no element
        /// could be kept.
        case skip
    }

    /// What becomes of elements that do not fit; the build fails by default.
    public var onError = ErrorPolicy.fail
    /// Where left-out elements are written; the output's path with `.rejects.ndjson` by default.
    public var rejects: URL? {
        get { rejectsPath.map { URL(filePath: $0) } }
        set { rejectsPath = newValue?.path }
    }
    /// The folder that relative paths of a manifest's files begin at; the manifest's own by default.
    public var base: URL? {
        get { basePath.map { URL(filePath: $0) } }
        set { basePath = newValue?.path }
    }
    /// Whether an existing output is brought up to date instead of being replaced; false by default.
    ///
    /// Objects are merged into the rows of their identity, what waited for its target is connected, and nothing is
    /// removed. The output must have the same model; if there is none, it is built.
    public var updatesExisting = false
    /// Whether merges that replace a value by a different one are an error.
    ///
    /// Defaults to `false`.
    ///
    /// Elements with the same identity are merged into one row. Where they disagree, the last one wins and the report
    /// holds the conflict. With this option the build fails instead, and nothing is written. An update may replace the
    /// values that the database had before, but its elements must agree with each other.
    public var rejectsConflictingMerges = false
    /// Called with what happens during the build, whose descriptions are lines for a log; nobody by default.
    public var events: @Sendable (SeedEvent) -> Void = { _ in }
    /// Called with how far the build is, for each piece of a dump and at each new phase; nobody by default.
    ///
    /// It is called by the thread that builds, which waits for it, up to some thousand times a second; not while that
    /// thread waits for input or for the disk.
    public var progress: (@Sendable (SeedProgress) -> Void)?

    /// Paths as they were written: a URL would make them absolute.
    package var rejectsPath: String?
    package var basePath: String?
    /// Where the caller is going to write the report, so that it takes no other file's place.
    package var reportPath: String?

    /// Options, each with its default.
    public init() {}
}
