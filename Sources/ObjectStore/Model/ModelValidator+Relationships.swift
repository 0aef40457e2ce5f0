import ObjectMapping

extension ModelValidator {
    /// Destinations and named inverses must exist.
    mutating func checkDestinations(ofEntityAt index: Int) {
        let (entity, names) = (entities[index], entityNames)
        for relationship in entity.relationships {
            let place = place(of: relationship, in: entity)
            guard let destination = self.index(of: relationship.destination).map({ entities[$0] }) else {
                report(
                    place + [.key("to")], "unknown entity '\(relationship.destination)'",
                    suggestions: nearestNames(to: relationship.destination, among: names))
                continue
            }
            guard let name = relationship.inverse else { continue }
            let inversePlace = place + [.key("inverse")]
            guard let inverse = self.relationship(named: name, of: destination) else {
                report(
                    inversePlace, "'\(destination.name)' has no relationship '\(name)'",
                    suggestions: nearestNames(to: name, among: destination.relationships.map(\.name)))
                continue
            }
            if destination.name == entity.name, name == relationship.name {
                report(
                    inversePlace,
                    "a relationship cannot be its own inverse; declare two properties for a symmetric relationship, "
                        + "such as 'friends' and 'friendsOf'")
            } else if inverse.destination != entity.name {
                let found = "'\(destination.name).\(name)' refers to '\(inverse.destination)'"
                report(inversePlace, "\(found), not to '\(entity.name)'")
            } else if let back = inverse.inverse, back != relationship.name {
                report(
                    inversePlace,
                    "'\(destination.name).\(name)' names '\(back)' as its inverse, not '\(relationship.name)'")
            }
        }
    }

    /// Sets the other side of inverses that are named on one side.
    mutating func completeInverses() {
        for (index, entity) in entities.enumerated() {
            for relationship in entity.relationships {
                guard let name = relationship.inverse, let other = self.index(of: relationship.destination),
                    let position = self.position(ofRelationship: name, in: entities[other]),
                    entities[other].relationships[position].destination == entity.name,
                    (other, name) != (index, relationship.name)
                else { continue }
                let back = entities[other].relationships[position].inverse
                if back == nil {
                    entities[other].relationships[position].inverse = relationship.name
                } else if back != relationship.name, !hasProblem(at: place(of: relationship, in: entity)) {
                    report(
                        place(of: relationship, in: entity) + [.key("inverse")],
                        "'\(relationship.destination).\(name)' is the inverse of '\(back ?? "")' already")
                }
            }
        }
    }

    /// Verifies that keys are attributes with the types of the destination's identity.
    mutating func checkWiring(ofEntityAt index: Int) {
        let entity = entities[index]
        for (position, relationship) in entity.relationships.enumerated() {
            let place = place(of: relationship, in: entity)
            checkConditions(of: relationship, in: entity, place + [.key("when")])
            checkTraits(of: relationship, place)
            guard !relationship.by.isEmpty else {
                if relationship.any { report(place + [.key("any")], "'any' needs the keys of 'by'") }
                if !relationship.matching.isEmpty {
                    report(place + [.key("matching")], "'matching' needs the keys of 'by'")
                }
                if !relationship.when.isEmpty { report(place + [.key("when")], "'when' needs the keys of 'by'") }
                continue
            }
            let keys = keys(of: relationship, in: entity, place + [.key("by")])
            guard let destination = self.index(of: relationship.destination).map({ entities[$0] }) else { continue }
            if !relationship.matching.isEmpty, relationship.matching == destination.identity {
                entities[index].relationships[position].matching = []
            }
            if checkMatching(of: relationship, destination, place + [.key("matching")]) {
                checkKeys(keys, of: relationship, destination, place + [.key("by")])
            }
            if !relationship.isToMany, let name = relationship.inverse,
                let inverse = self.relationship(named: name, of: destination), !inverse.isToMany, !inverse.by.isEmpty
            {
                report(
                    place + [.key("by")],
                    "'\(destination.name).\(name)' is also connected by key; only one side of a one-to-one relationship can be"
                )
            }
        }
    }

    private mutating func checkTraits(of relationship: RelationshipDescription, _ place: [JSONPathStep]) {
        if relationship.isRequired, relationship.isToMany {
            report(place + [.key("required")], "only a to-one relationship can be required")
        }
        guard let name = relationship.sortedBy else { return }
        let place = place + [.key("sortedBy")]
        if !relationship.isToMany || relationship.isOrdered {
            report(place, "only a to-many relationship without a stored order can be sorted")
        }
        guard let destination = index(of: relationship.destination).map({ entities[$0] }),
            attribute(named: name, of: destination) == nil
        else { return }
        report(
            place, "'\(destination.name)' has no attribute '\(name)'",
            suggestions: nearestNames(to: name, among: destination.attributes.map(\.name)))
    }

