import ObjectMapping

/// A dump to read: its path, its name in messages, and its elements.
struct SeedSource: Sendable {
    /// The path to open; `-` is standard input.
    let file: String
    /// The name in the manifest, which reports and rejects use, so that they do not depend on the folder of a build.
    let name: String
    /// The index of the entity; `nil` for wrapped elements.
    let entity: Int?
    let keyPath: JSONKeyPath
    let shape: ElementShape
    /// The format; `nil` for JSON.
    let format: (any PayloadFormat)?

    init(
        file: String, name: String, entity: Int?, keyPath: JSONKeyPath, shape: ElementShape,
        format: (any PayloadFormat)?
    ) {
        self.format = format
        self.file = file
        self.name = name
        self.entity = entity
        self.keyPath = keyPath
        self.shape = shape
    }

    /// Creates a source of a manifest whose relative paths start at a folder.
    init(_ source: Manifest.Source, base: String) {
        let isAbsolute = source.file == "-" || source.file.hasPrefix("/") || base.isEmpty
        let folder = base.hasSuffix("/") ? base : base + "/"
        self.init(
            file: isAbsolute ? source.file : folder + source.file, name: source.file, entity: source.entity,
            keyPath: source.keyPath, shape: source.shape, format: source.format)
    }

    /// Opens the dump to verify that it can be read; standard input and pipes are copied to an unnamed file.
    func open(spoolPath: String, meter: ProgressMeter?) throws(SeedError) -> InputFile {
        file == "-"
            ? try InputFile(standardInputWithSpoolPath: spoolPath, meter: meter, format: format)
            : try InputFile(path: file, name: file, spoolPath: spoolPath, meter: meter, format: format)
    }
}
