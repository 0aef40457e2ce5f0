import ObjectMapping
import ObjectStore

extension ModelOutline {
    /// A relationship, and its form in the source.
    struct Relationship {
        let property: String
        /// The indexes of its entity, and among the relationships of the entity.
        let place: (entity: Int, index: Int)
        /// The index of the destination entity.
        let destination: Int
        let isToMany: Bool
        let isOrdered: Bool
        /// The key path of its objects; `nil` unless it is nested.
        let path: JSONKeyPath?
        /// Whether its objects are the members of an object.
        let areMembers: Bool
        /// The properties with the keys.
        let keys: [String]
        /// The indexes of the destination's unique attributes that the keys contain; empty for its identity.
        let matching: [Int]
        let triesEachKey: Bool
        /// The values of attributes that are required for the connection, in order.
        let conditions: [(property: String, value: JSON)]
        /// The index of the inverse among the relationships of the destination.
        let inverse: Int?
        var form = Form.property
        private(set) var helpers = Helpers()

        /// Whether its targets are in a dump.
        var isFed: Bool { path != nil || !keys.isEmpty }
    }

    /// The names of declarations that a relationship can need in addition to its property.
    struct Helpers {
        /// For several alternative keys, one property per key.
        fileprivate(set) var candidates: [String] = []
        /// The function that selects among them.
        fileprivate(set) var chooser = ""
        /// The property that stores an object which a struct cannot contain directly.
        fileprivate(set) var box = ""
    }

    /// The form of a relationship in the source.
    enum Form {
        /// A property with its objects.
        case property
        /// A property whose objects can refer to this one.
        case cyclicProperty
        /// A weak property.
        case weakProperty
        /// A property of a struct that could contain itself.
        case boxedProperty
        /// A function that searches a session.
        case lookup

        var isRetained: Bool { [.property, .cyclicProperty, .boxedProperty].contains(self) }
    }
}

extension ModelOutline.Relationship {
    init(
        _ relationship: RelationshipDescription, _ row: RowRelationship, named property: String,
        at place: (entity: Int, index: Int), in model: ObjectModel, _ propertyName: (String) -> String?
    ) {
        self.property = property
        self.place = place
        destination = row.destination
        isToMany = relationship.isToMany
        isOrdered = relationship.isOrdered
        (path, areMembers) = (row.path, row.areMembers)
        keys = relationship.by.compactMap(propertyName)
        let attributes = model.entities[row.destination].attributes
        matching = relationship.matching.compactMap { name in attributes.firstIndex { $0.name == name } }
        triesEachKey = relationship.any
        conditions = relationship.when.sorted { $0.key < $1.key }.compactMap { name, value in
            propertyName(name).map { ($0, value) }
        }
        inverse = relationship.inverse.flatMap { name in
            model.entities[row.destination].relationships.firstIndex { $0.name == name }
        }
    }

    mutating func nameHelpers(_ names: inout NameSpace) {
        let stem = SwiftName.stem(property)
        helpers.box = names.unused("boxed" + SwiftName.capitalized(stem))
        guard triesEachKey else { return }
        helpers.candidates = keys.map { names.unused(stem + "By" + SwiftName.capitalized(SwiftName.stem($0))) }
        helpers.chooser = names.unused("choose" + SwiftName.capitalized(stem))
    }

    /// Returns its form, as far as it and its inverse determine it.
    func form(_ kind: ModelSources.Kind, inverse: Self?) -> ModelOutline.Form {
        switch kind {
        case .managed: return .property
        case .structs: return path == nil ? .lookup : .property
        case .classes: break
        }
        guard let inverse, inverse.isFed || isFed else { return .property }
        if isFed {
            // An object that is retained by the other side is not retained by this one, unless only this one has it.
            if isToMany || path != nil { return .property }
            return inverse.isToMany || inverse.isFed ? .weakProperty : .property
        }
        if isToMany { return inverse.isToMany || inverse.path != nil ? .lookup : .property }
        return .weakProperty
    }
}
