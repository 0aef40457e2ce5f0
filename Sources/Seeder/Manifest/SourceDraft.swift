import ObjectMapping

/// A source as the manifest words it.
struct SourceDraft {
    let node: ManifestNode
    let file: (name: String, node: ManifestNode)?
    let entity: (name: String, node: ManifestNode)?
    let keyPath: JSONKeyPath
    let shape: ElementShape

    init(node: ManifestNode) {
        self.node = node
        let members = node.members(["file", "entity", "at", "each"])
        file = members["file"].flatMap { node in node.string.map { ($0, node) } }
        entity = members["entity"].flatMap { node in node.string.map { ($0, node) } }
        keyPath = members["at"].flatMap(\.keyPath) ?? ""
        if members["file"] == nil, node.json.object != nil { node.fail("missing member 'file'") }
        if file?.name.isEmpty == true { file?.node.fail("expected the name of a file") }
        if file?.name.utf8.contains(0) == true { file?.node.fail("the name of a file cannot hold a NUL") }
        if keyPath.plainKeys == nil { members["at"]?.fail("the key path of a source takes no operator") }

        let isLines = file.map { isNewlineDelimited($0.name) } ?? false
        let each = members["each"].flatMap { node in node.string.map { ($0, node) } }
        shape = isLines ? .line : each?.0 == "member" ? .member : .element
        if let (name, node) = each, !Self.shapes.contains(name) {
            node.fail("unknown value '\(name)'" + suggestion(name, among: Self.shapes))
        } else if let (name, node) = each, name == "member" {
            if isLines { node.fail("a file of one element a line has no members") }
            if members["entity"] == nil { node.fail("wrapped elements, in a source without 'entity', are no members") }
        }
        if isLines, !keyPath.components.isEmpty {
            members["at"]?.fail("a file of one element a line takes no key path")
        }
    }

    private static let shapes = ["element", "member"]
}

/// Whether a file holds one element a line, by its name; `.gz` at its end says nothing about it.
func isNewlineDelimited(_ name: String) -> Bool {
    let name = Gzip.innerName(name).lowercased()
    return name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl")
}
