public import ObjectMapping

extension ObjectModel {
    /// The model as JSON: an object of entities by name, in their order.
    ///
    /// ```json
    /// {"Task": {"identifiedBy": ["taskID"],
    ///           "attributes": {"taskID": {"type": "integer"}, "name": {"type": "string", "optional": false}},
    ///           "relationships": {"project": {"to": "Project", "inverse": "tasks"}}}}
    /// ```
    ///
    /// Members with their default value are omitted. Key paths of a manifest are not included.
    public var json: JSON { json(sorted: false) }

    /// Reads a model from its JSON form.
    ///
    /// - Throws: `ModelError` with all errors in the JSON, or with all problems of the model.
    public init(json: JSON) throws(ModelError) {
        let text = json.text
        var entities: [EntityDescription] = []
        do throws(MappingError) {
            var report = MappingReport(policy: .collect)
            entities = try EntityDescription.mapping.mapAll(text, each: .member, report: &report)
            let issues = try report.issues + EntityDescription.mapping.unreadKeyIssues(of: text, each: .member)
            if !issues.isEmpty { throw MappingError(issues.sorted { $0.offset < $1.offset }) }
        } catch {
            throw ModelError(error.issues, in: text)
        }
        try self.init(entities: entities)
    }

    /// Returns the JSON form, in the order of the model or sorted by name.
    func json(sorted: Bool) -> JSON {
        let entities = sorted ? entities.map(\.sorted).sorted(by: \.name) : entities
        return (try? EntityDescription.mapping.json(of: entities, each: .member)) ?? .null
    }
}

extension ModelError {
    fileprivate init(_ issues: [MappingIssue], in text: String) {
        let paths = Array(text.utf8).withView {
            JSONTokenizer.places(offsets: issues.map(\.offset), in: $0).map(\.path)
        }
        self.init(
            zip(issues, paths).map { issue, path in
                Problem(path, "expected \(issue.expected), found \(issue.found)", suggestions: issue.suggestions)
            })
    }
}

// MARK: Mappings

extension EntityDescription {
    fileprivate static let mapping = Mapping({ EntityDescription("", attributes: []) }) {
        Attribute(.key, \.name)
        Attribute("identifiedBy", \.identity.ifAny).using(.strict).whenNull(.fail)
        Relationship("attributes", \.attributes, AttributeDescription.mapping, each: .member).whenNull(.fail)
        Relationship("relationships", \.relationships.ifAny, RelationshipDescription.mapping, each: .member)
            .whenNull(.fail)
        Relationship("indexes", \.indexes.ifAny, ObjectIndex.mapping).whenNull(.fail)
        Attribute("was", \.formerNames).using(.strict).whenNull(.fail).readOnly
        Attribute("was", \.formerNames.ifAny, using: .names).writeOnly
    }

    fileprivate var sorted: EntityDescription {
        EntityDescription(
            name, identifiedBy: identity, attributes: attributes.sorted(by: \.name),
            relationships: relationships.sorted(by: \.name), indexes: indexes)
    }
}

extension AttributeDescription {
    fileprivate static let mapping = Mapping({ AttributeDescription("", AttributeType(.string)) }) {
        Attribute(.key, \.name)
        Attribute("type", \.type, using: .attributeType).required
        Attribute("optional", \.isOptional.ifFalse).using(.strict).whenNull(.fail)
        Attribute("default", \.defaultValue.ifAny)
        Attribute("was", \.formerNames).using(.strict).whenNull(.fail).readOnly
        Attribute("was", \.formerNames.ifAny, using: .names).writeOnly
        Attribute("indexed", \.isIndexed.ifTrue).using(.strict).whenNull(.fail)
        Attribute("unique", \.isUnique.ifTrue).using(.strict).whenNull(.fail)
        Attribute("searchable", \.isSearchable.ifTrue).using(.strict).whenNull(.fail)
    }
}

extension RelationshipDescription {
    fileprivate static let mapping = Mapping({ RelationshipDescription("", to: "") }) {
        Attribute(.key, \.name)
        Attribute("to", \.destination).using(.strict).required
        Attribute("many", \.isToMany.ifTrue).using(.strict).whenNull(.fail)
        Attribute("ordered", \.isOrdered.ifTrue).using(.strict).whenNull(.fail)
        Attribute("inverse", \.inverse).using(.strict).whenNull(.fail)
        Attribute("by", \.by.ifAny).using(.strict).whenNull(.fail)
        Attribute("matching", \.matching.ifAny).using(.strict).whenNull(.fail)
        Attribute("any", \.any.ifTrue).using(.strict).whenNull(.fail)
        Attribute("when", \.when.ifAny).whenNull(.fail)
        Attribute(
            "deleteRule", \.deleteRule.ifSet,
            using: .oneOf(["nullify": .nullify, "cascade": .cascade, "deny": .deny])
        ).whenNull(.fail)
        Attribute("required", \.isRequired.ifTrue).using(.strict).whenNull(.fail)
        Attribute("sortedBy", \.sortedBy).using(.strict).whenNull(.fail)
        Attribute("was", \.formerNames).using(.strict).whenNull(.fail).readOnly
        Attribute("was", \.formerNames.ifAny, using: .names).writeOnly
    }
}

extension ObjectIndex {
    package static let mapping = Mapping({ ObjectIndex(attributes: [], isUnique: false) }) {
        Attribute("attributes", \.attributes).using(.strict).required
        Attribute("unique", \.isUnique.ifTrue).using(.strict).whenNull(.fail)
    }
}

extension Conversion where Value == AttributeType {
    /// The names of types, with a suggestion in the issue of an unknown name.
    package static var attributeType: Conversion {
        let names = AttributeType.Scalar.allCases.map(\.rawValue).joined(separator: ", ")
        return oneOf(
            AttributeType.names.compactMap { name in AttributeType(name).map { (name, $0) } },
            "a type (\(names), or a list such as [string])")
    }
}

extension Conversion where Value == [String] {
    /// Converts names, of which a single one is not in an array.
    package static var names: Conversion {
        Conversion {
            ($0.array ?? [$0]).compactMap(\.string)
        } write: {
            $0.count == 1 ? .string($0[0]) : .array($0.map(JSON.string))
        }
    }
}

// Default values are not written.

extension Array {
    package var ifAny: [Element]? {
        get { isEmpty ? nil : self }
        set { self = newValue ?? [] }
    }

    fileprivate func sorted(by name: (Element) -> String) -> [Element] {
        sorted { name($0).utf8.lexicographicallyPrecedes(name($1).utf8) }
    }
}

extension Dictionary {
    fileprivate var ifAny: Self? {
        get { isEmpty ? nil : self }
        set { self = newValue ?? [:] }
    }
}

extension DeleteRule {
    fileprivate var ifSet: DeleteRule? {
        get { self == .nullify ? nil : self }
        set { self = newValue ?? .nullify }
    }
}

extension JSON? {
    fileprivate var ifAny: JSON? {
        get { self?.isNull == true ? nil : self }
        set { self = newValue }
    }
}

extension Bool {
    package var ifTrue: Bool? {
        get { self ? true : nil }
        set { self = newValue ?? false }
    }

    package var ifFalse: Bool? {
        get { self ? nil : false }
        set { self = newValue ?? true }
    }
}
