import ObjectStore

/// The source of the type for an entity.
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
        let isManaged = outline.kind == .managed
        var rules = attributes.map(\.rule) + relationships.flatMap(\.rules)
        var members = attributes.map(\.declaration)
        members += relationships.filter { $0.relationship.form != .lookup }.flatMap(\.declarations)
        if rules.isEmpty {
            let wrapper = isManaged ? "@\(types.name("Stored"))(.transient) " : ""
            members.append(
                [
                    "/// The whole object; a mapping needs at least one rule.",
                    "\(wrapper)var content: \(types.name("JSON"))?\(isManaged ? " = nil" : "")",
                ])
            rules = [SourceLines.rule(SourceLines.Call(types.name("Attribute"), [".value", "\\.content"]))]
        }
        var lines = ["\(start)\(types.name("Mappable")) {"]
        if isManaged, entity.name != entity.type {
            let name = "override class var entityName: \(types.name("String")) { \(SwiftLiteral.string(entity.name)) }"
            lines += SourceLines.member([name])
        }
        if isManaged, !entity.indexes.isEmpty {
            let indexes = entity.indexes.map { index in
                let names = index.attributes.map(SwiftLiteral.string).joined(separator: ", ")
                return ".\(index.isUnique ? "unique" : "index")(\(names))"
            }
            let start = "override class var indexes: [\(types.name("ObjectIndex"))]"
            lines += SourceLines.member(["\(start) { [\(indexes.joined(separator: ", "))] }"])
        }
        for member in members { lines += SourceLines.member(member) }
        lines += ["", "    static let mapping = \(types.name("Mapping"))(\(constructor)) {"]
        for rule in rules { lines += rule }
        lines.append("    }")
        if !isManaged { lines += entity.identity.map { "    .identified(by: \\.\($0))" } }
        for relationship in relationships where relationship.relationship.form == .lookup {
            lines += [""] + SourceLines.member(relationship.lookup)
        }
        return lines + ["}"]
    }

    private var start: String {
        switch outline.kind {
        case .classes: "final class \(entity.type): "
        case .structs: "struct \(entity.type): "
        case .managed: "final class \(entity.type): \(outline.types.name("ManagedObject")), "
        }
    }

    /// The argument with which the mapping creates objects.
    private var constructor: String {
        switch outline.kind {
        case .classes: "{ \(entity.type)() }"
        case .structs: "\(entity.type).init"
        case .managed: "\(entity.type).self"
        }
    }
}
