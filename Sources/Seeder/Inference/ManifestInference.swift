import ObjectMapping

/// Makes up a manifest from dumps: entities, types, identities and relationships as all of their elements have them.
///
/// ```swift
/// let draft = try ManifestInference(dumps: [users, tasks]).run()
/// try Data(draft.text.utf8).write(to: manifest)
/// for finding in draft.findings { print(finding) }
/// ```
///
/// The same dumps give the same draft. Only hashes of values are kept: up to 32,768 distinct ones of an attribute, and
/// for a key that may be the identity those of up to 1,048,576 objects. Beyond that one value in 2, 4, 8 … is compared,
/// and the findings say so. At most 1,000 keys of an object are reported separately.
public struct ManifestInference: Sendable {
    private let dumps: [String]
    /// The folder that the manifest's files are to be relative to.
    private let base: String
    /// Called with how far the reading is, as that of a build.
    public var progress: (@Sendable (SeedProgress) -> Void)?

    /// The inference of a manifest from some dumps: JSON, or one element a line (`.ndjson`, `.jsonl`), plain or gzip.
    ///
    /// - Parameters:
    ///   - dumps: The files, of which each is read twice.
    ///   - base: The folder where the manifest is going to be; its sources are named relative to it.
    public init(dumps: [URL], base: URL? = nil) { self.init(paths: dumps.map(\.path), base: base?.path ?? "") }

    /// As the public initializer; `-` is standard input, and messages show the paths as they are given.
    package init(paths: [String], base: String) {
        dumps = paths
        self.base = base
    }

    /// Reads the dumps.
    ///
    /// - Throws: `SeedError` if a dump is missing, is no JSON or holds no objects, or the inference was cancelled.
    public func run() throws(SeedError) -> ManifestDraft {
        try checkDumps()
        let meter = ProgressMeter(progress)
        let spoolPath = temporaryPath()
        var inputs: [InputFile] = []
        for dump in dumps {
            inputs.append(
                try dump == "-"
                    ? InputFile(standardInputWithSpoolPath: spoolPath, meter: meter)
                    : InputFile(path: dump, name: dump, spoolPath: spoolPath, meter: meter))
        }
        meter?.begin(.reading, file: dumps.first ?? "", totalBytes: inputs.reduce(0) { $0 + $1.size })
        var sources: [SourceGuess] = []
        var beside: [InferenceFinding] = []
        for (dump, input) in zip(dumps, inputs) {
            meter?.begin(file: dump)
            try read(DumpReader(file: dump, input: input, meter: meter), into: &sources, &beside)
        }
        guard !sources.isEmpty else {
            let names = dumps.map(inputName).joined(separator: ", ")
            throw SeedError(.badData, "\(names): there is no element to infer anything from")
        }
        return try draft(sources, beside)
    }

    private func read(
        _ reader: DumpReader, into sources: inout [SourceGuess], _ beside: inout [InferenceFinding]
    ) throws(SeedError) {
        let file = sourceName(of: reader.file)
        var collections = [DumpCollection(path: [], shape: .line)]
        var rest: [UnreadPlace] = []
        if !isNewlineDelimited(reader.file) {
            let outline = try reader.outline()
            (collections, rest) =
                outline.map(DumpCollection.collections) ?? ([DumpCollection(path: [], shape: .element)], [])
        }
        for (collection, statistics) in zip(collections, try reader.statistics(of: collections)) {
            guard statistics.count > 0, statistics.member.count > 0 || !statistics.shape.fields.isEmpty else {
                rest.append(UnreadPlace(collection.path, UnreadPlace.withoutElements))
                continue
            }
            sources.append(
                SourceGuess(
                    file: file, collection: collection, statistics: statistics,
                    fileWords: SourceGuess.words(ofFile: reader.file)))
        }
        beside += rest.map { place in
            InferenceFinding(
                kind: .unread, subject: inputName(file),
                evidence: "is not read\(place.path.isEmpty ? "" : " at \(place.path)"): \(place.reason)",
                certainty: .notTaken)
        }
    }

