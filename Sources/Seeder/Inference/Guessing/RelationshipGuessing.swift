import ObjectMapping

/// Finds the attributes whose values are identities or other unique attributes of objects, by name and value.
struct RelationshipGuessing {
    let entities: [EntityGuess]
    private let index: ReferenceIndex
    private(set) var notes = GuessNotes()

    init(_ entities: [EntityGuess]) {
        self.entities = entities
        index = ReferenceIndex(entities)
    }

    private struct Candidate {
        let destination: EntityGuess
        let identity: AttributeGuess
        let name: ReferenceName
        let overlap: Overlap
        let chance: Double
        let hasSameType: Bool

        /// The certainty of name and values together; `nil` without sufficient evidence.
        var certainty: InferenceFinding.Certainty? {
            let isNamed = name.grade >= .role
            guard hasSameType else { return isNamed && overlap.share >= 0.5 ? .rejected : nil }
            if isNamed, overlap.share >= 0.8 {
                return overlap.isComplete && (name.grade > .role || overlap.found > 2) ? .certain : .uncertain
            }
            if isNamed { return .rejected }
            if name.grade == .key, overlap.isComplete, chance < ReferenceIndex.highestChance { return .uncertain }
            if name.grade == .nothing, overlap.isComplete, overlap.found >= 5, chance < 1e-9 { return .uncertain }
            return overlap.found >= 5 && overlap.share >= 0.8 && chance < 1e-9 ? .rejected : nil
        }

        var rank: (Int, Double, Int) {
            (certainty == .rejected ? 0 : 1, overlap.share, name.grade.rawValue)
        }
    }

    mutating func run() {
        for (place, entity) in entities.enumerated() {
            let others = entity.attributes.filter { $0.pattern == nil && !connect($0, of: entity, at: place) }
            for attribute in others { connectUnique(attribute, of: entity) }
            for attribute in entity.attributes where attribute.pattern == nil {
                connectPrefix(of: attribute, of: entity)
            }
        }
        addInverses()
    }

    // MARK: Whole values

    /// Connects an attribute that refers to the identities of another entity.
    ///
    /// - Returns: Whether its values are those of an identity, or cannot be keys.
    private mutating func connect(_ attribute: AttributeGuess, of entity: EntityGuess, at place: Int) -> Bool {
        guard [.string, .integer, .uuid].contains(attribute.type.scalar), attribute.sample.distinct > 0,
            !attribute.isMemberName, !attribute.isElement
        else { return true }
        // An identity can be that of another entity, too, in a one-to-one relationship; this requires a matching name.
        let isIdentity = entity.soleIdentity === attribute
        let candidates = index.candidates(for: attribute, ofEntityAt: place)
            .compactMap { candidate(attribute, of: entity, to: entities[$0]) }
            .filter { !isIdentity || $0.destination !== entity && $0.name.grade == .exact && $0.name.isKey }
        guard let best = candidates.max(by: { $0.rank < $1.rank }), let certainty = best.certainty else {
            return false
        }
        guard certainty != .rejected else {
            notes.add(
                .relationship, about: entity, [attribute],
                "may refer to \(best.destination.swiftName): \(evidence(best, attribute))", .rejected)
            return true
        }
        let isRival = candidates.contains {
            $0.destination !== best.destination && $0.overlap.isComplete && $0.name.grade == best.name.grade
        }
        guard !isRival || best.name.grade >= .role else { return true }
        if let nested = entity.nestedRelationship(named: best.name.stem, to: best.destination),
            let objects = nested.key.flatMap(entity.shape.field), objects.values >= attribute.field.values
        {
            notes.add(.relationship, about: entity, [attribute], "is the key of \(nested.name), which is nested")
            return true
        }
        let reason = evidence(best, attribute)
        if attribute.type.scalar != best.identity.type.scalar {
            guard !attribute.isDeclaredUnique else { return true }
            attribute.becomeInteger()
        }
        add(best, by: attribute, of: entity, reason, certainty)
        return true
    }

