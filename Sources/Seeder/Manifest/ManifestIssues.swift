import ObjectMapping
import ObjectStore

/// Collects all issues of a manifest with their positions in the text.
final class ManifestIssues {
    private let bytes: [UInt8]
    private let file: String
    private var found: [Mistake] = []
    private var known: Set<Mistake> = []
    // Needed only if there are issues.
    private lazy var places = bytes.withView { ManifestPlaces($0) }
    /// Whether a value that is not an object is in the position of an entity, attribute, relationship or source, so that
    /// checks of others would report it as missing.
    private(set) var hasMisplacedValues = false
    /// The paths of values that the mapping rejected, which are not checked any further.
    private var rejected: Set<String> = []

    /// An issue whose line and column are not computed yet.
    private struct Mistake: Hashable {
        let offset: Int
        let path: String
        let message: String
    }

    init(bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    /// Reads the manifest by its mapping and adds all issues of the text.
    func content() throws(SeedError) -> ManifestContent {
        var content = ManifestContent()
        do throws(MappingError) {
            let json = try JSON(bytes)
            if json.object == nil {
                add("expected an object, found \(json.kindName)", at: [])
            } else {
                let options = MappingOptions(limits: MappingLimits(issueCount: .max), requiresMappedKey: false)
                var report = MappingReport(policy: .collect)
                content = try ManifestContent.mapping.map(bytes, options: options, report: &report)
                add(report.issues.filter { !$0.isWarning })
                rejected = Set(report.issues.map(\.path))
                hasMisplacedValues = report.issues.contains { $0.expected == "an object" }
                add(try ManifestContent.mapping.unreadKeyIssues(of: bytes, options: options) + json.duplicateKeys)
                for path in places.nulls { add("expected a value, found null", at: path) }
                return content
            }
        } catch {
            add(error.issues)
        }
        try check()
        return content
    }

    private func add(_ issues: [MappingIssue]) {
        for issue in issues {
            let hint = suggestionText(issue.suggestions)
            let message = "expected \(issue.expected), found \(issue.found)" + hint
            add(Mistake(offset: issue.offset, path: issue.path, message: message))
        }
    }

    /// Whether further details of issues are unnecessary.
    var isCrowded: Bool { found.count >= 100 }

    /// Whether the mapping rejected the value at a path.
    func isRejected(_ path: [JSONPathStep]) -> Bool { rejected.contains(path.text) }

    /// Adds an issue of the value at a path, or of its key.
    ///
    /// - Parameter member: A member of the object at the path. Defaults to the object itself.
    func add(_ message: String, at path: [JSONPathStep], _ member: String? = nil, ofKey: Bool = false) {
        let path = path + (member.map { [.key($0)] } ?? [])
        // A missing value is an issue of the object without it.
        guard let place = places[path], !isRejected(path) else { return }
        add(Mistake(offset: ofKey ? place.key : place.value, path: path.text, message: message))
    }

    /// Adds a problem of the model; a problem of a name is reported at the name.
    func add(_ problem: ModelError.Problem) {
        let hint = suggestionText(problem.suggestions)
        add(
            problem.message + hint, at: [.key("model")] + problem.steps,
            ofKey: [1, 3].contains(problem.steps.count))
    }

    /// Throws all issues, in the order of the text.
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

    /// Returns the text near an issue: a line can be as long as the manifest.
    private func excerpt(around offset: Int) -> SourceExcerpt {
        let start = max(0, offset - SourceExcerpt.reach)
        let end = min(bytes.count, offset + SourceExcerpt.reach)
        return SourceExcerpt(bytes: bytes[min(start, end)..<end], offset: offset - start)
    }
}

/// The offsets of the values and keys of a manifest.
private struct ManifestPlaces {
    private var places: [[JSONPathStep]: (value: Int, key: Int)] = [:]
    /// The paths of nulls that are not allowed.
    private(set) var nulls: [[JSONPathStep]] = []

    /// For a duplicate key, the last value counts.
    init(_ bytes: ByteView) {
        var tokenizer = JSONTokenizer(bytes, maximumDepth: .max)
        var key: Int?
        while true {
            let (value, path): (Int, [JSONPathStep])
            switch tokenizer.next() {
            case .key(let range):
                key = range.lowerBound
                continue
            case .close: continue
            case .end, .failure, .needsMore: return
            case .open(let offset, _): (value, path) = (offset, tokenizer.path(through: tokenizer.depth - 1))
            case .scalar(let range): (value, path) = (range.lowerBound, tokenizer.path(through: tokenizer.depth))
            }
            places[path] = (value, key ?? value)
            key = nil
            // Defaults and conditions are data.
            let isData = path.count > 4 && [.key("default"), .key("when")].contains(path[4])
            if bytes[value] == UInt8(ascii: "n"), !isData { nulls.append(path) }
        }
    }

    subscript(path: [JSONPathStep]) -> (value: Int, key: Int)? { places[path] }
}
