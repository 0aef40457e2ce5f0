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
    var needsConversions: Bool { attributes.contains(where: \.needsConversion) }

    var lines: [String] {
        let rules = attributes.map(\.rule) + relationships.flatMap(\.rules)
        let hasNoRules = rules.isEmpty
        let isStruct = outline.kind == .structs
        var members =
            attributes.map(\.declaration)
            + relationships.filter { $0.relationship.form != .lookup }.flatMap(\.declarations)
        if hasNoRules {
            members.append([
                "/// The object as it stands: a mapping reads something.",
                "var content: \(outline.types.name("JSON"))?",
            ])
        }
        let lookups = relationships.filter { $0.relationship.form == .lookup }.flatMap(\.declarations)
        let start = "\(isStruct ? "struct" : "final class") \(entity.type): \(outline.types.name("Mappable")) {"
        let make = isStruct ? "\(entity.type).init" : "{ \(entity.type)() }"
        return [start] + members.flatMap { SourceLines.member($0) }
            + ["", "    static let mapping = \(outline.types.name("Mapping"))(\(make)) {"]
            + (hasNoRules ? ["        \(outline.types.name("Attribute"))(.value, \\.content)"] : rules.flatMap(\.self))
            + ["    }"] + entity.identity.map { "    .identified(by: \\.\($0))" }
            + lookups.flatMap { [""] + SourceLines.member($0) } + ["}"]
    }
}
