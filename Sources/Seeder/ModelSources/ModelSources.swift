public import ObjectMapping

/// Swift types and mappings for the entities of a manifest: a first draft of an app's models.
///
/// ```swift
/// let sources = try ModelSources(manifest: URL(filePath: "seed.json"))
/// try sources.write(to: URL(filePath: "Sources/Models"))
/// ```
///
/// Equal manifests produce equal sources. The types read the manifest's dumps like a build of the seed database. For
/// classes and structs, `Dumps` reads all dumps; managed classes open the seed database.
public struct ModelSources: Sendable {
    /// The kind of type that is written for each entity.
    public enum Kind: String, Sendable, CaseIterable {
        /// A final class. Its relationships are properties, connected by their keys.
        case classes
        /// A struct. Nested objects are properties; other relationships are functions that search a `MappingSession`.
        case structs
        /// A final class that inherits from `ManagedObject`, with the model that opens the manifest's seed database.
        case managed
    }

    /// A file of Swift source.
    public struct File: Sendable, Hashable {
        /// The name: `Task.swift`.
        public let name: String
        /// The contents.
        public let text: String
    }

    /// A file for each entity, in the manifest's order, then the files that read the dumps or list the managed classes.
    public let files: [File]
    /// All files as one.
    public let text: String

    /// Creates the sources for a manifest.
    ///
    /// - Parameters:
    ///   - manifest: The manifest. Its dumps are not read.
    ///   - kind: The kind of type for each entity. Defaults to `.classes`.
    /// - Throws: `SeedError` if the manifest cannot be read, or with all problems of the manifest.
    public init(manifest: URL, kind: Kind = .classes) throws(SeedError) {
        try self.init(manifestPath: manifest.path, kind: kind)
    }

    /// Like the public initializer; messages contain the path as specified.
    package init(manifestPath path: String, kind: Kind) throws(SeedError) {
        let bytes = try readBytes(of: path)
        let manifest = try Manifest(bytes, file: inputName(path), formats: nil)
        if kind == .managed { try manifest.checkMemberNames(ManifestIssues(bytes: bytes, file: inputName(path))) }
        let name =
            path == "-" ? path : String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
        self.init(manifest, named: name, kind: kind)
    }

    private init(_ manifest: Manifest, named name: String, kind: Kind) {
        let outline = ModelOutline(manifest, kind: kind)
        let title = name == "-" ? "a manifest" : SwiftLiteral.comment(name)
        let command = "seed-db models \(SwiftLiteral.comment(name))" + (kind == .classes ? "" : " --kind \(kind)")
        var kinds: TextConversions = []
        var parts = outline.entities.map { entity in
            let source = EntitySource(entity, in: outline)
            kinds.formUnion(source.textConversions)
            return Part(
                name: entity.type, lines: source.lines,
                imports: (source.needsFoundation ? ["Foundation"] : []) + ["ObjectMapping"]
                    + (kind == .managed ? ["ObjectStore"] : []))
        }
        if kind == .managed {
            let model = StoreModelSource(outline: outline, title: title)
            parts.append(Part(name: "ObjectModel+Seed", lines: model.lines, imports: ["ObjectStore"]))
        } else {
            let dumps = DumpsSource(manifest, outline, title: title)
            parts.append(Part(name: outline.dumpsType, lines: dumps.lines, imports: ["Foundation", "ObjectMapping"]))
        }
        let conversions = ConversionsSource(kinds: kinds, outline: outline)
        if !kinds.isEmpty {
            parts.append(
                Part(name: "Conversion+Texts", lines: conversions.lines, imports: ["ObjectMapping", "Synchronization"]))
        }
        let rules = outline.brokenNameRules
        func text(_ parts: [Part]) -> String {
            let lines = parts.flatMap { [""] + $0.lines }
            return
                (["// Written for \(title) by: \(command)"]
                + (rules.isEmpty ? [] : ["// swift-format-ignore-file: \(rules.joined(separator: ", "))"]) + [""]
                + Set(parts.flatMap(\.imports)).sorted().map { "import \($0)" } + lines).joined(separator: "\n") + "\n"
        }
        files = parts.map { File(name: $0.name + ".swift", text: text([$0])) }
        self.text = text(parts)
    }

    /// The contents of a file.
    private struct Part {
        let name: String
        let lines: [String]
        let imports: [String]
    }
}
