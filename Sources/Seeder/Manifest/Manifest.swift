import ObjectMapping
import ObjectStore

/// What a seed is built from, as a JSON file says it: the model, how objects become its rows, and the dumps.
struct Manifest {
    let model: ObjectModel
    let entities: [RowEntity]
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
    init(_ bytes: [UInt8], file: String) throws(SeedError) {
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
        if members["model"]?.json.object != nil, drafts.isEmpty { members["model"]?.fail("expected at least one entity") }
        if members["sources"]?.json.array != nil, sources.isEmpty {
            members["sources"]?.fail("expected at least one source")
        }
        ManifestChecker(entities: drafts, sources: sources).check()
        for issue in json.duplicateKeys { issues.add(issue) }
        let model: ObjectModel?
        do { model = try ObjectModel(entities: drafts.map(\.description)) } catch {
            model = nil
            // Wires and values cannot be judged by a type that is not known.
            let judgesTypes = drafts.allSatisfy { $0.attributes.allSatisfy { $0.type != nil } }
            for problem in error.problems where judgesTypes || !problem.isAboutTypes { issues.add(problem) }
        }
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
}

extension ModelError.Problem {
    fileprivate var isAboutTypes: Bool {
        [.key("by"), .key("when"), .key("default"), .key("identifiedBy")].contains(where: steps.contains)
    }
}
