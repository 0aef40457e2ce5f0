public import ObjectMapping

/// Infers a manifest from dumps: entities, types, identities and relationships.
///
/// ```swift
/// let draft = try ManifestInference(dumps: [users, tasks]).run()
/// try Data(draft.text.utf8).write(to: manifest)
/// for finding in draft.findings { print(finding) }
/// ```
///
/// The same dumps produce the same draft. Only hashes of values are stored: up to 32,768 distinct values of an
/// attribute, and up to 1,048,576 for a key that may be the identity. Beyond these limits, every 2nd, 4th, 8th … value
/// is compared, and the findings mention it. At most 1,900 keys of an object become attributes.
public struct ManifestInference: Sendable {
    private let dumps: [String]
    /// The folder to which file names in the manifest are relative.
    private let base: String
    /// The formats of the dumps, by the extensions of their names.
    ///
    /// Defaults to JSON.
    public var formats = PayloadFormats()
    /// Receives the progress of reading.
    ///
    /// Defaults to `nil`.
    public var progress: (@Sendable (SeedProgress) -> Void)?

    /// Creates an inference from JSON files or files with one element per line (`.ndjson`, `.jsonl`), plain or gzip.
    ///
    /// - Parameters:
    ///   - dumps: The files. Each is read twice.
    ///   - base: The folder of the manifest, to which file names are relative. Defaults to the current folder.
    public init(dumps: [URL], base: URL? = nil) { self.init(paths: dumps.map(\.path), base: base?.path ?? "") }

    /// Like the public initializer; `-` is standard input, and messages contain the paths as specified.
    package init(paths: [String], base: String) {
        dumps = paths
        self.base = base
    }

    /// Reads the dumps.
    ///
    /// - Throws: `SeedError` if a dump is missing, is not JSON or contains no objects, or if the task was cancelled.
    public func run() throws(SeedError) -> ManifestDraft {
        try checkDumps()
        let meter = ProgressMeter(progress)
        let spoolPath = temporaryPath()
        var inputs: [InputFile] = []
        for dump in dumps {
            inputs.append(
                try dump == "-"
                    ? InputFile(standardInputWithSpoolPath: spoolPath, meter: meter)
                    : InputFile(
                        path: dump, name: dump, spoolPath: spoolPath, meter: meter,
                        format: usualFormat(of: dump, in: formats)))
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
            throw SeedError(.badData, "\(names): no elements to infer a manifest from")
        }
        return try draft(sources, beside)
    }

    private func read(
        _ reader: DumpReader, into sources: inout [SourceGuess], _ beside: inout [InferenceFinding]
    ) throws(SeedError) {
        let file = sourceName(of: reader.file)
        var (collections, rest) = try reader.collections()
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
                evidence: "\(place.path.isEmpty ? "as a whole" : "at \(place.path)"): \(place.reason)",
                certainty: .rejected)
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
        let entity = "-> \(names)\(source.isWrapped ? ", by the names of the wrappers" : "")"
        let elements = counted(source.statistics.count, "element")
        var evidence = ["\(entity)\(place): \(elements)"]
        let ambiguous = source.statistics.ambiguous
        if ambiguous > 0 {
            evidence.append("has duplicate keys in \(ambiguous) of \(elements): the last value is used")
        }
        let odd = source.collection.oddMembers
        if odd > 0, odd * 10 <= source.statistics.count {
            evidence.append(
                "\(odd == 1 ? "has a member" : "has \(odd) members") with other keys than most of its \(elements): attributes are optional"
            )
        }
        let count = source.statistics.shape.count
        if count > 2, !source.isWrapped, let most = source.statistics.shape.fields.map(\.present).max(),
            most * 3 <= count * 2
        {
            evidence.append("has no key in more than \(most) of its \(elements): they may be of several kinds")
        }
        if source.file.hasPrefix("/dev/") || source.file.hasPrefix("/proc/") {
            evidence.append("is not a permanent file: a build cannot read it again")
        }
        return evidence.enumerated().map { index, evidence in
            InferenceFinding(
                kind: .source, subject: inputName(source.file), evidence: evidence,
                certainty: index == 0 ? .certain : .uncertain)
        }
    }

    private func checkDumps() throws(SeedError) {
        guard !dumps.isEmpty else { throw SeedError(.badData, "no dumps to read") }
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
            let other = earlier == dump ? "" : ", also as \(earlier)"
            throw SeedError(.badData, "\(inputName(dump)) is listed twice\(other)", advice: "List each dump once.")
        }
    }

    private func temporaryPath() -> String {
        let folder = FileManager.default.temporaryDirectory.path
        return "\(folder)/.seed-db-\(String(UInt64.random(in: .min ... .max), radix: 16))"
    }

    /// Returns the name of a dump in the manifest: relative to the base, unless it is an absolute path outside of the
    /// base.
    private func sourceName(of dump: String) -> String {
        guard dump != "-", !base.isEmpty else { return dump }
        // The target of a link can have a different name, and can change.
        let start = dump.lastIndex(of: "/").map(dump.index(after:)) ?? dump.startIndex
        let holder = start == dump.startIndex ? "." : String(dump[..<start])
        let file = Self.absolute(holder) + [String(dump[start...])]
        let folder = Self.absolute(base)
        let common = zip(file, folder).prefix { $0 == $1 }.count
        if dump.hasPrefix("/"), common < folder.count { return dump }
        let path = (Array(repeating: "..", count: folder.count - common) + file[common...]).joined(separator: "/")
        // The name alone would be standard input.
        return path == "-" ? "./-" : path
    }

    /// Returns the names in the absolute path, with links resolved if possible.
    private static func absolute(_ path: String) -> [String] {
        (FileSystem.resolved(path) ?? path).split(separator: "/").map(String.init)
    }
}
