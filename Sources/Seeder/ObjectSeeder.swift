public import ObjectMapping
public import ObjectStore

/// Builds a seed database from JSON dumps.
///
/// ```swift
/// var seeder = ObjectSeeder(model: model, output: URL(filePath: "seed.sqlite"))
/// try seeder.seed(from: users, with: EntityMapping("User", ["userID": "id"]), at: "data.users")
/// let report = try seeder.finish()
/// ```
///
/// Nothing is written before `finish()`, and the output appears when it is complete. Equal dumps produce equal bytes.
/// Sources are read in order, one element at a time. Memory grows with the largest element, not with the number of
/// elements.
public struct ObjectSeeder: Sendable {
    /// Where the elements of a source are.
    public enum Each: Sendable {
        /// In an array. A single object is one element.
        case element
        /// In the members of an object: `{"7": {…}, "8": {…}}`. The key path `"@key"` is the name of the member.
        case member
        /// One per line (NDJSON), or one after the other.
        case line

        fileprivate var shape: ElementShape {
            switch self {
            case .element: .element
            case .member: .member
            case .line: .line
            }
        }
    }

    let model: ObjectModel
    let output: String
    let options: SeedOptions
    private(set) var mappings: [String: EntityMapping] = [:]
    /// The path of the manifest; `nil` for a model in code.
    private(set) var manifest: String?
    private(set) var manifestEntities: [RowEntity]?
    private(set) var sources: [SeedSource] = []

    /// Creates a seeder for a model.
    ///
    /// Add dumps with ``seed(from:with:at:each:format:)``.
    ///
    /// - Parameters:
    ///   - model: The entities of the database.
    ///   - output: The database to write, in an existing folder. An existing file is replaced.
    ///   - options: The options of the build. By default, the first invalid element stops it.
    public init(model: ObjectModel, output: URL, options: SeedOptions = SeedOptions()) {
        self.init(model: model, output: output.path, options: options)
    }

    private init(model: ObjectModel, output: String, options: SeedOptions) {
        self.model = model
        self.output = output
        self.options = options
    }

    /// Creates a seeder for a manifest; see <doc:Manifest>.
    ///
    /// - Parameters:
    ///   - manifest: The manifest, a JSON file. It is read immediately; the dumps are read by ``finish()``.
    ///   - output: The database to write, in an existing folder. An existing file is replaced.
    ///   - options: The options of the build. By default, the first invalid element stops it.
    /// - Throws: `SeedError` of kind `inputMissing` if the manifest cannot be read, or of kind `badData` with all
    ///   problems of the manifest.
    public init(manifest: URL, output: URL, options: SeedOptions = SeedOptions()) throws(SeedError) {
        try self.init(manifestPath: manifest.path, outputPath: output.path, options: options)
    }

    /// Like the public initializer; messages contain the paths as specified.
    package init(manifestPath path: String, outputPath: String, options: SeedOptions) throws(SeedError) {
        let manifest = try Manifest(readText(of: path), file: inputName(path), formats: options.formats)
        self.init(model: manifest.model, output: outputPath, options: options)
        let base = options.basePath ?? folder(of: path)
        self.manifest = path
        manifestEntities = manifest.entities
        sources = manifest.sources.map { SeedSource($0, base: base) }
        if path == "-", sources.contains(where: { $0.file == "-" }) {
            throw SeedError(
                .badData, "standard input is the manifest, so no source can be read from it",
                advice: "Pass either the manifest or the source as a file.")
        }
    }

    /// Adds a dump.
    ///
    /// An entity has one mapping, which also applies to objects of the entity that are nested in other elements.
    ///
    /// - Parameters:
    ///   - file: A JSON file, one element per line (`.ndjson`, `.jsonl`), or another format, plain or gzip.
    ///   - mapping: The mapping of the elements; `nil` for wrapped elements (`[{"user": {…}}, {"task": {…}}]`), where
    ///     the name of the wrapper selects the entity.
    ///   - keyPath: The key path of the elements. Defaults to the whole document.
    ///   - each: Where the elements are. Defaults to `.line` for the extensions `.ndjson` and `.jsonl`, otherwise to
    ///     `.element`.
    ///   - format: The format of the file. Defaults to that of its extension in ``SeedOptions/formats``, otherwise to JSON.
    /// - Throws: `SeedError` of kind `badData` if the mapping does not match the model, if the name of a wrapper is
    ///   ambiguous, or if a file in a format other than JSON has one element per line.
    public mutating func seed(
        from file: URL, with mapping: EntityMapping?, at keyPath: JSONKeyPath = "", each: Each? = nil,
        format: (any PayloadFormat)? = nil
    ) throws(SeedError) {
        if let mapping { try map(mapping) } else { try checkElementNames() }
        let path = file.path
        let shape = each?.shape ?? usualShape(of: path)
        let format = format ?? usualFormat(of: path, in: options.formats)
        let other = format is JSONFormat ? nil : format
        if shape == .line, other != nil {
            throw SeedError(.badData, "\(path): a file with one element per line is JSON, not another format")
        }
        sources.append(
            SeedSource(
                file: path, name: path, entity: mapping.flatMap { model.index(of: $0.entity) }, keyPath: keyPath,
                shape: shape, format: other))
    }

    /// Adds the mapping of an entity whose objects are nested in others.
    ///
    /// An entity without a mapping reads its attributes from the keys with their names.
    ///
    /// - Throws: `SeedError` of kind `badData` if the mapping does not match the model, or if the entity has a
    ///   different one.
    public mutating func map(_ mapping: EntityMapping) throws(SeedError) {
        try mapping.check(against: model)
        let earlier = mappings.updateValue(mapping, forKey: mapping.entity)
        guard earlier == nil || earlier == mapping else {
            throw SeedError(
                .badData, "\(mapping.entity) has two different mappings",
                advice: "Use the same mapping for all sources.")
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
                    .badData, "the element name '\(name)' is used by both \(other) and \(entity)",
                    advice: "Choose different element names, or use a separate source for each entity.")
            }
        }
    }

    /// Builds the database and its checksum file (`OUTPUT.sha256`).
    ///
    /// The build stops if its task is cancelled. Dumps are read once, or twice if elements of an entity have the same
    /// identity.
    ///
    /// - Returns: The numbers of rows, and of elements that were skipped.
    /// - Throws: `SeedError`. An existing output is unchanged in this case.
    public func finish() throws(SeedError) -> SeedReport {
        try SeedBuild(self, entities: rowEntities).run()
    }
}

/// Returns the folder of a path, verbatim; empty for a file name.
private func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
}
