public import ObjectMapping
public import ObjectStore

/// Builds the database that an app starts with from JSON dumps.
///
/// ```swift
/// var seeder = ObjectSeeder(model: model, output: URL(filePath: "seed.sqlite"))
/// try seeder.seed(from: users, with: EntityMapping("User", ["userID": "id"]), at: "data.users")
/// let report = try seeder.finish()
/// ```
///
/// Nothing is written before `finish()`, and the output appears only when it is complete. Equal dumps give equal
/// bytes. Sources are read in the order given, one element at a time, in memory that grows with the largest
/// element, not with their number.
public struct ObjectSeeder: Sendable {
    /// How an object of a source's elements is found.
    public enum Each: Sendable {
        /// In an array; an object that stands alone is one element.
        case element
        /// As the member of an object: `{"7": {…}, "8": {…}}`; the key path `"@key"` is its name.
        case member
    }

    let model: ObjectModel
    let output: String
    let options: SeedOptions
    private(set) var mappings: [String: EntityMapping] = [:]
    /// The manifest's path; nil where there is none.
    private(set) var manifest: String?
    private(set) var manifestEntities: [RowEntity]?
    private(set) var sources: [SeedSource] = []

    /// A seeder for a model of one's own, whose dumps are added by ``seed(from:with:at:each:)``.
    ///
    /// - Parameters:
    ///   - model: The entities of the database.
    ///   - output: The database to write, in a folder that is there; a file that is there already is replaced.
    ///   - options: How the build goes; the first element that does not fit ends it by default.
    public init(model: ObjectModel, output: URL, options: SeedOptions = SeedOptions()) {
        self.init(model: model, output: output.path, options: options)
    }

    private init(model: ObjectModel, output: String, options: SeedOptions) {
        self.model = model
        self.output = output
        self.options = options
    }

    /// A seeder that does what a manifest says; see <doc:Manifest>.
    ///
    /// - Parameters:
    ///   - manifest: A JSON file, which is read at once; the dumps are not.
    ///   - output: The database to write, in a folder that is there; a file that is there already is replaced.
    ///   - options: How the build goes; the first element that does not fit ends it by default.
    /// - Throws: `SeedError`, of kind `inputMissing` if the manifest cannot be read, else of kind `badData` with all
    ///   that is wrong with it.
    public init(manifest: URL, output: URL, options: SeedOptions = SeedOptions()) throws(SeedError) {
        try self.init(manifestPath: manifest.path, outputPath: output.path, options: options)
    }

    /// As the public initializer; messages show the paths as they are given.
    package init(manifestPath path: String, outputPath: String, options: SeedOptions) throws(SeedError) {
        let manifest = try Manifest(readText(of: path), file: inputName(path))
        self.init(model: manifest.model, output: outputPath, options: options)
        let base = options.basePath ?? folder(of: path)
        self.manifest = path
        manifestEntities = manifest.entities
        sources = manifest.sources.map { SeedSource($0, base: base) }
        if path == "-", sources.contains(where: { $0.file == "-" }) {
            throw SeedError(
                .badData, "standard input is the manifest, so no source can be read from it",
                advice: "Give one of them as a file.")
        }
    }

    /// Adds a dump.
    ///
    /// An entity has one mapping: that of the source's elements also maps objects of the entity that are nested in
    /// other elements.
    ///
    /// - Parameters:
    ///   - file: A JSON file, or one element a line (`.ndjson`, `.jsonl`); it may be compressed by gzip.
    ///   - mapping: How elements become rows; nil for wrapped elements (`[{"user": {…}}, {"task": {…}}]`), where the
    ///     wrapper's name chooses the entity.
    ///   - keyPath: Where the elements are; the whole text by default.
    ///   - each: How an element is found; without effect on one element a line.
    /// - Throws: `SeedError` of kind `badData` if the mapping does not suit the model, or a wrapper's name would choose two entities.
    public mutating func seed(
        from file: URL, with mapping: EntityMapping?, at keyPath: JSONKeyPath = "", each: Each = .element
    ) throws(SeedError) {
        if let mapping { try map(mapping) } else { try checkElementNames() }
        let path = file.path
        sources.append(
            SeedSource(
                file: path, name: path, entity: mapping.flatMap { model.index(of: $0.entity) }, keyPath: keyPath,
                shape: isNewlineDelimited(path) ? .line : each == .member ? .member : .element))
    }

    /// Adds the mapping of an entity whose objects are only nested in others.
    ///
    /// Without one its attributes are read from the keys of their own names.
    /// - Throws: `SeedError` of kind `badData` if the mapping does not suit the model, or the entity has another one.
    public mutating func map(_ mapping: EntityMapping) throws(SeedError) {
        try mapping.check(against: model)
        let earlier = mappings.updateValue(mapping, forKey: mapping.entity)
        guard earlier == nil || earlier == mapping else {
            throw SeedError(.badData, "\(mapping.entity) has two mappings", advice: "Give it one for all sources.")
        }
    }

    private func checkElementNames() throws(SeedError) {
        var owners: [String: String] = [:]
        for (entity, names) in manifestEntities?.map({ ($0.name, $0.elementNames) })
            ?? model.entities.map({ ($0.name, elementNames(of: $0.name)) })
        {
            for name in names {
                guard let other = owners.updateValue(entity, forKey: name) else { continue }
                throw SeedError(
                    .badData, "'\(name)' would wrap elements of both \(other) and \(entity)",
                    advice: "Give them names that differ in more, or a source each.")
            }
        }
    }

    /// Builds the database and puts it in its place, with its checksum beside it (`OUTPUT.sha256`).
    ///
    /// A build can be cancelled through the task that it runs in. Dumps are read once, or twice where an entity
    /// turns out to repeat an identity.
    ///
    /// - Returns: What is in the database, and what was left out.
    /// - Throws: `SeedError`; then an existing output is what it was.
    public func finish() throws(SeedError) -> SeedReport {
        try SeedBuild(self, entities: rowEntities).run()
    }
}

/// The folder in a path, as it is written; empty for a bare name.
private func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
}
