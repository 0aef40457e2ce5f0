import ObjectMapping

/// Writes a manifest as a person would: a line for each attribute, relationship and source.
struct ManifestText {
    private(set) var text = "{\n  \"model\": {\n"

    init(_ entities: [EntityGuess], _ sources: [SourceGuess]) {
        text += entities.map(Self.entity).joined(separator: ",\n")
        text += "\n  },\n  \"sources\": [\n"
        text += sources.map { "    " + Self.source($0) }.joined(separator: ",\n")
        text += "\n  ]\n}\n"
    }

    private static func entity(_ entity: EntityGuess) -> String {
        var members: [String] = []
        switch entity.identity.map({ JSONText.quoted($0.name) }) {
        case let names where names.isEmpty: break
        case let names where names.count == 1: members.append("\"identifiedBy\": \(names[0])")
        case let names: members.append("\"identifiedBy\": [\(names.joined(separator: ", "))]")
        }
        if let name = entity.elementName { members.append("\"elementName\": \(JSONText.quoted(name))") }
        members.append("\"attributes\": " + block(entity.attributes.map { ($0.name, attribute($0)) }))
        if !entity.relationships.isEmpty {
            members.append("\"relationships\": " + block(entity.relationships.map { ($0.name, relationship($0)) }))
        }
        let lines = members.map { "      " + $0 }.joined(separator: ",\n")
        return "    \(JSONText.quoted(entity.swiftName)): {\n\(lines)\n    }"
    }

    /// An object with a member a line, the values below each other.
    private static func block(_ members: [(name: String, value: String)]) -> String {
        guard !members.isEmpty else { return "{}" }
        let keys = members.map { JSONText.quoted($0.name) + ":" }
        let width = keys.map(\.count).max() ?? 0
        let lines = zip(keys, members).map { key, member in
            "        " + key + String(repeating: " ", count: width - key.count + 1) + member.value
        }
        return "{\n\(lines.joined(separator: ",\n"))\n      }"
    }

    private static func attribute(_ attribute: AttributeGuess) -> String {
        object([
            ("from", attribute.from.map(JSONText.quoted)), ("match", attribute.pattern.map(JSONText.quoted)),
            ("type", JSONText.quoted(attribute.type.description)), ("optional", attribute.isOptional ? nil : "false"),
        ])
    }

    private static func relationship(_ relationship: RelationshipGuess) -> String {
        object([
            ("from", relationship.from.map(JSONText.quoted)),
            ("to", JSONText.quoted(relationship.destination.swiftName)),
            ("many", relationship.isToMany ? "true" : nil), ("by", relationship.by.map { JSONText.quoted($0.name) }),
            ("inverse", relationship.inverse.map(JSONText.quoted)),
        ])
    }

    private static func source(_ source: SourceGuess) -> String {
        let path = source.collection.keyPath
        return object([
            ("file", JSONText.quoted(source.file)), ("entity", source.entity.map { JSONText.quoted($0.swiftName) }),
            ("at", path.components.isEmpty ? nil : JSONText.quoted(path.description)),
            ("each", source.collection.shape == .member ? "\"member\"" : nil),
        ])
    }

    private static func object(_ members: [(name: String, value: String?)]) -> String {
        let parts = members.compactMap { member in member.value.map { "\"\(member.name)\": \($0)" } }
        return "{ \(parts.joined(separator: ", ")) }"
    }
}
