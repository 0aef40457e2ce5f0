import ObjectMapping

/// The mappings of the relationships of a case, by their index.
final class TypedTargets: @unchecked Sendable {  // guarded by being filled before any mapping is used
    var wide: [Int: Mapping<Wide>] = [:]
    var knot: [Int: Mapping<Knot>] = [:]

    /// Builds the mappings of a case.
    ///
    /// - Parameter isIncluded: Selects the rules. Defaults to all of them.
    init(_ example: ReferenceCase, where isIncluded: (ReferenceModel.Property) -> Bool = { _ in true }) {
        for (index, mapping) in example.mappings.enumerated() {
            let rules = mapping.rules.filter { isIncluded(mapping.model.properties[$0.destination]) }
            if mapping.model.name == TypedTable.wide.name {
                wide[index] = TypedTable.wide.mapping(rules, self)
            } else {
                knot[index] = TypedTable.knot.mapping(rules, self)
            }
        }
    }

    // Rules retain the targets: without this they would never be released.
    func clear() { (wide, knot) = ([:], [:]) }
}

/// The properties of a typed model, with their mappings and values.
struct TypedTable<Model>: Sendable {
    struct Property: Sendable {
        var name: String
        var type: @Sendable () -> ReferenceType
        var read: @Sendable (Model) -> String
        var rule: @Sendable (JSONKeyPath, _ child: Int, TypedTargets, _ isRequired: Bool) -> RuleDefinition<Model>
    }

    struct Rule: MappingRule {
        var definition: RuleDefinition<Model>
    }

    var name: String
    var make: @Sendable () -> Model
    var properties: [Property]

    /// The same for the reference.
    var reference: ReferenceModel {
        let fresh = make()
        return ReferenceModel(
            name: name, properties: properties.map { .init(name: $0.name, type: $0.type(), fresh: $0.read(fresh)) })
    }

    /// The content of a model, without properties that are equal to those of a new one.
    func text(of model: Model) -> String {
        let fresh = make()
        let parts = properties.map { ($0.name, $0.read(model), $0.read(fresh)) }.filter { $0.1 != $0.2 }
        return "\(name)(\(parts.map { "\($0.0): \($0.1)" }.joined(separator: ", ")))"
    }

    func mapping(_ rules: [ReferenceRule], _ targets: TypedTargets) -> Mapping<Model> {
        Mapping(make) {
            for rule in rules {
                Rule(
                    definition: properties[rule.destination].rule(rule.source, rule.child, targets, rule.isRequired))
            }
        }
    }

    static func attribute<Value: Canonical>(
        _ name: String, _ type: @autoclosure @escaping @Sendable () -> ReferenceType,
        _ read: @escaping @Sendable (Model) -> Value,
        _ rule: @escaping @Sendable (MappingSource) -> Attribute<Model, Value>
    ) -> Property {
        Property(name: name, type: type, read: { read($0).canonical }) { path, _, _, isRequired in
            let rule = rule(MappingSource(path))
            return isRequired ? rule.required.definition : rule.definition
        }
    }

    static func relationship<Value: Canonical>(
        _ name: String, _ type: @autoclosure @escaping @Sendable () -> ReferenceType,
        _ read: @escaping @Sendable (Model) -> Value,
        _ rule: @escaping @Sendable (MappingSource, Int, TypedTargets) -> Relationship<Model>
    ) -> Property {
        Property(name: name, type: type, read: { read($0).canonical }) { path, child, targets, isRequired in
            let rule = rule(MappingSource(path), child, targets)
            return isRequired ? rule.required.definition : rule.definition
        }
    }
}
