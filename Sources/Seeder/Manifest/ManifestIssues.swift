import ObjectMapping
import ObjectStore

/// Collects every mistake of a manifest, each with its place in the text.
final class ManifestIssues {
    private let bytes: [UInt8]
    private let file: String
    private var found: [(offset: Int, issue: SeedIssue)] = []

    init(bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    /// Adds a mistake at the value of a path, or at its key.
    func add(_ message: String, at path: [JSONPathStep], ofKey: Bool = false) {
        let position =
            bytes.withUnsafeBytes { JSONLocator.position(of: path, in: $0, ofKey: ofKey) } ?? TextPosition()
        let issue = SeedIssue(
            file: file, position: position, path: path.text, message: message,
            excerpt: SourceExcerpt(bytes: bytes, offset: position.offset))
        if !found.contains(where: { $0.issue == issue }) { found.append((position.offset, issue)) }
    }

    /// Adds what the reader of JSON found.
    func add(_ issue: MappingIssue) {
        let excerpt = SourceExcerpt(bytes: bytes, offset: issue.offset)
        found.append((issue.offset, SeedIssue(issue, file: file, excerpt: excerpt)))
    }

    /// Adds what keeps the entities from being a model; a bad name is shown at the name.
    func add(_ problem: ModelError.Problem) {
        let path = [JSONPathStep.key("model")] + problem.steps
        // What is missing in the text was noted when the text was read.
        guard !problem.steps.isEmpty, bytes.withUnsafeBytes({ JSONLocator.position(of: path, in: $0) }) != nil else {
            return
        }
        let hint = problem.suggestions.first.map { "; did you mean '\($0)'?" } ?? ""
        add(problem.message + hint, at: path, ofKey: [1, 3].contains(problem.steps.count))
    }

    /// Throws if there are mistakes: all of them, in the order of the text.
    func check() throws(SeedError) {
        guard !found.isEmpty else { return }
        let sorted = found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
        throw SeedError(.badData, issues: sorted.map(\.element.issue))
    }
}
