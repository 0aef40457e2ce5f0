import MappingLog

/// An event of a build.
public enum SeedEvent: Sendable, CustomStringConvertible {
    /// A source will be read: its file as specified.
    case reading(String)
    /// A source was read: the numbers of its elements.
    case read(SeedReport.Source)
    /// An invalid element was skipped: all of its issues.
    case rejected([SeedIssue])
    /// Several elements of an entity have the same identity: the sources are read again to merge them.
    case readingAgain(entity: String)
    /// All elements are stored; relationships are being connected and indexes built.
    case finishing

    /// A line for a log.
    public var description: String {
        switch self {
        case .reading(let file): "reading \(file)"
        case .read(let source):
            "\(source.file): \(source.read) read, \(source.kept) stored, \(source.rejected) rejected"
        case .rejected(let issues): issues.map(\.description).joined(separator: "\n")
        case .readingAgain(let entity): "\(entity) repeats an identity: reading the sources again to merge its rows"
        case .finishing: "connecting relationships"
        }
    }
}

extension SeedOptions {
    /// Reports an event to the user and to the log of the process.
    func report(_ event: SeedEvent) {
        events(event)
        let level: LogMessage.Level = if case .rejected = event { .warning } else { .info }
        LogMessage.log(.seeder, level, event.description)
    }
}
