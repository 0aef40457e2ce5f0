/// The type that is written for an entity.
struct EntitySource {
    let entity: ModelOutline.Entity
    let outline: ModelOutline
    private let attributes: [AttributeSource]
    private let relationships: [RelationshipSource]

    init(_ entity: ModelOutline.Entity, in outline: ModelOutline) {
        self.entity = entity
        self.outline = outline
        attributes = entity.attributes.map { AttributeSource($0, in: outline) }
        relationships = entity.relationships.map {
            RelationshipSource(relationship: $0, entity: entity, outline: outline)
        }
    }

    var needsFoundation: Bool { attributes.contains(where: \.needsFoundation) }
    var textConversions: TextConversions { attributes.reduce(into: []) { $0.formUnion($1.textConversions) } }

    var lines: [String] {
        let types = outline.types
        let isStruct = outline.kind == .structs
        var rules = attributes.map(\.rule) + relationships.flatMap(\.rules)
        var members = attributes.map(\.declaration)
        members += relationships.filter { $0.relationship.form != .lookup }.flatMap(\.declarations)
        if rules.isEmpty {
            members.append(
                [
                    "/// The object as it stands: a mapping has to read something.",
                    "var content: \(types.name("JSON"))?",
                ])
            rules = [SourceLines.rule(SourceLines.Call(types.name("Attribute"), [".value", "\\.content"]))]
        }
        var lines = ["\(isStruct ? "struct" : "final class") \(entity.type): \(types.name("Mappable")) {"]
        for member in members { lines += SourceLines.member(member) }
        let make = isStruct ? "\(entity.type).init" : "{ \(entity.type)() }"
        lines += ["", "    static let mapping = \(types.name("Mapping"))(\(make)) {"]
        for rule in rules { lines += rule }
        lines.append("    }")
        for property in entity.identity { lines.append("    .identified(by: \\.\(property))") }
        for relationship in relationships where relationship.relationship.form == .lookup {
            lines += [""] + SourceLines.member(relationship.lookup)
        }
        return lines + ["}"]
    }
}
