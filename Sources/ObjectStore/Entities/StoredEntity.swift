import ObjectMapping

/// An open file with its entities, in the order of their indexes.
protocol StoredEntities: AnyObject {
    var entities: [StoredEntity] { get }
    /// Identifies the objects of the file in errors.
    var identity: StoreIdentity { get }
    /// Whether edits are marked until a server accepts them.
    var keepsUnsent: Bool { get }
    /// Whether there are requests whose responses have to be compared with what is deleted.
    var isAwaitingResponses: Bool { get }
}

extension StoredEntities {
    var isAwaitingResponses: Bool { false }

    /// Returns the columns of to-one relationships and of tables of links that refer to rows of an entity.
    func references(to entity: StoredEntity) -> [RowReference] {
        entities.flatMap { other in
            other.relationships.indices.flatMap { index -> [RowReference] in
                let relationship = other.relationships[index]
                let isTarget = relationship.destination == entity.index
                guard relationship.isToMany else {
                    return isTarget
                        ? [RowReference(table: other.table, column: relationship.column, toOne: (other, index))] : []
                }
                guard let list = relationship.linkTable, list.isOwner else { return [] }
                let columns = (other === entity ? [list.source] : []) + (isTarget ? [list.target] : [])
                return columns.map { RowReference(table: list.name, column: $0, toOne: nil) }
            }
        }
    }
}

/// A column that refers to rows of an entity.
struct RowReference {
    let table: String
    let column: String
    /// The to-one relationship with the column; `nil` for a column of a table of links.
    let toOne: (entity: StoredEntity, relationship: Int)?

    /// Removes the references to rows that meet a condition on their number.
    func removal(where condition: String) -> String {
        toOne == nil
            ? "DELETE FROM \(table) WHERE \(column) \(condition)"
            : "UPDATE \(table) SET \(column) = NULL WHERE \(column) \(condition)"
    }
}

/// An entity of an open store: its description, the storage of its relationships, its statements, and its class.
final class StoredEntity: Sendable {
    struct Relationship: Sendable {
        let name: String
        /// The index of the destination entity.
        let destination: Int
        /// The index of the inverse relationship.
        let inverse: Int?
        let isToMany: Bool
        let isOrdered: Bool
        let isRequired: Bool
        let deleteRule: DeleteRule
        /// The index of the destination's attribute by which a to-many relationship is sorted; `nil` for other orders.
        let sortedBy: Int?
        let storage: RelationshipStorage
        /// The table of links that stores it; `nil` if it is stored in columns.
        let linkTable: RelationshipStorage.LinkTable?
        /// The quoted column of a to-one relationship.
        let column: String
        /// The keys that set it; several are alternatives.
        let keys: [Key]
    }

    /// Attributes with the identity of a target, and the values of attributes under which they apply.
    struct Key: Sendable {
        /// In the order of the destination's identity; a list attribute for a to-many relationship.
        let attributes: [Int]
        /// The unique attributes of the destination that the key belongs to, instead of its identity; empty for the identity.
        var matching: [String] = []
        let conditions: [(attribute: Int, value: StoredValue)]
    }

    let index: Int
    let description: EntityDescription
    /// The quoted table.
    let table: String
    /// The quoted columns of the attributes, in their order.
    let columnNames: [String]
    /// The indexes of the attributes in the identity.
    let identity: [Int]
    /// The properties of which two rows cannot have equal values.
    let uniqueProperties: [PropertyIndex]
    /// The names of the attributes that are declared unique, alone or together, in the order of the declarations.
    let uniqueAttributes: [[String]]
    let relationships: [Relationship]
    /// The indexes of the to-one relationships, which have columns after those of the attributes.
    let toOnes: [Int]
    /// Whether the entity is the destination of relationships.
    let isTarget: Bool
    let statements: EntityStatements
    /// The class of its objects, or the layout of dynamic objects.
    let binding: ClassBinding
    // Copies, because every access to an object uses them.
    /// The class of the binding.
    let type: ManagedClass
    /// Those of the binding.
    let loadSteps: [ClassBinding.LoadStep]

    var name: String { description.name }

