import ObjectStore

/// The relationships whose targets, or whose inverses' targets, are in the dumps.
struct FedRelationships {
    /// The fed relationships of each entity.
    private var fed: [String: Set<String>] = [:]
    /// The inverses that the fed relationships to each entity name; under `nil`, those to unknown entities.
    private var inverses: [String?: Set<String>] = [:]
    /// The entities of which such an inverse is unknown.
    private var entitiesWithUnknownInverse: Set<String> = []

    init(_ entities: [EntityDraft], named names: Set<String>) {
        for entity in entities {
            for relationship in entity.relationships where relationship.isFed {
                let stored = relationship.stored
                fed[entity.name, default: []].insert(stored.name)
                guard let inverse = stored.inverse else { continue }
                inverses[names.contains(stored.destination) ? stored.destination : nil, default: []].insert(inverse)
            }
        }
        for entity in entities {
            let known = Set(entity.relationships.map(\.stored.name))
            let isUnknown = [entity.name, nil].contains { !(inverses[$0] ?? []).isSubset(of: known) }
            if isUnknown { entitiesWithUnknownInverse.insert(entity.name) }
        }
    }

    /// Misspelled names are separate issues: a relationship that one of them may refer to counts as fed.
    func contains(_ relationship: RelationshipDraft, of entity: EntityDraft) -> Bool {
        let stored = relationship.stored
        if relationship.isFed || entitiesWithUnknownInverse.contains(entity.name) { return true }
        if let inverse = stored.inverse, fed[stored.destination]?.contains(inverse) == true { return true }
        return [entity.name, nil].contains { inverses[$0]?.contains(stored.name) == true }
    }
}
