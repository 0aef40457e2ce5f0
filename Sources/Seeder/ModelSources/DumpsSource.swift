import ObjectMapping
import ObjectStore

/// The source of the type that reads all dumps of a manifest.
struct DumpsSource {
    private let manifest: Manifest
    private let outline: ModelOutline
    private let title: String
    /// The property for the objects of each entity; `nil` if they have no identity and occur only in others.
    private let lists: [String?]

    private var types: SwiftTypes { outline.types }

    /// - Parameter title: The name of the manifest in a comment.
    init(_ manifest: Manifest, _ outline: ModelOutline, title: String) {
        self.manifest = manifest
        self.outline = outline
        self.title = title
        var names = NameSpace()
        for taken in ["session", "folder", "standardInput", "bytes"] { _ = names.unused(taken) }
        lists = outline.entities.enumerated().map { index, entity in
            let isSource = manifest.sources.contains { $0.entity == nil || $0.entity == index }
            return entity.identity.isEmpty && !isSource ? nil : names.unused(SwiftName.plural(of: entity.type))
        }
    }

    var lines: [String] {
        var lines = [
            "/// The content of the dumps of \(title).", "///",
        ]
        switch outline.kind {
        case .classes:
            lines.append(
                "/// They are read into one session, which finds and connects objects.")
        case .structs, .managed:
            lines.append(
                "/// They are read into one session. It finds the last struct with an identity.")
        }
        lines += ["struct \(outline.dumpsType) {", "    let session = \(types.name("MappingSession"))()"]
        for (entity, list) in zip(outline.entities, lists) {
            if let list { lines += SourceLines.member(["var \(SwiftName.declared(list)): [\(entity.type)] = []"]) }
        }
        lines += [""] + SourceLines.member(initializer)
        for source in manifest.sources { lines += SourceLines.member(reading(source), indented: 2) }
        for (entity, list) in zip(outline.entities, lists) where !entity.identity.isEmpty {
            let list = SwiftName.declared(list ?? "")
            lines += SourceLines.member(["\(list) = session.all(\(entity.type).self)"], indented: 2)
        }
        return lines + ["    }", "}"] + wrapper
    }

    /// The initializer up to the code that reads the sources.
    private var initializer: [String] {
        let files = manifest.sources.map(\.file).filter { $0 != "-" }
        let packed = files.filter { Gzip.innerName($0) != $0 }.map(SwiftLiteral.comment)
        let (data, url, string) = (types.name("Data"), types.name("URL"), types.name("String"))
        var parameters: [String] = []
        if !files.isEmpty { parameters.append("in folder: \(url)") }
        if files.count < manifest.sources.count { parameters.append("standardInput: \(data)") }
        var lines = ["/// Reads the dumps\(files.isEmpty ? "" : " of a folder")."]
        if !packed.isEmpty { lines += ["///", "/// Unpack these files first: \(packed.joined(separator: ", "))."] }
        lines.append("init(\(parameters.joined(separator: ", "))) throws {")
        if files.contains(where: { !$0.hasPrefix("/") }) {
            let body = "try \(data)(contentsOf: folder.appending(path: file))"
            let start = "    func bytes(_ file: \(string)) throws -> \(data) {"
            let isShort = start.count + body.count + 7 <= SourceLines.width
            lines += isShort ? ["\(start) \(body) }"] : [start, "        \(body)", "    }"]
        }
        return lines
    }

    /// Returns the code that reads a source; objects without an identity are collected, because a session does not
    /// contain them.
    private func reading(_ source: Manifest.Source) -> [String] {
        let type = source.entity.map { outline.entities[$0].type } ?? outline.wrapperType
        let path = source.keyPath.description
        let at = path.isEmpty ? "" : ", at: \(SwiftLiteral.string(path))"
        let each =
            switch source.shape {
            case .element: ""
            case .member: ", each: .member"
            case .line: ", each: .line"
            }
        let call = "try \(type).mapping.mapAll(\(bytes(of: source.file))\(at)\(each), in: session)"
        let entities = source.entity.map { [$0] } ?? Array(outline.entities.indices)
        let gathered = entities.filter { outline.entities[$0].identity.isEmpty }
        guard !gathered.isEmpty else { return ["_ = \(call)"] }
        if let entity = source.entity { return ["\(SwiftName.declared(lists[entity] ?? "")) += \(call)"] }
        let appending = gathered.map { entity in
            let list = SwiftName.declared(lists[entity] ?? "")
            return "    if let object = element.\(wrapperProperty(entity)) { \(list).append(object) }"
        }
        return ["for element in \(call) {"] + appending + ["}"]
    }

    private func bytes(of file: String) -> String {
        if file == "-" { return "standardInput" }
        let path = SwiftLiteral.string(Gzip.innerName(file))
        return file.hasPrefix("/")
            ? "\(types.name("Data"))(contentsOf: \(types.name("URL"))(filePath: \(path)))" : "bytes(\(path))"
    }

    // MARK: Wrapped elements

    private func wrapperProperty(_ entity: Int) -> String { SwiftName.property(outline.entities[entity].type) }

    /// The source of the type for wrapped elements; empty if each source names its entity.
    private var wrapper: [String] {
        guard manifest.sources.contains(where: { $0.entity == nil }) else { return [] }
        let type = outline.wrapperType
        var lines = [
            "", "/// An element of a dump of several types, under the name of its type.",
            "private struct \(type): \(types.name("Mappable")) {",
        ]
        for (index, entity) in outline.entities.enumerated() {
            lines += SourceLines.member(["var \(SwiftName.declared(wrapperProperty(index))): \(entity.type)?"])
        }
        lines += ["", "    static let mapping = \(types.name("Mapping"))(\(type).init) {"]
        for (index, entity) in outline.entities.enumerated() {
            let names = entity.elementNames.map { outline.source(JSONKeyPath(components: [$0])) }
            let source = names.count == 1 ? names[0] : ".first(\(names.joined(separator: ", ")))"
            lines += SourceLines.rule(
                SourceLines.Call(types.name("Relationship"), [source, "\\.\(wrapperProperty(index))"]))
        }
        return lines + ["    }", "}"]
    }
}
