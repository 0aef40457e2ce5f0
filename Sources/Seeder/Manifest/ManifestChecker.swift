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
        guard !relationship.isFed, let destination = self.entity(relationship.destination?.name) else { return true }
        let inverses = destination.relationships.filter { other in
            other.name == relationship.inverse?.name
                || (other.inverse?.name == relationship.name && other.destination?.name == entity.name)
        }
        // An inverse that does not exist is an issue of its own.
        return inverses.contains(where: \.isFed) || (inverses.isEmpty && relationship.inverse != nil)
    }

    func entity(_ name: String?) -> EntityDraft? { entities.first { $0.name == name } }
}
