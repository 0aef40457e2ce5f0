import ObjectMapping

/// A relationship whose targets are found by keys: one of the model, or a connection of a mapping.
///
/// A class, because it is read for every row, and a structure would be copied with its arrays.
final class KeyedRelationship: Sendable {
    /// A key, and conditions that read an object with the values of the row.
    struct Rule: Sendable {
        let key: StoredEntity.Key
        var closures: [@Sendable (AnyObject) -> Bool] = []

        var isUnconditional: Bool { key.conditions.isEmpty && closures.isEmpty }
    }

    /// The index among the entity's relationships.
    let relationship: Int
    let destination: Int
    /// The keys: of a model alternatives with equal conditions, of a mapping those of which the first one applies whose
    /// conditions are met.
    let rules: [Rule]
    /// The type of the list of keys; `nil` for a to-one relationship.
    let listType: AttributeType?
    /// The attributes of all keys.
    let keys: [Int]
    /// The attributes of all keys and conditions.
    let attributes: [Int]
    /// The slots of the key that determines the target immediately if the row with that identity is known; empty if
    /// conditions do too, or if other attributes are compared.
    let directKeys: [Int]

    /// - Parameters:
    ///   - rules: The keys; at least one.
    ///   - listType: The type of the list of keys; `nil` for a to-one relationship.
    ///   - slot: Returns the slot of an attribute.
    init(
        _ relationship: Int, of entity: StoredEntity, _ rules: [Rule], _ listType: AttributeType?,
        slot: (Int) -> Int
    ) {
        self.relationship = relationship
        self.rules = rules
        destination = entity.relationships[relationship].destination
        keys = rules.flatMap(\.key.attributes)
        attributes = rules.flatMap { $0.key.attributes + $0.key.conditions.map(\.attribute) }
        self.listType = listType
        let isDirect = listType == nil && rules[0].isUnconditional && rules[0].key.matching.isEmpty
        directKeys = isDirect ? rules[0].key.attributes.map(slot) : []
    }

    /// Whether conditions read an object.
    var needsObject: Bool { rules.contains { !$0.closures.isEmpty } }
}

extension StoredEntity {
    /// The relationships that keys of the model set, for rows with a slot for each attribute.
    var keyedRelationships: [KeyedRelationship] {
        relationships.indices.compactMap { index in
            let rules = relationships[index].keys.map { KeyedRelationship.Rule(key: $0) }
            guard let key = rules.first?.key.attributes.first else { return nil }
            let listType = relationships[index].isToMany ? description.attributes[key].type : nil
            return KeyedRelationship(index, of: self, rules, listType) { $0 }
        }
    }

    /// Returns the quoted columns of unique attributes; without attributes, of the identity.
    func columns(matching names: [String]) -> [String] {
        names.isEmpty ? identity.map { columnNames[$0] } : names.map(Schema.quoted)
    }
}
