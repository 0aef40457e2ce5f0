import ObjectMapping
import ObjectStore

/// Checks of a manifest in addition to the types of its values.
struct ManifestChecker {
    let content: ManifestContent
    let issues: ManifestIssues
    /// The formats of dumps; `nil` if they are not known.
    let formats: PayloadFormats?
    let entityNames: Set<String>
    private let fed: FedRelationships
    /// The entities whose elements, or whose objects in a relationship, are members.
    private let memberEntities: Set<String>

    init(content: ManifestContent, issues: ManifestIssues, formats: PayloadFormats?) {
        self.formats = formats
        self.content = content
        self.issues = issues
        entityNames = Set(content.entities.map(\.name))
        fed = FedRelationships(content.entities, named: entityNames)
        let relationships = content.entities.flatMap(\.relationships)
        memberEntities = Set(content.sources.filter { $0.shape == .member }.compactMap(\.entity))
            .union(relationships.filter { $0.each == .member }.map(\.stored.destination))
    }

    var entities: [EntityDraft] { content.entities }

    /// The model, or `nil` if there are issues.
    func model() -> ObjectModel? {
        for entity in entities {
            let place = [.key("model"), JSONPathStep.key(entity.name)]
            if entity.identity.isEmpty {
                issues.add("expected the name of at least one attribute", at: place, "identifiedBy")
            }
            for attribute in entity.attributes { check(attribute, of: entity, at: place + attribute.steps) }
            for relationship in entity.relationships {
                check(relationship, of: entity, at: place + [.key("relationships"), .key(relationship.stored.name)])
            }
        }
        checkSources()
        // A problem that depends on an unknown type is not reported: only the common problems of both guesses are.
        var problems: [[ModelError.Problem]] = []
        for guess in [AttributeType.Scalar.string, .integer] {
            do throws(ModelError) {
                return try ObjectModel(entities: entities.map { description($0, guessing: AttributeType(guess)) })
            } catch {
                problems.append(error.problems)
            }
        }
        let certain = Set(problems[1])
        for problem in problems[0] where certain.contains(problem) { issues.add(problem) }
        return nil
    }

    /// Returns an entity for the store.
    ///
    /// - Parameter guess: The type of attributes whose type is unknown.
    private func description(_ entity: EntityDraft, guessing guess: AttributeType) -> EntityDescription {
        EntityDescription(
            entity.name, identifiedBy: entity.identity,
            attributes: entity.attributes.map { attribute in
                var stored = attribute.stored
                let place = [.key("model"), JSONPathStep.key(entity.name)] + attribute.steps
                if issues.isRejected(place + [.key("type")]) { stored.type = guess }
                return stored
            },
            relationships: entity.relationships.map(\.stored), indexes: entity.indexes)
    }

    // MARK: Attributes

    private func check(_ attribute: AttributeDraft, of entity: EntityDraft, at place: [JSONPathStep]) {
        if attribute.stored.defaultValue != nil, entity.identity.contains(attribute.stored.name) {
            issues.add("an identity cannot have a default", at: place, "default", ofKey: true)
        }
        let from = place + [.key("from")]
        let composite = [attribute.stored.type].first { $0.isList || $0.scalar == .json }
        if attribute.isJoined {
            if attribute.separator == nil { issues.add("a list of key paths needs the member 'join'", at: from) }
            if attribute.parts.isEmpty { issues.add("expected at least one key path", at: from) }
            if let composite { issues.add("'join' makes a string, so the type cannot be \(composite)", at: from) }
        } else {
            if attribute.separator != nil {
                issues.add("'join' needs a list of key paths in 'from'", at: place, "join", ofKey: true)
            }
            if attribute.parts.first?.isObject == true {
                issues.add("expected a key path, found an object: objects need a list in 'from', and 'join'", at: from)
            }
            if attribute.parts.first?.path == "@key", !memberEntities.contains(entity.name) {
                issues.add(
                    "'@key' needs a source or a relationship of \(entity.name) with \"each\": \"member\"", at: from)
            }
        }
        for (index, part) in attribute.parts.enumerated() {
            let place = attribute.isJoined ? from + [.index(index)] : from
            if let path = part.path, attribute.isJoined || path != "@key" {
                check(JSONKeyPath(path), at: part.isObject ? place + [.key("from")] : place)
            }
            check(pattern: part.pattern, at: place)
        }
        if attribute.pattern != nil, let composite {
            issues.add("'match' matches a string, so the type cannot be \(composite)", at: place, "match")
        }
        check(pattern: attribute.pattern, at: place)
        check(formatOf: attribute, at: place)
    }

    private func check(formatOf attribute: AttributeDraft, at place: [JSONPathStep]) {
        guard let format = attribute.format, !issues.isRejected(place + [.key("type")]) else { return }
        guard !attribute.isJoined, attribute.pattern == nil else {
            return issues.add("'format' cannot be combined with 'match' or 'join'", at: place, "format", ofKey: true)
        }
        do { _ = try AttributeFormat(format, of: attribute.stored.type) } catch {
            issues.add(error.message, at: place, "format")
        }
    }

    func check(_ path: JSONKeyPath?, at place: [JSONPathStep], operatorless noun: String? = nil) {
        if let mistake = path?.mistake {
            issues.add(mistake, at: place)
        } else if let noun, let path, path.plainKeys == nil {
            issues.add("the key path of \(noun) cannot contain an operator such as '@count'", at: place)
        }
    }

    private func check(pattern: String?, at place: [JSONPathStep]) {
        guard let pattern else { return }
        do {
            _ = try Regex(pattern)
            // An optional expression matches the empty text, which reveals its captures.
            if (try Regex("(?:\(pattern))?").prefixMatch(in: "")?.output.count ?? 1) > 1 { return }
            issues.add(
                "the regular expression has no capture: put the part to extract in parentheses", at: place, "match")
        } catch {
            issues.add("invalid regular expression: \(error)", at: place, "match")
        }
    }

    // MARK: Relationships

    private func check(_ relationship: RelationshipDraft, of entity: EntityDraft, at place: [JSONPathStep]) {
        check(relationship.path, at: place + [.key("from")], operatorless: "a relationship")
        let keys = relationship.stored.by
        for (member, names) in [("by", keys), ("matching", relationship.stored.matching)] where names.isEmpty {
            issues.add("expected the name of at least one attribute", at: place, member)
        }
        if !keys.isEmpty, relationship.path != nil {
            issues.add(
                "a relationship is either nested ('from') or connected by key ('by')", at: place, "by", ofKey: true)
        }
        if relationship.each != nil, relationship.path == nil || !relationship.stored.isToMany {
            issues.add("'each' needs 'from' and \"many\": true", at: place, "each", ofKey: true)
        }
        if relationship.stored.isOrdered, !relationship.stored.isToMany {
            issues.add("'ordered' needs \"many\": true", at: place, "ordered", ofKey: true)
        }
        if relationship.stored.any, keys.count == 1 {
            issues.add("'any' needs several attributes in 'by'", at: place, "any")
        }
        if !fed.contains(relationship, of: entity) {
            issues.add("no data: add 'from', 'by', or an inverse that has one of them", at: place)
        }
    }
}

extension AttributeDraft {
    /// The path in the entity.
    fileprivate var steps: [JSONPathStep] { [.key("attributes"), .key(stored.name)] }
}
