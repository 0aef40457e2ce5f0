import ObjectMapping
import ObjectStore

/// Collects every mistake of a manifest, each with its place in the text.
final class ManifestIssues {
    private let bytes: [UInt8]
    private let file: String
    private var found: [Mistake] = []
    private var known: Set<Mistake> = []
    // Wanted only if something is wrong.
    private lazy var places = bytes.withView { ManifestPlaces($0) }

    /// A mistake whose line and column are not counted yet.
    private struct Mistake: Hashable {
        let offset: Int
        let path: String
        let message: String
    }

    init(bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    /// Adds a mistake at the value of a path, or at its key.
    func add(_ message: String, at path: [JSONPathStep], ofKey: Bool = false) {
        add(Mistake(offset: places.offset(of: path, ofKey: ofKey) ?? 0, path: path.text, message: message))
    }

    /// Adds what the reader of JSON found.
    func add(_ issue: MappingIssue) {
        add(Mistake(offset: issue.offset, path: issue.path, message: issue.message))
    }

    /// Adds what keeps the entities from being a model; a bad name is shown at the name.
    func add(_ problem: ModelError.Problem) {
        let path = [JSONPathStep.key("model")] + problem.steps
        // What is missing in the text was noted when the text was read.
        guard !problem.steps.isEmpty, places.offset(of: path, ofKey: false) != nil else { return }
        let hint = problem.suggestions.first.map { "; did you mean '\($0)'?" } ?? ""
        add(problem.message + hint, at: path, ofKey: [1, 3].contains(problem.steps.count))
    }

    /// Throws if there are mistakes: all of them, in the order of the text.
    func check() throws(SeedError) {
        guard !found.isEmpty else { return }
        let sorted = found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
        var position = TextPosition()
        throw SeedError(
            .badData,
            issues: sorted.map { _, mistake in
                bytes.withView { position.advance(over: $0, from: position.offset, to: mistake.offset) }
                return SeedIssue(
                    file: file, position: position, path: mistake.path, message: mistake.message,
                    excerpt: excerpt(around: mistake.offset))
            })
    }

    private func add(_ mistake: Mistake) {
        if known.insert(mistake).inserted { found.append(mistake) }
    }

    /// A line may be as long as the text: only what is near is looked at.
    private func excerpt(around offset: Int) -> SourceExcerpt {
        let start = max(0, offset - SourceExcerpt.reach)
        let end = min(bytes.count, offset + SourceExcerpt.reach)
        return SourceExcerpt(bytes: bytes[min(start, end)..<end], offset: offset - start)
    }
}
