import ObjectMapping

/// The type that reads all sources of a manifest.
struct DumpsSource {
    let manifest: Manifest
    let outline: ModelOutline
    /// The manifest's file, for a comment.
    let file: String

    private var types: SwiftTypes { outline.types }

    var lines: [String] {
        var names = NameSpace()
        for taken in ["session", "folder", "bytes"] { _ = names.unused(taken) }
        let lists = outline.entities.map { entity in
            entity.identity.isEmpty && !isSource(entity) ? nil : names.unused(SwiftName.plural(of: entity.type))
        }
        let properties = zip(outline.entities, lists).compactMap { entity, list in
            list.map { "var \(SwiftName.declared($0)): [\(entity.type)] = []" }
        }
        let start = [
            "/// What the dumps of \(file) hold.", "///",
            "/// All of them are read into one session, in which objects are found and connected with each other.",
            "struct \(outline.dumpsType) {",
            "    let session = \(types.name("MappingSession"))()",
        ]
        let reading = manifest.sources.flatMap { source in
            source.entity.map { lines(of: source, entity: $0, list: lists[$0] ?? "") } ?? wrapped(source, lists)
        }
        let finding = zip(outline.entities, lists).compactMap { entity, list in
            entity.identity.isEmpty ? nil : list.map { "\(SwiftName.declared($0)) = session.all(\(entity.type).self)" }
        }
        return start + properties.flatMap { SourceLines.member([$0]) }
            + ["", "    /// Reads the dumps of a folder.", "    init(in folder: \(types.name("URL"))) throws {"]
            + bytesFunction
            + (reading + finding).flatMap { SourceLines.member([$0], indented: 2) } + ["    }", "}"] + wrapper
    }

    private var bytesFunction: [String] {
        let isNeeded = manifest.sources.contains { $0.file != "-" && !$0.file.hasPrefix("/") }
        let data = types.name("Data")
        return isNeeded
            ? SourceLines.member(
                [
                    "func bytes(_ file: \(types.name("String"))) throws -> \(data) "
                        + "{ try \(data)(contentsOf: folder.appending(path: file)) }"
                ], indented: 2) : []
    }

    private func isSource(_ entity: ModelOutline.Entity) -> Bool {
        manifest.sources.contains { source in
            source.entity.map { outline.entities[$0].type == entity.type } ?? true
        }
    }

    /// Reads a source; what has no identity is gathered, because a session does not know it.
    private func lines(of source: Manifest.Source, entity index: Int, list: String) -> [String] {
        let entity = outline.entities[index]
        let isGathered = entity.identity.isEmpty
        return [(isGathered ? "\(SwiftName.declared(list)) += " : "_ = ") + reading(source, as: entity.type)]
    }

    private func wrapped(_ source: Manifest.Source, _ lists: [String?]) -> [String] {
        let gathered = zip(outline.entities, lists).filter { $0.0.identity.isEmpty }
        guard !gathered.isEmpty else { return ["_ = " + reading(source, as: outline.wrapperType)] }
        return ["for element in \(reading(source, as: outline.wrapperType)) {"]
            + gathered.map { entity, list in
                "    if let object = element.\(wrapperProperty(of: entity)) { \(SwiftName.declared(list ?? "")).append(object) }"
            } + ["}"]
    }

    private func reading(_ source: Manifest.Source, as type: String) -> String {
        let path = source.keyPath.description.isEmpty ? "" : ", at: \(SwiftLiteral.string(source.keyPath.description))"
        let each =
            switch source.shape {
            case .element: ""
            case .member: ", each: .member"
            case .line: ", each: .line"
            }
        return "try \(type).mapping.mapAll(\(bytes(of: source.file))\(path)\(each), in: session)"
    }

    /// The bytes of a file; one that is packed is read as the file that it becomes when it is unpacked.
    private func bytes(of file: String) -> String {
        let path = SwiftLiteral.string(file == "-" ? "/dev/stdin" : Gzip.innerName(file))
        let isAbsolute = file.hasPrefix("/") || file == "-"
        return isAbsolute
            ? "\(types.name("Data"))(contentsOf: \(types.name("URL"))(filePath: \(path)))" : "bytes(\(path))"
    }

    // MARK: Wrapped elements

    private func wrapperProperty(of entity: ModelOutline.Entity) -> String { SwiftName.property(entity.type) }

    /// An element that names its entity; nothing where no source has such.
    private var wrapper: [String] {
        guard manifest.sources.contains(where: { $0.entity == nil }) else { return [] }
        let type = outline.wrapperType
        let properties = outline.entities.map { "var \(SwiftName.declared(wrapperProperty(of: $0))): \($0.type)?" }
        let rules = outline.entities.map { entity in
            let names = entity.elementNames.map { outline.source(JSONKeyPath(components: [$0])) }
            let source = names.count == 1 ? names[0] : ".first(\(names.joined(separator: ", ")))"
            return SourceLines.rule(
                SourceLines.Call(types.name("Relationship"), [source, "\\.\(wrapperProperty(of: entity))"]))
        }
        return [
            "", "/// An element of a dump of several types, which is wrapped in its name.",
            "private struct \(type): \(types.name("Mappable")) {",
        ]
            + properties.flatMap { SourceLines.member([$0]) }
            + ["", "    static let mapping = \(types.name("Mapping"))(\(type).init) {"] + rules.flatMap(\.self) + [
                "    }", "}",
            ]
    }
}
