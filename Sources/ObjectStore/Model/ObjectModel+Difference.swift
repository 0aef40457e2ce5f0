import ObjectMapping

extension ObjectModel {
    /// Returns the first difference between a stored model and this one; `nil` if they are equal.
    func difference(from stored: ObjectModel) -> String? {
        Self.difference(stored.storedData.json, storedData.json, at: [])
    }

    private static func difference(_ stored: JSON, _ expected: JSON, at place: [JSONPathStep]) -> String? {
        guard stored != expected else { return nil }
        guard let storedMembers = stored.object, let expectedMembers = expected.object else {
            return "\(place.text) is \(stored.text) in the file and \(expected.text) in the model"
        }
        for (key, value) in expectedMembers {
            let place = place + [.key(key)]
            guard let storedValue = storedMembers[key] else { return "\(place.text) is missing in the file" }
            if let difference = difference(storedValue, value, at: place) { return difference }
        }
        let extra = storedMembers.keys.first { !expectedMembers.keys.contains($0) }
        return extra.map { "\((place + [.key($0)]).text) is only in the file" }
    }

    /// Returns all differences because of which objects of this model cannot be stored in a file of another one.
    ///
    /// Optionality and defaults may differ: null in a property that cannot be `nil` is read as its default.
    func differences(from stored: ObjectModel) -> [String] {
        var found: [String] = []
        for entity in entities {
            guard let other = stored.entity(named: entity.name) else {
                found.append("the file has no entity '\(entity.name)'")
                continue
            }
            if entity.identity != other.identity {
                found.append(
                    "'\(entity.name)' is identified by \(other.identity) in the file and by \(entity.identity) in the class"
                )
            }
            for attribute in entity.attributes {
                let type = other.attribute(named: attribute.name)?.type
                if type != attribute.type {
                    found.append(Self.difference(entity, attribute.name, "\(attribute.type)", type?.description))
                }
            }
            for relationship in entity.relationships {
                let kind = other.relationship(named: relationship.name)?.kind
                if kind != relationship.kind {
                    found.append(Self.difference(entity, relationship.name, relationship.kind, kind))
                }
            }
            let names = Set(entity.attributes.map(\.name) + entity.relationships.map(\.name))
            for name in other.attributes.map(\.name) + other.relationships.map(\.name) where !names.contains(name) {
                found.append("the class of '\(entity.name)' has no property '\(name)'")
            }
        }
        for entity in stored.entities where self.entity(named: entity.name) == nil {
            found.append("the model has no class for the entity '\(entity.name)'")
        }
        return found
    }

    private static func difference(
        _ entity: EntityDescription, _ name: String, _ expected: String, _ stored: String?
    ) -> String {
        guard let stored else { return "the file has no '\(name)' in '\(entity.name)'" }
        return "'\(entity.name).\(name)' is \(stored) in the file and \(expected) in the class"
    }
}

extension RelationshipDescription {
    /// A description of the storage.
    fileprivate var kind: String {
        "a relationship to \(isToMany ? "many" : "one") \(destination)\(isOrdered ? ", ordered" : "")"
            + (inverse.map { " with the inverse \($0)" } ?? "")
    }
}