    /// - Parameters:
    ///   - model: The entities in the order of the store, with the properties in the order of their classes.
    ///   - file: The same entities in the order of the file, on which the names of tables depend.
    init(_ index: Int, of model: ObjectModel, in file: ObjectModel) {
        let description = model.entities[index]
        let type = model.classes.indices.contains(index) ? model.classes[index] : ManagedClass(of: description)
        self.index = index
        self.description = description
        table = Schema.quoted(description.name)
        columnNames = description.attributes.map { Schema.quoted($0.name) }
        identity = description.identityIndexes
        uniqueProperties = description.uniqueProperties
        uniqueAttributes = description.uniqueSets.filter { names in
            names.allSatisfy { description.attribute(named: $0) != nil }
        }
        toOnes = description.relationships.indices.filter { !description.relationships[$0].isToMany }
        let mapped = type.keyedRelationships
        relationships = description.relationships.enumerated().map { place, relationship in
            let keys = mapped.filter { $0.relationship == place }.map { (attributes: $0.keys, matching: $0.matching) }
            return Relationship(relationship, of: description, setBy: keys, model, file)
        }
        isTarget = model.entities.contains { $0.relationships.contains { $0.destination == description.name } }
        statements = EntityStatements(
            of: description.name, attributes: columnNames,
            toOnes: toOnes.map { [relationships] in relationships[$0].column },
            identity: identity)
        binding = ClassBinding(type, toOnes: toOnes)
        self.type = type
        loadSteps = binding.loadSteps
    }

    /// Returns the quoted column of a stored property.
    func column(of property: PropertyIndex) -> String {
        switch property {
        case .attribute(let index): columnNames[index]
        case .relationship(let index): relationships[index].column
        }
    }

    /// Returns the name of a property.
    func name(of property: PropertyIndex) -> String {
        switch property {
        case .attribute(let index): description.attributes[index].name
        case .relationship(let index): relationships[index].name
        }
    }

    /// Returns the stored property with a name; `nil` for an unknown name.
    func property(named name: String) -> PropertyIndex? { description.property(named: name) }

    /// Returns the index of a property's column among all written columns.
    func position(of property: PropertyIndex) -> Int? {
        switch property {
        case .attribute(let index): index
        case .relationship(let index): toOnes.firstIndex(of: index).map { columnNames.count + $0 }
        }
    }

    /// Returns the property of a column by its index among all written columns.
    func property(ofColumn position: Int) -> PropertyIndex {
        position < columnNames.count ? .attribute(position) : .relationship(toOnes[position - columnNames.count])
    }

    /// Returns the table that stores the links of a relationship, and its columns of the owner and the target.
    func links(
        of index: Int, in entities: [StoredEntity]
    ) -> (table: String, source: String, target: String) {
        let relationship = relationships[index]
        if let list = relationship.linkTable { return (list.name, list.source, list.target) }
        guard relationship.isToMany, let inverse = relationship.inverse else {
            return (table, "\"_id\"", relationship.column)
        }
        let destination = entities[relationship.destination]
        return (destination.table, destination.relationships[inverse].column, "\"_id\"")
    }

    /// The number of columns without that of the row.
    var columnCount: Int { columnNames.count + toOnes.count }
}

extension StoredEntity.Relationship {
    /// Whether it is stored in a table of links in which a target has at most one owner.
    var hasOneOwner: Bool {
        if case .linkTable = storage { true } else { false }
    }

