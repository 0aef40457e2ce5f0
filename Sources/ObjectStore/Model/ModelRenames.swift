import ObjectMapping

/// The names of a file that a model has changed.
struct ModelRenames {
    /// The new names of entities by their names in the file.
    private(set) var entities: [String: String] = [:]
    /// The new names of attributes and relationships by their names in the file, by the name of their entity in the file.
    private(set) var properties: [String: [String: String]] = [:]
    /// The reasons why names cannot be changed, with the entity; `nil` for the names of entities.
    private(set) var conflicts: [(entity: String?, reason: String)] = []

    init(from stored: ObjectModel, to model: ObjectModel) {
        let match = NameMatch(model.entities.map(\.modelName), in: stored.entities.map(\.modelName))
        conflicts = match.conflicts.map { (nil, $0) }
        for entity in model.entities {
            guard let name = match.sources[entity.name], let old = stored.entity(named: name) else { continue }
            if name != entity.name { entities[name] = entity.name }
            for (new, old) in [
                (entity.attributes.map(\.modelName), old.attributes.map(\.modelName)),
                (entity.relationships.map(\.modelName), old.relationships.map(\.modelName)),
            ] {
                let match = NameMatch(new, in: old)
                conflicts += match.conflicts.map { (entity.name, $0) }
                for (new, old) in match.sources where new != old { properties[name, default: [:]][old] = new }
            }
        }
    }

    var isEmpty: Bool { entities.isEmpty && properties.isEmpty }

    /// Returns the new name of an entity of the file.
    func entity(_ name: String) -> String { entities[name] ?? name }

    /// Returns the new name of an attribute or relationship of the file.
    func property(_ name: String, of entity: String) -> String { properties[entity]?[name] ?? name }
}

extension ObjectModel {
    /// Returns this model of a file with new names.
    func renamed(by renames: ModelRenames) -> ObjectModel {
        guard !renames.isEmpty else { return self }
        return ObjectModel(
            validated: entities.map { entity in
                func renamed(_ name: String) -> String { renames.property(name, of: entity.name) }
                var new = entity
                new.name = renames.entity(entity.name)
                new.identity = entity.identity.map(renamed)
                for index in new.attributes.indices { new.attributes[index].name = renamed(new.attributes[index].name) }
                for index in new.indexes.indices {
                    new.indexes[index].attributes = new.indexes[index].attributes.map(renamed)
                }
                for (index, old) in entity.relationships.enumerated() {
                    func target(_ name: String) -> String { renames.property(name, of: old.destination) }
                    var relationship = old
                    relationship.name = renamed(old.name)
                    relationship.destination = renames.entity(old.destination)
                    relationship.inverse = old.inverse.map(target)
                    relationship.matching = old.matching.map(target)
                    relationship.sortedBy = old.sortedBy.map(target)
                    relationship.by = old.by.map(renamed)
                    relationship.when = Dictionary(
                        old.when.map { (renamed($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
                    new.relationships[index] = relationship
                }
                return new
            }, classes: classes)
    }

    /// Returns this model of a file with what another model declares: in the order of the file, followed by additions, so
    /// that tables keep their names.
    ///
    /// Keys of relationships are kept if the other model has none.
    func changed(to model: ObjectModel) -> ObjectModel {
        let complete = changed(to: model, keepingKeys: true)
        guard complete != changed(to: model, keepingKeys: false), (try? ObjectModel(entities: complete.entities)) == nil
        else { return complete }
        // The keys of the file do not suit the model any more.
        return changed(to: model, keepingKeys: false)
    }

    private func changed(to model: ObjectModel, keepingKeys: Bool) -> ObjectModel {
        var changed = entities.compactMap { stored -> EntityDescription? in
            guard var entity = model.entity(named: stored.name) else { return nil }
            let attributes = stored.attributes.compactMap { entity.attribute(named: $0.name) }
            let relationships = stored.relationships.compactMap { old -> RelationshipDescription? in
                guard var relationship = entity.relationship(named: old.name) else { return nil }
                if keepingKeys, relationship.by.isEmpty {
                    (relationship.by, relationship.matching) = (old.by, old.matching)
                    (relationship.any, relationship.when) = (old.any, old.when)
                }
                return relationship
            }
            entity.attributes = attributes + entity.attributes.filter { stored.attribute(named: $0.name) == nil }
            entity.relationships =
                relationships + entity.relationships.filter { stored.relationship(named: $0.name) == nil }
            return entity
        }
        changed += model.entities.filter { entity(named: $0.name) == nil }
        return ObjectModel(validated: changed, classes: model.classes)
    }
}

extension EntityDescription {
    fileprivate var modelName: ModelName { ModelName(name: name, former: formerNames) }
}

extension AttributeDescription {
    fileprivate var modelName: ModelName { ModelName(name: name, former: formerNames) }
}

extension RelationshipDescription {
    fileprivate var modelName: ModelName { ModelName(name: name, former: formerNames) }
}
