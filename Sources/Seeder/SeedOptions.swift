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
    public var progress: @Sendable (SeedProgress) -> Void = { _ in }

    /// Paths as they were written: a URL would make them absolute.
    package var rejectsPath: String?
    package var basePath: String?
    /// Where the caller is going to write the report, so that it takes no other file's place.
    package var reportPath: String?

    /// The options as they are by default.
    public init() {}
}

/// What happens during a build.
public enum SeedProgress: Sendable, CustomStringConvertible {
    /// A source is about to be read.
    case reading(String)
    /// A source was read to its end.
    case read(SeedReport.Source)
    /// An element did not fit and was left out.
    case rejected([SeedIssue])
    /// An entity turned out to have several elements of one identity: the sources are read again, with more care.
    case readingAgain(entity: String)
    /// All elements are stored; relationships are being wired and indexes built.
    case finishing

    /// The event in words.
    public var description: String {
        switch self {
        case .reading(let file): "reading \(file)"
        case .read(let source): "\(source.file): \(source.read) read, \(source.kept) kept, \(source.rejected) rejected"
        case .rejected(let issues): issues.map(\.description).joined(separator: "\n")
        case .readingAgain(let entity): "\(entity) repeats an identity: reading the sources again to merge its rows"
        case .finishing: "wiring relationships"
        }
    }
}