    /// - Parameter mapped: The keys of the class's mapping, in the order of the destination's class.
    fileprivate init(
        _ relationship: RelationshipDescription, of entity: EntityDescription,
        setBy mapped: [(attributes: [Int], matching: [String])],
        _ model: ObjectModel, _ file: ObjectModel
    ) {
        name = relationship.name
        destination = model.index(of: relationship.destination) ?? 0
        let target = model.entities[destination]
        inverse = target.relationships.firstIndex { $0.name == relationship.inverse }
        isToMany = relationship.isToMany
        isOrdered = relationship.isOrdered
        isRequired = relationship.isRequired
        deleteRule = relationship.deleteRule
        sortedBy = target.attributes.firstIndex { $0.name == relationship.sortedBy }
        column = Schema.quoted(relationship.name)
        let position = file.index(of: entity.name) ?? 0
        let place = file.entities[position].relationships.firstIndex { $0.name == relationship.name } ?? 0
        storage = file.storage(ofEntityAt: position, relationship: place)
        linkTable = storage.linkTable
        let identity = target.identityIndexes
        let by = relationship.by.compactMap(entity.index(ofAttribute:))
        let conditions = relationship.when.sorted { $0.key < $1.key }.compactMap { name, value in
            entity.index(ofAttribute: name).map { index in
                (attribute: index, value: StorageForm.value(of: value, as: entity.attributes[index].type) ?? .null)
            }
        }
        var keys = (relationship.any ? by.map { [$0] } : [by]).map {
            StoredEntity.Key(attributes: $0, matching: relationship.matching, conditions: conditions)
        }
        // The order of the class is that of its attributes.
        let declared = identity.sorted()
        for (attributes, names) in mapped where !names.isEmpty {
            if keys.contains(where: { $0.attributes == attributes && $0.matching == names }) { continue }
            keys.append(StoredEntity.Key(attributes: attributes, matching: names, conditions: []))
        }
        for (attributes, names) in mapped where names.isEmpty && attributes.count == declared.count {
            let ordered = identity.compactMap { part in declared.firstIndex(of: part).map { attributes[$0] } }
            if keys.contains(where: { $0.attributes == ordered && $0.matching.isEmpty }) { continue }
            keys.append(StoredEntity.Key(attributes: ordered, conditions: []))
        }
        // A class can declare fewer unique attributes than the file.
        let unique = target.uniqueSets.map { Set($0) } + [[]]
        self.keys = keys.filter { key in
            !key.attributes.isEmpty && unique.contains(Set(key.matching))
                && key.attributes.count == (key.matching.isEmpty ? identity.count : key.matching.count)
        }
    }
}

extension EntityDescription {
    fileprivate func index(ofAttribute name: String) -> Int? { attributes.firstIndex { $0.name == name } }

    /// Returns the property with a column and a name.
    fileprivate func property(named name: String) -> PropertyIndex? {
        index(ofAttribute: name).map { .attribute($0) }
            ?? relationships.firstIndex { $0.name == name && !$0.isToMany }.map { .relationship($0) }
    }

    /// The properties in the identity and in other unique indexes.
    fileprivate var uniqueProperties: [PropertyIndex] {
        (identity + uniqueSets.joined()).compactMap(property(named:))
    }

    /// The indexes of the attributes in the identity, in its order.
    fileprivate var identityIndexes: [Int] { identity.compactMap(index(ofAttribute:)) }
}

extension ManagedClass {
    /// The relationships that the mapping of the class sets by keys, with the attributes of the keys.
    fileprivate var keyedRelationships: [(relationship: Int, keys: [Int], matching: [String])] {
        (type as? any Mappable.Type).map { keyedRelationships(of: $0) } ?? []
    }

    private func keyedRelationships<Class: Mappable>(
        of _: Class.Type
    ) -> [(relationship: Int, keys: [Int], matching: [String])] {
        Class.mapping.keyedRelationships.compactMap { keyed in
            guard case .relationship(let relationship)? = steps(of: keyed.destination)?.last?.property else {
                return nil
            }
            let keys = keyed.keys.compactMap { key -> Int? in
                // Transient attributes follow the stored ones.
                guard case .attribute(let index)? = steps(of: key)?.last?.property, !attributes[index].isTransient
                else { return nil }
                return index
            }
            guard let matching = keyed.matching else { return (relationship, keys, []) }
            let target = try? ManagedClass.of(relationships[relationship].target)
            return (target?.uniqueNames(of: matching)).map { (relationship, keys, $0) }
        }
    }
}

extension [StoredEntity] {
    /// Returns the inverse of a relationship if it is to-many.
    func inverseList(of relationship: StoredEntity.Relationship) -> Int? {
        relationship.inverse.flatMap { self[relationship.destination].relationships[$0].isToMany ? $0 : nil }
    }

    /// Whether a relationship and its inverse are both to-one.
    func isOneToOne(_ relationship: StoredEntity.Relationship) -> Bool {
        !relationship.isToMany && relationship.inverse != nil && inverseList(of: relationship) == nil
    }
}
