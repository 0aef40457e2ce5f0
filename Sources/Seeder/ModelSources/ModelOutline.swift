import ObjectMapping
import ObjectStore

/// The entities of a manifest as Swift types, with all names and forms decided.
struct ModelOutline {
    /// A type and its properties.
    struct Entity {
        let name: String
        let type: String
        let attributes: [Attribute]
        var relationships: [Relationship]
        /// The properties that identify objects.
        let identity: [String]
        let indexes: [ObjectIndex]
        let elementNames: [String]
    }

    /// The property of an attribute, and the source of its value.
    struct Attribute {
        let property: String
        let type: AttributeType
        let isIdentity: Bool
        /// Whether payloads update objects, because its entity has an identity.
        let isUpdated: Bool
        /// Whether it contains the key of a relationship, or a part of the key.
        let isKey: Bool
        let isUnique: Bool
        let isSearchable: Bool
        let isOptional: Bool
        let defaultValue: JSON?
        let row: RowAttribute
        let format: AttributeFormat?
    }

    let kind: ModelSources.Kind
    let types: SwiftTypes
    private(set) var entities: [Entity]
    /// The names of the types that read all sources, wrapped elements, and parts of strings.
    let dumpsType: String
    let wrapperType: String
    let textPartType: String

    init(_ manifest: Manifest, kind: ModelSources.Kind) {
        self.kind = kind
        var names = NameSpace()
        let members = kind == .managed ? Set(manifest.model.entities.flatMap(\.memberNames)) : []
        let typeNames = manifest.model.entities.map { entity in
            let name = SwiftName.type(entity.name)
            return names.unused(members.contains(name) ? name + "Model" : name)
        }
        dumpsType = names.unused("Dumps")
        wrapperType = names.unused("WrappedElement")
        textPartType = names.unused("TextPart")
        types = SwiftTypes(own: typeNames + [dumpsType, wrapperType, textPartType] + members)
        entities = manifest.model.entities.enumerated().map { index, entity in
            Entity(
                entity, manifest.entities[index], manifest.formats[index], type: typeNames[index], in: manifest.model,
                kind)
        }
        let inverses = entities.map { $0.relationships.map(\.inverse) }
        for (index, entity) in entities.enumerated() {
            for (position, relationship) in entity.relationships.enumerated() {
                let inverse = inverses[index][position].map { entities[relationship.destination].relationships[$0] }
                entities[index].relationships[position].form = relationship.form(kind, inverse: inverse)
            }
        }
        switch kind {
        case .classes: weakenCycles()
        case .structs: breakContainment()
        case .managed: break
        }
    }

    /// The rules of swift-format that names do not follow.
    var brokenNameRules: [String] {
        let members = entities.flatMap { $0.attributes.map(\.property) + $0.relationships.map(\.property) }
        let isASCII = (members + entities.map(\.type)).allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
        let isCamelCase = members.allSatisfy { SwiftName.stem($0) == SwiftName.property($0) }
        return (isASCII ? [] : ["IdentifiersMustBeASCII"]) + (isCamelCase ? [] : ["AlwaysUseLowerCamelCase"])
    }

    /// Returns the inverse; `nil` if the relationship has no inverse.
    func inverse(of relationship: Relationship) -> Relationship? {
        relationship.inverse.map { entities[relationship.destination].relationships[$0] }
    }

    /// In cycles of types, references by key become weak, because the objects are also retained elsewhere.
    private mutating func weakenCycles() {
        let reachable = reachable { $0.form.isRetained }
        for index in entities.indices {
            for position in entities[index].relationships.indices {
                let relationship = entities[index].relationships[position]
                guard relationship.form == .property, reachable[relationship.destination].contains(index) else {
                    continue
                }
                // Nested objects have no other owner, and form cycles only if the dumps do.
                guard !relationship.keys.isEmpty else { continue }
                entities[index].relationships[position].form = relationship.isToMany ? .cyclicProperty : .weakProperty
            }
        }
    }

    /// A struct cannot contain itself.
    private mutating func breakContainment() {
        let reachable = reachable { $0.form == .property && !$0.isToMany }
        for index in entities.indices {
            for position in entities[index].relationships.indices {
                let relationship = entities[index].relationships[position]
                guard relationship.form == .property, !relationship.isToMany,
                    reachable[relationship.destination].contains(index)
                else { continue }
                entities[index].relationships[position].form = .boxedProperty
            }
        }
    }

    /// Returns the entities that are reachable from each entity by relationships, including itself.
    private func reachable(by isFollowed: (Relationship) -> Bool) -> [Set<Int>] {
        entities.indices.map { start in
            var (found, next): (Set<Int>, [Int]) = ([start], [start])
            while let index = next.popLast() {
                for relationship in entities[index].relationships
                where isFollowed(relationship) && found.insert(relationship.destination).inserted {
                    next.append(relationship.destination)
                }
            }
            return found
        }
    }
}

extension ModelOutline.Entity {
    fileprivate init(
        _ entity: EntityDescription, _ row: RowEntity, _ formats: [AttributeFormat?], type: String,
        in model: ObjectModel, _ kind: ModelSources.Kind
    ) {
        name = entity.name
        self.type = type
        elementNames = row.elementNames
        var names = NameSpace()
        func property(_ name: String) -> String {
            // The columns of a managed class have the names of its properties.
            names.unused(kind == .managed ? SwiftName.verbatim(name) ?? name : SwiftName.property(name))
        }
        let properties = entity.attributes.map { property($0.name) }
        let keys = Set(entity.relationships.flatMap(\.by))
        attributes = zip(entity.attributes, row.attributes).enumerated().map { index, pair in
            let (attribute, row) = pair
            let isIdentity = entity.identity.contains(attribute.name)
            return ModelOutline.Attribute(
                property: properties[index], type: attribute.type, isIdentity: isIdentity,
                isUpdated: !entity.identity.isEmpty, isKey: keys.contains(attribute.name), isUnique: attribute.isUnique,
                isSearchable: attribute.isSearchable,
                isOptional: attribute.isOptional && !isIdentity,
                defaultValue: attribute.defaultValue, row: row,
                format: formats[index])
        }
        let propertyNames = Dictionary(
            zip(entity.attributes.map(\.name), properties), uniquingKeysWith: { first, _ in first })
        identity = entity.identity.compactMap { propertyNames[$0] }
        indexes = entity.indexes
        relationships = zip(entity.relationships, row.relationships).enumerated().map { index, pair in
            ModelOutline.Relationship(
                pair.0, pair.1, named: property(pair.0.name), at: (model.index(of: entity.name) ?? 0, index), in: model
            ) {
                propertyNames[$0]
            }
        }
        // Helpers of relationships are named after all names of the manifest are assigned.
        for index in relationships.indices { relationships[index].nameHelpers(&names) }
    }
}

extension EntityDescription {
    /// The names of the attributes and relationships.
    var memberNames: [String] { attributes.map(\.name) + relationships.map(\.name) }
}
