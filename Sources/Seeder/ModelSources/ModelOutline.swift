import ObjectMapping
import ObjectStore

/// The entities of a manifest as the types that are written for them: every name is Swift's, every question decided.
struct ModelOutline {
    /// A type and its properties.
    struct Entity {
        let name: String
        let type: String
        let attributes: [Attribute]
        var relationships: [Relationship]
        /// The properties that tell objects apart.
        let identity: [String]
        let elementNames: [String]
    }

    /// A property for an attribute, and where its value comes from.
    struct Attribute {
        let property: String
        let type: AttributeType
        let isOptional: Bool
        let defaultValue: JSON?
        let row: RowAttribute
    }

    let kind: ModelSources.Kind
    let types: SwiftTypes
    private(set) var entities: [Entity]
    /// The type that reads all sources, one for wrapped elements, and one for parts of texts.
    let dumpsType: String
    let wrapperType: String
    let textPartType: String

    init(_ manifest: Manifest, kind: ModelSources.Kind) {
        self.kind = kind
        var names = NameSpace()
        let typeNames = manifest.model.entities.map { names.unused(SwiftName.type($0.name)) }
        dumpsType = names.unused("Dumps")
        wrapperType = names.unused("WrappedElement")
        textPartType = names.unused("TextPart")
        types = SwiftTypes(own: typeNames + [dumpsType, wrapperType, textPartType])
        entities = manifest.model.entities.enumerated().map { index, entity in
            Entity(entity, manifest.entities[index], type: typeNames[index], in: manifest.model)
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
        }
    }

    /// Whether every name is as swift-format wants it.
    var hasOnlyASCIINames: Bool {
        entities.allSatisfy { entity in
            let names = entity.attributes.map(\.property) + entity.relationships.map(\.property) + [entity.type]
            return names.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
        }
    }

    /// The relationship that leads back; nil if there is none.
    func inverse(of relationship: Relationship) -> Relationship? {
        relationship.inverse.map { entities[relationship.destination].relationships[$0] }
    }

    /// Of types that hold each other, what is held by a key only becomes weak: somebody else has it, too.
    private mutating func weakenCycles() {
        let reachable = reachable { $0.form.isHeld }
        for index in entities.indices {
            for position in entities[index].relationships.indices {
                let relationship = entities[index].relationships[position]
                guard relationship.form == .property, reachable[relationship.destination].contains(index) else {
                    continue
                }
                // What is nested has no other holder, and only comes in circles where the dumps go round in them.
                guard !relationship.keys.isEmpty else { continue }
                entities[index].relationships[position].form = relationship.isToMany ? .cyclicProperty : .weakProperty
            }
        }
    }

    /// A struct cannot be part of itself.
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

    /// The entities that relationships lead to from each entity, itself included.
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
    fileprivate init(_ entity: EntityDescription, _ row: RowEntity, type: String, in model: ObjectModel) {
        name = entity.name
        self.type = type
        elementNames = row.elementNames
        var names = NameSpace()
        let properties = entity.attributes.map { names.unused(SwiftName.property($0.name)) }
        attributes = zip(entity.attributes, row.attributes).enumerated().map { index, pair in
            let (attribute, row) = pair
            let isIdentity = entity.identity.contains(attribute.name)
            return ModelOutline.Attribute(
                property: properties[index], type: attribute.type, isOptional: attribute.isOptional && !isIdentity,
                defaultValue: attribute.defaultValue, row: row)
        }
        let propertyNames = Dictionary(
            zip(entity.attributes.map(\.name), properties), uniquingKeysWith: { first, _ in first })
        identity = entity.identity.compactMap { propertyNames[$0] }
        relationships = zip(entity.relationships, row.relationships).enumerated().map { index, pair in
            ModelOutline.Relationship(pair.0, pair.1, named: names.unused(SwiftName.property(pair.0.name)), in: model) {
                propertyNames[$0]
            }
        }
        // What a relationship needs besides has its name after those of the manifest.
        for index in relationships.indices { relationships[index].nameHelpers(&names) }
    }
}