    private mutating func add(
        _ candidate: Candidate, by attribute: AttributeGuess, of entity: EntityGuess,
        matching key: AttributeGuess? = nil, _ reason: String, _ certainty: InferenceFinding.Certainty
    ) {
        let name = relationshipName(candidate, attribute, of: entity)
        entity.relationships.append(
            RelationshipGuess(
                name: name, to: candidate.destination, isToMany: attribute.type.isList, by: attribute, matching: key))
        notes.add(
            about: entity, relationship: name,
            "-> \(candidate.destination.swiftName) by \(attribute.name): \(reason)", certainty)
    }

    /// Connects an attribute that refers to a unique attribute other than the identity.
    private mutating func connectUnique(_ attribute: AttributeGuess, of entity: EntityGuess) {
        guard !entity.identity.contains(where: { $0 === attribute }) else { return }
        for destination in entities where destination !== entity {
            for key in destination.attributes where key.isUnique(in: destination) && key.canBeKey {
                let name = ReferenceName(attribute, of: entity, to: destination, by: key)
                let overlap = attribute.sample.overlap(with: key.sample)
                guard name.isKey, name.grade >= .part, attribute.type.scalar == key.type.scalar, overlap.share >= 0.8
                else { continue }
                let found = Candidate(
                    destination: destination, identity: key, name: name, overlap: overlap, chance: 1, hasSameType: true)
                if let obstacle = obstacle(to: key, of: destination, from: entity) {
                    let reason = "\(evidence(found, attribute)), but \(obstacle)"
                    return notes.add(
                        .relationship, about: entity, [attribute],
                        "may refer to \(destination.swiftName).\(key.name): \(reason)", .rejected)
                }
                key.isDeclaredUnique = true
                let certainty = found.certainty ?? .uncertain
                add(found, by: attribute, of: entity, matching: key, evidence(found, attribute), certainty)
                return
            }
        }
    }

    /// Returns the reason why a relationship by a unique attribute is not part of the draft; `nil` if it is.
    private func obstacle(to key: AttributeGuess, of destination: EntityGuess, from entity: EntityGuess) -> String? {
        let name = destination.swiftName
        if destination.identity.isEmpty {
            return "\(name) has no identity; to connect them, identify it by \(key.name)"
        }
        let advice = "; to connect them, declare it as unique, and name it in 'matching'"
        if entity.relationships.contains(where: { $0.destination === destination }) {
            return "\(entity.swiftName) refers to \(name) already\(advice)"
        }
        return KeyWords.mayIdentify(key.words) ? nil : "\(key.name) is not named like a key\(advice)"
    }

    private func candidate(
        _ attribute: AttributeGuess, of entity: EntityGuess, to destination: EntityGuess
    ) -> Candidate? {
        guard let identity = destination.soleIdentity, identity !== attribute else { return nil }
        let name = ReferenceName(attribute, of: entity, to: destination, by: identity)
        let hasSameType =
            attribute.type.scalar == identity.type.scalar || isConvertible(attribute, entity, identity)
        // Values of another type are no evidence without a matching name, and comparing them is slow.
        guard hasSameType || name.grade >= .role else { return nil }
        let overlap = attribute.sample.overlap(with: identity.sample)
        // An attribute with exactly all identities is a copy of them.
        if destination === entity, name.grade < .role, overlap.isComplete,
            identity.sample.overlap(with: attribute.sample).isComplete
        {
            return nil
        }
        let candidate = Candidate(
            destination: destination, identity: identity, name: name, overlap: overlap,
            chance: identity.chance(of: overlap.found), hasSameType: hasSameType)
        return candidate.certainty == nil ? nil : candidate
    }

    /// Whether strings with integers can be converted to the integers that they refer to.
    private func isConvertible(
        _ attribute: AttributeGuess, _ entity: EntityGuess, _ identity: AttributeGuess
    ) -> Bool {
        identity.type == AttributeType(.integer) && attribute.holdsIntegerTexts
            && !entity.identity.contains { $0 === attribute }
    }