    private mutating func checkConditions(
        of relationship: RelationshipDescription, in entity: EntityDescription, _ place: [JSONPathStep]
    ) {
        for (name, value) in relationship.when.sorted(by: { $0.key < $1.key }) {
            guard let attribute = self.attribute(named: name, of: entity) else {
                report(
                    place + [.key(name)], "'\(entity.name)' has no attribute '\(name)'",
                    suggestions: nearestNames(to: name, among: entity.attributes.map(\.name)))
                continue
            }
            if StorageForm.value(of: value, as: attribute.type) == nil {
                let expected = StorageForm.expectation(of: attribute.type)
                report(
                    place + [.key(name)],
                    "'\(name)' is of type \(attribute.type), so it is compared with \(expected)")
            }
        }
    }

    private mutating func keys(
        of relationship: RelationshipDescription, in entity: EntityDescription, _ place: [JSONPathStep]
    ) -> [AttributeDescription?] {
        var keys: [AttributeDescription?] = []
        for (index, name) in relationship.by.enumerated() {
            let key = self.attribute(named: name, of: entity)
            if key == nil {
                report(
                    keyPlace(place, index, of: relationship.by), "'\(entity.name)' has no attribute '\(name)'",
                    suggestions: nearestNames(to: name, among: entity.attributes.map(\.name)))
            }
            keys.append(key)
        }
        return keys
    }

    /// Verifies that the attributes with which keys are compared exist and are unique.
    ///
    /// - Returns: Whether keys can be compared with them.
    private mutating func checkMatching(
        of relationship: RelationshipDescription, _ destination: EntityDescription, _ place: [JSONPathStep]
    ) -> Bool {
        let names = relationship.matching
        guard !names.isEmpty, names != destination.identity else { return true }
        let unknown = names.enumerated().filter { attribute(named: $0.element, of: destination) == nil }
        for (index, name) in unknown {
            report(
                keyPlace(place, index, of: names), "'\(destination.name)' has no attribute '\(name)'",
                suggestions: nearestNames(to: name, among: destination.attributes.map(\.name)))
        }
        guard unknown.isEmpty else { return false }
        if !destination.uniqueSets.contains(where: { $0.count == names.count && Set($0) == Set(names) }) {
            let isOne = names.count == 1
            report(
                place,
                "expected \(isOne ? "a unique attribute" : "unique attributes") of '\(destination.name)', found "
                    + names.map { "'\($0)'" }.joined(separator: ", ") + ", which several objects can have; declare "
                    + (isOne ? "the attribute as unique" : "a unique index of the attributes"))
        }
        for (index, name) in names.enumerated() {
            guard let type = attribute(named: name, of: destination)?.type, !type.canBeKey else { continue }
            report(keyPlace(place, index, of: names), "keys cannot be compared with an attribute of type \(type)")
        }
        return true
    }

    private mutating func checkKeys(
        _ keys: [AttributeDescription?], of relationship: RelationshipDescription, _ destination: EntityDescription,
        _ place: [JSONPathStep]
    ) {
        guard !destination.identity.isEmpty else {
            report(place, "'\(destination.name)' has no identity for a key")
            return
        }
        let targets = relationship.targets(in: destination)
        let kind = relationship.matching.isEmpty ? "identity" : "unique"
        if relationship.isToMany {
            guard targets.count == 1, keys.count == 1, !relationship.any else {
                report(
                    place,
                    "a to-many relationship by key needs one list attribute and a destination with one \(kind) attribute"
                )
                return
            }
        } else if relationship.any, targets.count != 1 {
            report(place, "'any' needs a destination with one \(kind) attribute")
            return
        } else if !relationship.any, keys.count != targets.count {
            let expected = targets.map { "'\($0)'" }.joined(separator: ", ")
            report(
                place,
                "expected one key for each \(kind) attribute of '\(destination.name)' (\(expected)), "
                    + "found \(keys.count)")
            return
        }
        for (index, key) in keys.enumerated() {
            let name = targets[relationship.any ? 0 : index]
            guard let key, var expected = self.attribute(named: name, of: destination)?.type else { continue }
            if relationship.isToMany { expected.isList = true }
            guard key.type != expected else { continue }
            let target = "'\(destination.name).\(name)'"
            let reason = relationship.isToMany ? "a list of the type of \(target)" : "the type of \(target)"
            report(
                keyPlace(place, index, of: relationship.by),
                "'\(key.name)' is of type \(key.type), but must be \(expected), \(reason)")
        }
    }

    private func place(
        of relationship: RelationshipDescription, in entity: EntityDescription
    ) -> [JSONPathStep] {
        [.key(entity.name), .key("relationships"), .key(relationship.name)]
    }
}
