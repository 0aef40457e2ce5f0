package import ObjectMapping
import ObjectStore

/// What a seed is built from, as a JSON file says it: the model, how objects become its rows, and the dumps.
package struct Manifest {
    let model: ObjectModel
    package let entities: [RowEntity]
    let sources: [Source]

    /// A dump and where its elements are.
    struct Source {
        /// The file as the manifest names it; `-` is standard input.
        let file: String
        /// The index of the entity; nil for wrapped elements.
        let entity: Int?
        let keyPath: JSONKeyPath
        let shape: ElementShape
    }

    /// Reads a manifest; throws every mistake in it at once, each with its place.
    ///
    /// - Parameters:
    ///   - bytes: The manifest's text.
    ///   - file: The manifest's name in messages.
    package init(_ bytes: [UInt8], file: String) throws(SeedError) {
        let issues = ManifestIssues(bytes: bytes, file: file)
        let json: JSON
        do { json = try JSON(bytes) } catch {
            for issue in error.issues { issues.add(issue) }
            try issues.check()
            throw SeedError(.badData, "\(file) is no JSON")
        }
        let root = ManifestNode(json: json, path: [], issues: issues)
        let members = root.members(["model", "sources"])
        if json.object != nil {
            for name in ["model", "sources"] where members[name] == nil { root.fail("missing member '\(name)'") }
        }
        let drafts = (members["model"]?.entries ?? []).map(EntityDraft.init)
        let sources = (members["sources"]?.elements ?? []).map(SourceDraft.init)
        if members["model"]?.json.object != nil, drafts.isEmpty {
            members["model"]?.fail("expected at least one entity")
        }
        if members["sources"]?.json.array != nil, sources.isEmpty {
            members["sources"]?.fail("expected at least one source")
        }
        ManifestChecker(entities: drafts, sources: sources).check()
        for issue in json.duplicateKeys { issues.add(issue) }
        let model = Self.model(of: drafts, issues)
        try issues.check()
        guard let model else { throw SeedError(.badData, "the model of \(file) is unsound") }
        self.model = model
        let names = drafts.map(\.name)
        entities = drafts.map { $0.rowEntity(among: names) }
        self.sources = sources.map { source in
            Source(
                file: source.file?.name ?? "", entity: source.entity.flatMap { names.firstIndex(of: $0.name) },
                keyPath: source.keyPath, shape: source.shape)
        }
    }

    /// The model, or nil and what is wrong with it.
    private static func model(of drafts: [EntityDraft], _ issues: ManifestIssues) -> ObjectModel? {
        // What depends on a type that is not known is no issue: it would not be one whatever the type.
        let guesses = [AttributeType.Scalar.string, .integer].map { guess in
            Result { () throws(ModelError) in
                try ObjectModel(entities: drafts.map { $0.description(guessing: AttributeType(guess)) })
            }
        }
        var problems: [[ModelError.Problem]] = []
        for guess in guesses {
            guard case .failure(let error) = guess else { return try? guess.get() }
            problems.append(error.problems)
        }
        let certain = Set(problems[1])
        for problem in problems[0] where certain.contains(problem) { issues.add(problem) }
        return nil
    }
}