    private func evidence(_ candidate: Candidate, _ attribute: AttributeGuess) -> String {
        let overlap = candidate.overlap
        let place = "\(candidate.destination.swiftName).\(candidate.identity.name)"
        let share = overlap.halvings > 0 ? " (1 of \(1 << overlap.halvings) values was sampled)" : ""
        let found =
            overlap.total > overlap.found && overlap.found > 0
            ? "\(overlap.total - overlap.found) of \(overlap.total) values not found in \(place)"
            : "\(overlap.found) of \(overlap.total) values found in \(place)"
        let types =
            candidate.hasSameType
            ? attribute.type.scalar == candidate.identity.type.scalar ? "" : ", strings converted to integers"
            : ", but it is \(attribute.type) and \(place) is \(candidate.identity.type)"
        return "\(candidate.name.grade.words), \(found)\(share)\(types)"
    }

    /// Returns the relationship's name; if the attribute has it, the attribute is renamed.
    private func relationshipName(
        _ candidate: Candidate, _ attribute: AttributeGuess, of entity: EntityGuess
    ) -> String {
        var words = candidate.name.stem
        if candidate.name.grade == .nothing { words = candidate.destination.name }
        if attribute.type.isList { words = words.plural }
        let name = words.propertyName
        if !candidate.name.isKey, attribute.name == name {
            let identity = candidate.identity.isMemberName ? NameWords(of: "id") : candidate.identity.words
            let key = NameWords(candidate.name.stem.words + identity.words)
            let plural = attribute.type.isList ? key.plural : key
            attribute.name = entity.freeName(plural.propertyName, besides: attribute)
        }
        return entity.freeName(name)
    }

    // MARK: Prefixes

    private mutating func connectPrefix(of attribute: AttributeGuess, of entity: EntityGuess) {
        let prefixes = attribute.field.texts.prefixes
        guard attribute.type == AttributeType(.string), attribute.field.strings == attribute.field.values,
            prefixes.areThere, !attribute.isMemberName, !attribute.isElement
        else { return }
        for destination in entities where destination !== entity {
            guard let identity = destination.soleIdentity, identity.type == AttributeType(.string),
                !entity.relationships.contains(where: { $0.destination === destination })
            else { continue }
            let overlap = prefixes.sample.overlap(with: identity.sample)
            guard overlap.isComplete, overlap.found >= 3, identity.chance(of: overlap.found) < 1e-6 else { continue }
            let key = NameWords(destination.name.words + identity.words.words)
            let prefixAttribute = AttributeGuess(
                name: entity.freeName(key.propertyName), key: attribute.key, type: identity.type,
                isOptional: attribute.isOptional, pattern: prefixes.pattern, field: attribute.field)
            entity.attributes.append(prefixAttribute)
            let name = entity.freeName(destination.name.propertyName)
            entity.relationships.append(
                RelationshipGuess(name: name, to: destination, isToMany: false, by: prefixAttribute))
            let separator = prefixes.separator.map(String.init) ?? ""
            notes.add(
                about: entity, relationship: name,
                "-> \(destination.swiftName) by \(prefixAttribute.name): the part before '\(separator)' of \(attribute.name), "
                    + "\(overlap.found) of \(overlap.total) values found in \(destination.swiftName).\(identity.name)")
            return
        }
    }

    // MARK: Inverses

    /// Adds the inverse of a relationship by key, if it is unambiguous.
    private func addInverses() {
        for entity in entities {
            for relationship in entity.relationships where relationship.by != nil && !relationship.isToMany {
                let destination = relationship.destination
                let isParent = destination === entity
                let forward = entity.relationships.filter { $0.destination === destination }
                let reverseRelationships = destination.relationships.filter {
                    $0.destination === entity && $0 !== relationship
                }
                let name = isParent ? "children" : entity.name.plural.propertyName
                guard forward.count == 1, reverseRelationships.isEmpty, destination.isFree(name) else { continue }
                destination.relationships.append(
                    RelationshipGuess(name: name, to: entity, isToMany: true, inverse: relationship.name))
            }
        }
    }
}
