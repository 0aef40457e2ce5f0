/// What happens during a build.
public enum SeedEvent: Sendable, CustomStringConvertible {
    /// A source is about to be read: its file, as it was named.
    case reading(String)
    /// A source was read to its end: what became of its elements.
    case read(SeedReport.Source)
    /// An element did not fit and was left out: everything that is wrong with it.
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
