/// How a seed database is built.
public struct SeedOptions: Sendable {
    /// What becomes of elements that do not fit.
    public enum ErrorPolicy: String, Sendable, CaseIterable {
        /// The first one ends the build, and the error holds all of its issues.
        case fail
        /// They are left out and written to the rejects file.
        case skip
    }

    /// What becomes of elements that do not fit; the build fails by default.
    public var onError = ErrorPolicy.fail
    /// Where left-out elements are written; the output's path with `.rejects.ndjson` by default.
    public var rejects: URL? {
        get { rejectsPath.map { URL(filePath: $0) } }
        set { rejectsPath = newValue?.path }
    }
    /// The folder that a manifest's files are relative to; the manifest's own by default.
    public var base: URL? {
        get { basePath.map { URL(filePath: $0) } }
        set { basePath = newValue?.path }
    }
    /// Whether an existing output is opened and its rows are brought up to date, instead of being replaced.
    public var updatesExisting = false
    /// Called with what happens during the build; a line for a log.
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

    /// The options as they are by default.
    public init() {}
}
