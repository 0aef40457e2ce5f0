import ObjectMapping
import ObjectStore

extension ManifestContent {
    init(_ entities: [EntityGuess], _ sources: [SourceGuess]) {
        self.init(entities: entities.map(EntityDraft.init), sources: sources.map(SourceDraft.init))
    }
}

extension EntityDraft {
    fileprivate init(_ guess: EntityGuess) {
        self.init(
            name: guess.swiftName, identity: guess.identity.map(\.name),
            attributes: guess.attributes.map(AttributeDraft.init),
            relationships: guess.relationships.map(RelationshipDraft.init), elementName: guess.elementName)
    }
}

extension AttributeDraft {
    fileprivate init(_ guess: AttributeGuess) {
        stored = AttributeDescription(
            guess.name, guess.type, isOptional: guess.isOptional, isUnique: guess.isDeclaredUnique)
        (pattern, format) = (guess.pattern, guess.format)
        from = guess.from
    }
}

extension RelationshipDraft {
    fileprivate init(_ guess: RelationshipGuess) {
        stored = RelationshipDescription(
            guess.name, to: guess.destination.swiftName, isToMany: guess.isToMany, inverse: guess.inverse,
            by: guess.by.map { [$0.name] } ?? [], matching: guess.matching.map { [$0.name] } ?? [])
        path = guess.path
        each = guess.areMembers ? .member : nil
    }
}

extension SourceDraft {
    fileprivate init(_ guess: SourceGuess) {
        let shape = guess.collection.shape
        self.init(
            file: guess.file, entity: guess.entity?.swiftName, keyPath: guess.collection.keyPath,
            each: shape == usualShape(of: guess.file) ? nil : shape)
    }
}