    private func draft(
        _ sources: [SourceGuess], _ beside: [InferenceFinding]
    ) throws(SeedError) -> ManifestDraft {
        var sources = SourceGuess.joiningPages(sources)
        let guessing = try EntityGuessing(sources)
        var relationships = RelationshipGuessing(guessing.entities)
        relationships.run()
        var findings: [InferenceFinding] = []
        for index in sources.indices {
            let entities = guessing.entities(ofSource: index)
            if !sources[index].isWrapped { sources[index].entity = entities.first }
            findings += self.findings(sources[index], entities)
        }
        findings += beside
        for entity in guessing.entities {
            findings += guessing.notes.findings(about: entity) + relationships.notes.findings(about: entity)
        }
        do {
            let content = ManifestContent(guessing.entities, sources)
            return ManifestDraft(text: try ManifestText(content).text, findings: findings)
        } catch { throw SeedError(.badData, error.description) }
    }

    private func findings(_ source: SourceGuess, _ entities: [EntityGuess]) -> [InferenceFinding] {
        let path = source.collection.keyPath.description
        let place = (path.isEmpty ? "" : " at \(path)") + (source.collection.shape == .member ? ", each member" : "")
        let names = entities.map(\.swiftName).joined(separator: ", ")
        let entity = "-> \(names)\(source.isWrapped ? ", as the wrappers say" : "")"
        let elements = counted(source.statistics.count, "element")
        var evidence = ["\(entity)\(place): \(elements)"]
        let ambiguous = source.statistics.ambiguous
        if ambiguous > 0 {
            evidence.append("has keys that stand twice in \(ambiguous) of \(elements): the last ones count")
        }
        if source.file.hasPrefix("/dev/") || source.file.hasPrefix("/proc/") {
            evidence.append("is no file that a build will find again")
        }
        return evidence.enumerated().map { index, evidence in
            InferenceFinding(
                kind: .source, subject: inputName(source.file), evidence: evidence,
                certainty: index == 0 ? .sure : .uncertain)
        }
    }

    private func checkDumps() throws(SeedError) {
        guard !dumps.isEmpty else { throw SeedError(.badData, "there is no dump to read") }
        var missing: [String] = []
        for dump in dumps where dump != "-" {
            do { _ = try InputKind(of: dump, name: dump) } catch { missing.append(error.message) }
        }
        guard missing.isEmpty else { throw SeedError(.inputMissing, missing.joined(separator: "\n")) }
        var seen: [FileIdentity: String] = [:]
        for (index, dump) in dumps.enumerated() {
            let earlier =
                dump == "-"
                ? dumps[..<index].first { $0 == "-" }
                : FileIdentity(dump).flatMap { seen.updateValue(dump, forKey: $0) }
            guard let earlier else { continue }
            let other = earlier == dump ? "" : ", as \(earlier) too"
            throw SeedError(.badData, "\(inputName(dump)) is given twice\(other)", advice: "Give each dump once.")
        }
    }

    private func temporaryPath() -> String {
        let folder = FileManager.default.temporaryDirectory.path
        return "\(folder)/.seed-db-\(String(UInt64.random(in: .min ... .max), radix: 16))"
    }

    /// A dump as the manifest names it: relative to the base, unless it is far away and was given from the root.
    private func sourceName(of dump: String) -> String {
        guard dump != "-", !base.isEmpty else { return dump }
        // What a link leads to may be called otherwise, and another file tomorrow.
        let start = dump.lastIndex(of: "/").map(dump.index(after:)) ?? dump.startIndex
        let holder = start == dump.startIndex ? "." : String(dump[..<start])
        let file = Self.absolute(holder) + [String(dump[start...])]
        let folder = Self.absolute(base)
        let common = zip(file, folder).prefix { $0 == $1 }.count
        if dump.hasPrefix("/"), common < folder.count { return dump }
        let path = (Array(repeating: "..", count: folder.count - common) + file[common...]).joined(separator: "/")
        // Alone it would be standard input.
        return path == "-" ? "./-" : path
    }

    /// The names on the way from the root, without links where the system knows them.
    private static func absolute(_ path: String) -> [String] {
        (FileSystem.resolved(path) ?? path).split(separator: "/").map(String.init)
    }
}
