import ObjectMapping
import ObjectStore

extension ModelOutline {
    /// A relationship, and what becomes of it.
    struct Relationship {
        let property: String
        /// Index of its entity, and its own among the relationships there.
        let place: (entity: Int, index: Int)
        /// Index of the entity.
        let destination: Int
        let isToMany: Bool
        let isOrdered: Bool
        /// Where its objects stand; nil unless it is nested.
        let path: JSONKeyPath?
        /// The properties that hold the keys.
        let keys: [String]
        let triesEachKey: Bool
        /// What attributes must hold for it to be connected, in order.
        let conditions: [(property: String, value: JSON)]
        /// Index of the relationship that leads back, among those of the destination.
        let inverse: Int?
        var form = Form.property
        /// For each of several keys that are tried in turn, a property for what it leads to.
        private(set) var candidates: [String] = []
        /// The function that chooses among them.
        private(set) var chooser = ""
        /// Where the object is kept that a struct cannot hold.
        private(set) var box = ""

        /// Whether something in a dump says what it leads to.
        var isFed: Bool { path != nil || !keys.isEmpty }
    }

    /// How a relationship stands in the source.
    enum Form {
        /// A property that holds its objects.
        case property
        /// The same, where the objects may hold this one in turn.
        case cyclicProperty
        /// A property that does not keep its object.
        case weakProperty
        /// A property of a struct that could contain itself.
        case boxedProperty
        /// A function that asks a session.
        case lookup

        var isHeld: Bool { [.property, .cyclicProperty, .boxedProperty].contains(self) }
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
        path = row.path
        keys = relationship.by.compactMap(propertyName)
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
        box = names.unused("boxed" + SwiftName.capitalized(stem))
        guard triesEachKey else { return }
        candidates = keys.map { names.unused(stem + "By" + SwiftName.capitalized(SwiftName.stem($0))) }
        chooser = names.unused("choose" + SwiftName.capitalized(stem))
    }

    /// What it becomes, as far as it and its inverse decide.
    func form(_ kind: ModelSources.Kind, inverse: Self?) -> ModelOutline.Form {
        switch kind {
        case .managed: return .property
        case .structs: return path == nil ? .lookup : .property
        case .classes: break
        }
        guard let inverse, inverse.isFed || isFed else { return .property }
        if isFed {
            // What is held by the other side need not be kept by this one, unless only this one has it.
            if isToMany || path != nil { return .property }
            return inverse.isToMany || inverse.isFed ? .weakProperty : .property
        }
        if isToMany { return inverse.isToMany || inverse.path != nil ? .lookup : .property }
        return .weakProperty
    }
}
