import ObjectMapping

/// Checks what one part of a manifest says about another, beyond what makes a sound model.
struct ManifestChecker {
    let entities: [EntityDraft]
    let sources: [SourceDraft]

    func check() {
        for entity in entities {
            for (name, _) in entity.identity {
                entity.attribute(name)?.defaultValue?.failKey("an identity takes no default")
            }
            for relationship in entity.relationships where !isFed(relationship, of: entity) {
                relationship.node.fail("nothing fills it: it needs 'from', 'by', or an inverse that has one")
            }
        }
        checkSources()
    }

    /// Whether something in the dumps says what a relationship, or its inverse, leads to.
    private func isFed(_ relationship: RelationshipDraft, of entity: EntityDraft) -> Bool {
        if relationship.isFed { return true }
        return entities.contains { other in
            other.relationships.contains { inverse in
                guard inverse.isFed else { return false }
                if relationship.inverse?.name == inverse.name, relationship.destination?.name == other.name {
                    return true
                }
                // Misspelt names are issues of their own.
                let leadsHere =
                    inverse.destination?.name == entity.name || self.entity(inverse.destination?.name) == nil
                guard leadsHere, let name = inverse.inverse?.name else { return false }
                return name == relationship.name || !entity.relationships.contains { $0.name == name }
            }
        }
    }

    func entity(_ name: String?) -> EntityDraft? { entities.first { $0.name == name } }
}
