import ObjectMapping

/// A relationship whose targets are found by key.
///
/// A class, because it is read for every row, and a structure would be copied with its arrays.
final class Wire: Sendable {
    /// The index among the entity's relationships.
    let relationship: Int
    let destination: Int
    /// The indexes of the attributes with the keys.
    let keys: [Int]
    /// Whether the keys are alternatives, tried in order.
    let isAny: Bool
    /// Whether the key is a list.
    let isList: Bool
    /// The attributes and their required values.
    let conditions: [(attribute: Int, value: StoredValue)]
    /// The keys that determine the target immediately if the row with that identity is known; `nil` if conditions do too.
    let directKeys: [Int]?
    /// The direct key, if it is a single integer.
    let directKey: Int?

    init?(_ index: Int, of entity: EntityDescription, in model: ObjectModel) {
        let relationship = entity.relationships[index]
        let attribute = { (name: String) in entity.attributes.firstIndex { $0.name == name } }
        let keys = relationship.by.compactMap(attribute)
        guard !keys.isEmpty, let destination = model.index(of: relationship.destination) else { return nil }
        self.relationship = index
        self.destination = destination
        self.keys = keys
        isAny = relationship.any
        isList = relationship.isToMany
        conditions = relationship.when.sorted { $0.key < $1.key }.compactMap { name, value in
            guard let index = attribute(name),
                let value = StorageForm.value(of: value, as: entity.attributes[index].type)
            else { return nil }
            return (index, value)
        }
        directKeys = conditions.isEmpty && !isList ? isAny ? [keys[0]] : keys : nil
        let isInteger = directKeys?.count == 1 && entity.attributes[keys[0]].type == AttributeType(.integer)
        directKey = isInteger ? keys[0] : nil
    }
}
