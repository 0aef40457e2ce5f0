import ObjectMapping

/// The source of a relationship: a property with its rules, or a function.
struct RelationshipSource {
    let relationship: ModelOutline.Relationship
    let entity: ModelOutline.Entity
    let outline: ModelOutline

    var destination: ModelOutline.Entity { outline.entities[relationship.destination] }
    var inverse: ModelOutline.Relationship? { outline.inverse(of: relationship) }
    var property: String { SwiftName.declared(relationship.property) }
    var types: SwiftTypes { outline.types }

    /// The declarations of one or several members.
    var declarations: [[String]] {
        switch relationship.form {
        case .lookup: [lookup]
        case .boxedProperty:
            [
                [
                    "/// A struct cannot hold itself, but an array can hold it.",
                    "private var \(relationship.helpers.box): [\(destination.type)] = []",
                ],
                [
                    "var \(property): \(destination.type)? {", "    get { \(relationship.helpers.box).first }",
                    "    set { \(relationship.helpers.box) = newValue.map { [$0] } ?? [] }", "}",
                ],
            ]
        case .property, .cyclicProperty, .weakProperty:
            [outline.kind == .managed ? managedDeclaration : declaration] + candidates
        }
    }

    /// The rules of a mapping.
    var rules: [[String]] {
        if let path = relationship.path {
            let each = relationship.areMembers ? ["each: .member"] : []
            let arguments = [outline.source(path), "\\.\(relationship.property)"] + each
            return [SourceLines.rule(SourceLines.Call(types.name("Relationship"), arguments))]
        }
        guard relationship.form != .lookup, !relationship.keys.isEmpty else { return [] }
        guard relationship.triesEachKey else { return [connection(relationship.property, by: relationship.keys)] }
        return zip(relationship.helpers.candidates, relationship.keys).map { connection($0, by: [$1]) }
    }

    private func connection(_ property: String, by keys: [String]) -> [String] {
        let conditions = relationship.conditions.map { name, value in
            literal(name, value).map { SourceLines.Call(".when", ["\\.\(name)", "equals: \($0)"]) }
                ?? ".when { _ in false }"
        }
        let keys = keys.map { "\\.\($0)" }
        var arguments = ["\\.\(property)", "by: \(keys[0])"] + keys.dropFirst()
        arguments += matching.enumerated().map { ($0 == 0 ? "matching: " : "") + "\\.\($1)" }
        return SourceLines.rule(SourceLines.Call(types.name("Connection"), arguments), conditions)
    }

    /// The unique properties of the destination that the keys contain; empty for its identity.
    var matching: [String] { relationship.matching.map { destination.attributes[$0].property } }

    /// Returns the literal of a condition; `nil` if it cannot be met.
    func literal(_ name: String, _ value: JSON) -> String? {
        guard let attribute = entity.attributes.first(where: { $0.property == name }) else { return nil }
        return SwiftLiteral.value(value, as: attribute.type, types, orNil: attribute.isOptional)
            ?? (attribute.isOptional ? "nil" : nil)
    }

    // MARK: Properties

    private var declaration: [String] {
        let isWeak = relationship.form == .weakProperty
        let start = "\(isWeak ? "weak " : "")var \(property): "
        let whole = start + (relationship.isToMany ? "[\(destination.type)] = []" : "\(destination.type)?")
        let observer = observer
        return comment
            + (observer.isEmpty
                ? [whole] : ["\(whole) {", "    didSet {"] + observer.map { "        " + $0 } + ["    }", "}"])
    }

    /// The declaration in a managed class; one side of two inverses names the other.
    private var managedDeclaration: [String] {
        var arguments = namesInverse ? inverse.map { ["inverse: \\\(destination.type).\($0.property)"] } ?? [] : []
        if isOneSided { arguments.append("inverse: nil") }
        if relationship.isOrdered { arguments.append("isOrdered: true") }
        let wrapper = types.name(relationship.isToMany ? "ToMany" : "ToOne")
        let start = "@\(wrapper)\(arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")"
        return ["\(start) var \(property): \(relationship.isToMany ? "[\(destination.type)]" : "\(destination.type)?")"]
    }

    /// Whether this side names its inverse: the to-many side, or the first of two of the same kind.
    private var namesInverse: Bool {
        guard let inverse, inverse.isToMany == relationship.isToMany else { return relationship.isToMany }
        return relationship.place < inverse.place
    }

    /// Whether it is to-many and independent of a relationship in the other direction.
    private var isOneSided: Bool {
        guard relationship.isToMany, inverse == nil else { return false }
        return destination.relationships.contains { other in
            outline.entities[other.destination].name == entity.name && outline.inverse(of: other) == nil
                && !(destination.name == entity.name && other.property == relationship.property)
        }
    }

    private var comment: [String] {
        switch relationship.form {
        case .weakProperty where inverse.map { $0.form.isRetained } == true:
            ["/// Weak, because `\(destination.type).\(inverse?.property ?? "")` holds this object."]
        case .weakProperty:
            [
                "/// Weak, to avoid a reference cycle; a session or `\(outline.dumpsType)` holds the object."
            ]
        case .cyclicProperty:
            ["/// A reference cycle: clear this property to free the objects."]
        default: []
        }
    }

    /// The observer that updates the other side.
    private var observer: [String] {
        guard relationship.isFed, let inverse else { return [] }
        let back = inverse.property
        let property = property == "oldValue" ? "self.oldValue" : property
        if relationship.isToMany {
            guard inverse.form == .weakProperty else { return [] }
            return [
                "for object in oldValue where object.\(back) === self { object.\(back) = nil }",
                "for object in \(property) { object.\(back) = self }",
            ]
        }
        let start = "guard \(property) !== oldValue else { return }"
        if inverse.form == .weakProperty {
            return [
                start, "if oldValue?.\(back) === self { oldValue?.\(back) = nil }", "\(property)?.\(back) = self",
            ]
        }
        guard inverse.isToMany, !inverse.isFed, inverse.form.isRetained else { return [] }
        return [start, "oldValue?.\(back).removeAll { $0 === self }", "\(property)?.\(back).append(self)"]
    }

    /// A property for each of several keys, of which the first with an object is used.
    private var candidates: [[String]] {
        guard relationship.triesEachKey else { return [] }
        let names = relationship.helpers.candidates.map(SwiftName.declared)
        // Managed objects refer to others by row number, so that those can be released.
        let modifier = relationship.form == .weakProperty || outline.kind == .managed ? "weak " : ""
        var members = names.map { name in
            ["private \(modifier)var \(name): \(destination.type)? { didSet { \(relationship.helpers.chooser)() } }"]
        }
        members.append([
            "/// Uses the first object found with the keys.",
            "private func \(relationship.helpers.chooser)() { \(property) = \(names.joined(separator: " ?? ")) }",
        ])
        return members
    }
}
