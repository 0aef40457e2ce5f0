public import ObjectMapping

/// Swift types with their mappings for the entities of a manifest: a first draft of an app's models.
///
/// ```swift
/// let sources = try ModelSources(manifest: URL(filePath: "seed.json"))
/// try sources.write(to: URL(filePath: "Sources/Models"))
/// ```
///
/// Equal manifests give equal sources. The types read what the manifest's dumps hold as a build of the seed database
/// does. Classes and structs come with `Dumps`, a type that reads all of these; managed classes open the database itself.
public struct ModelSources: Sendable {
    /// What an entity becomes.
    public enum Kind: String, Sendable, CaseIterable {
        /// A final class. Its relationships are properties, connected by their keys.
        case classes
        /// A struct. It holds what is nested in it; its other relationships are functions that ask a `MappingSession`.
        case structs
        /// A final class that inherits from `ManagedObject`, with the model that opens the manifest's seed database.
        case managed
    }

    /// A file of Swift source.
    public struct File: Sendable, Hashable {
        /// The name: `Task.swift`.
        public let name: String
        /// What stands in it, from its comment on.
        public let text: String
    }

    /// One for each entity, in the manifest's order; then those that read its dumps, or list the managed classes.
    public let files: [File]
    /// All files as one.
    public let text: String

    /// The sources for a manifest.
    ///
    /// - Parameters:
    ///   - manifest: The file; its dumps are not read.
    ///   - kind: What an entity becomes; classes by default.
    /// - Throws: `SeedError`: the manifest cannot be read, or all that is wrong with it.
    public init(manifest: URL, kind: Kind = .classes) throws(SeedError) {
        try self.init(manifestPath: manifest.path, kind: kind)
    }

    /// As the public initializer; messages show the path as it is given.
    package init(manifestPath path: String, kind: Kind) throws(SeedError) {
        let bytes = try readBytes(of: path)
        let manifest = try Manifest(bytes, file: inputName(path))
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

    /// What stands in a file.
    private struct Part {
        let name: String
        let lines: [String]
        let imports: [String]
    }
}
