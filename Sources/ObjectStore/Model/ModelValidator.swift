import ObjectMapping

/// Finds all errors of a model in one pass.
struct ModelValidator {
    var entities: [EntityDescription]
    /// The managed classes of the entities, in the same order; empty for a model without classes.
    let classes: [ManagedClass]
    var problems: [ModelError.Problem] = []
    /// The index of each entity by name.
    private(set) var indexes: [String: Int] = [:]
    let entityNames: [String]
    /// The positions of the members of each entity with a unique name.
    private let positions: [String: (attributes: [String: Int], relationships: [String: Int])]
    /// The entities and members with problems.
    private var places: Set<[JSONPathStep]> = []
    /// Each suggestion compares a name with all others.
    private static let mostSuggestions = 100
    /// A table of this name would replace the function in statements.
    private static let functionTables: Set = ["json_each"]

    init(_ entities: [EntityDescription], _ classes: [ManagedClass] = []) {
        self.entities = entities
        self.classes = classes
        entityNames = entities.map(\.name)
        positions = Dictionary(grouping: entities, by: \.name).compactMapValues { entities in
            guard entities.count == 1 else { return nil }
            func positions(_ names: [String]) -> [String: Int] {
                Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            }
            return (positions(entities[0].attributes.map(\.name)), positions(entities[0].relationships.map(\.name)))
        }
    }

    /// Returns the entities with both sides of inverses.
    mutating func validated() throws(ModelError) -> [EntityDescription] {
        if entities.isEmpty { report([], "the model has no entity") }
        for (index, entity) in entities.enumerated() where indexes[entity.name] == nil {
            indexes[entity.name] = index
        }
        checkNames(entities.map(\.name), at: { [.key($0)] }, "entity")
        for entity in entities {
            checkMembers(of: entity)
            checkIdentity(of: entity)
        }
        for type in classes { checkAttributes(of: type) }
        for entity in entities {
            checkIndexes(of: entity)
            checkSearch(of: entity)
        }
        for index in entities.indices { checkDestinations(ofEntityAt: index) }
        completeInverses()
        for index in classes.indices {
            checkOneSidedRelationships(ofClassAt: index)
            checkOrder(ofClassAt: index)
        }
        for index in entities.indices { checkWiring(ofEntityAt: index) }
        if problems.isEmpty { checkTables() }
        guard problems.isEmpty else { throw ModelError(inOrderOfEntities(problems)) }
        return entities
    }

    mutating func report(_ steps: [JSONPathStep], _ message: String, suggestions: @autoclosure () -> [String] = []) {
        let suggestions = problems.count < Self.mostSuggestions ? suggestions() : []
        problems.append(ModelError.Problem(steps, message, suggestions: suggestions))
        places.insert(Array(steps.prefix(3)))
    }

    /// Whether a relationship has a problem.
    func hasProblem(at place: [JSONPathStep]) -> Bool { places.contains(place) }

    func index(of entity: String) -> Int? { indexes[entity] }

    func attribute(named name: String, of entity: EntityDescription) -> AttributeDescription? {
        guard let known = positions[entity.name] else { return entity.attribute(named: name) }
        return known.attributes[name].map { entity.attributes[$0] }
    }

    func position(ofRelationship name: String, in entity: EntityDescription) -> Int? {
        guard let known = positions[entity.name] else { return entity.relationships.firstIndex { $0.name == name } }
        return known.relationships[name]
    }

    func relationship(named name: String, of entity: EntityDescription) -> RelationshipDescription? {
        position(ofRelationship: name, in: entity).map { entity.relationships[$0] }
    }

    // MARK: Names

    private mutating func checkMembers(of entity: EntityDescription) {
        let place: [JSONPathStep] = [.key(entity.name)]
        checkNames(entity.attributes.map(\.name), at: { place + [.key("attributes"), .key($0)] }, "attribute")
        checkNames(entity.relationships.map(\.name), at: { place + [.key("relationships"), .key($0)] }, "relationship")
        let attributes = Dictionary(
            entity.attributes.map { ($0.name.lowercased(), $0.name) }, uniquingKeysWith: { first, _ in first })
        for relationship in entity.relationships {
            guard let attribute = attributes[relationship.name.lowercased()] else { continue }
            let place = place + [.key("relationships"), .key(relationship.name)]
            report(place, "'\(attribute)' is an attribute already; a relationship needs another name")
        }
        for attribute in entity.attributes {
            guard case .some = attribute.defaultValue, attribute.storedDefault == nil else { continue }
            let expected = StorageForm.expectation(of: attribute.type)
            report(
                place + [.key("attributes"), .key(attribute.name), .key("default")],
                "the default of an attribute of type \(attribute.type) must be \(expected)")
        }
        if entity.attributes.count + entity.relationships.count > 1900 {
            report(place, "an entity has at most 1900 attributes and relationships")
        }
    }

    private mutating func checkNames(_ names: [String], at place: (String) -> [JSONPathStep], _ kind: String) {
        var seen: [String: String] = [:]
        for name in names {
            let lowered = name.lowercased()
            if name.isEmpty {
                report(place(name), "every \(kind) needs a name")
            } else if name.utf8.contains(0) {
                report(place(name), "a name cannot contain NUL")
            } else if kind != "entity", lowered == "_id" {
                report(place(name), "'_id' is the name of the row number in every table")
            } else if lowered.hasPrefix("sqlite_") {
                report(place(name), "names that begin with 'sqlite_' belong to SQLite")
            } else if lowered.hasPrefix("_mappingkit") {
                report(place(name), "the prefix '_mappingkit' is reserved")
            } else if kind == "entity", Self.functionTables.contains(lowered) {
                report(place(name), "'\(name)' is the name of a function of SQLite that statements of the store use")
            }
            if let other = seen[lowered] {
                let problem =
                    other == name ? "occurs twice" : "differs from '\(other)' in case only, which SQLite ignores"
                report(place(name), "the name '\(name)' \(problem)")
            }
            seen[lowered] = seen[lowered] ?? name
        }
    }

    // MARK: Identity

    private mutating func checkIdentity(of entity: EntityDescription) {
        var seen: Set<String> = []
        for (index, name) in entity.identity.enumerated() {
            let place = keyPlace([.key(entity.name), .key("identifiedBy")], index, of: entity.identity)
            let isRepeated = !seen.insert(name).inserted
            guard let attribute = self.attribute(named: name, of: entity) else {
                report(
                    place, "'\(entity.name)' has no attribute '\(name)'",
                    suggestions: nearestNames(to: name, among: entity.attributes.map(\.name)))
                continue
            }
            if isRepeated { report(place, "'\(name)' occurs twice in the identity") }
            let type = attribute.type
            guard !type.canBeKey else { continue }
            if classes.isEmpty {
                report(place, "an attribute of type \(type) cannot be part of the identity")
            } else {
                report(
                    [.key(entity.name), .key("attributes"), .key(name)],
                    "an attribute of type \(type) cannot have the option .identity; use an integer, a string, a UUID, "
                        + "a decimal, a date or a URL")
            }
        }
    }

    /// Returns the path of one of several keys, which are a list in JSON, or of a single one, which need not be in a
    /// list.
    func keyPlace(_ place: [JSONPathStep], _ index: Int, of keys: [String]) -> [JSONPathStep] {
        keys.count == 1 ? place : place + [.index(index)]
    }

    // MARK: Tables

    /// Indexes consist of columns: SQLite takes an unknown name in quotation marks for a text.
    private mutating func checkIndexes(of entity: EntityDescription) {
        let columns = entity.attributes.map(\.name) + entity.relationships.filter { !$0.isToMany }.map(\.name)
        let place: [JSONPathStep] = [.key(entity.name), .key("indexes")]
        for index in entity.indexes {
            if index.attributes.isEmpty { report(place, "an index needs at least one attribute") }
            for name in index.attributes where !columns.contains(name) {
                report(
                    place, "'\(name)' is not a stored attribute or to-one relationship of '\(entity.name)'",
                    suggestions: nearestNames(to: name, among: columns))
            }
        }
    }

    /// Composed names of tables and indexes must be unique and differ from those of entities.
    private mutating func checkTables() {
        var taken: [String: String] = [:]
        for entity in entities { taken[entity.name.lowercased()] = "the entity '\(entity.name)'" }
        for object in Schema(ObjectModel(validated: entities)).derivedNames {
            let lowered = object.name.lowercased()
            if let other = taken[lowered] {
                let place: [JSONPathStep] = [.key(object.entity), .key("relationships"), .key(object.relationship)]
                report(place, "its \(object.kind) would be called '\(object.name)', as \(other) is")
            } else {
                taken[lowered] = "the \(object.kind) of '\(object.entity).\(object.relationship)'"
            }
        }
    }

    private func inOrderOfEntities(_ problems: [ModelError.Problem]) -> [ModelError.Problem] {
        func rank(_ problem: ModelError.Problem) -> Int {
            guard case .key(let name)? = problem.steps.first else { return -1 }
            return indexes[name] ?? entities.count
        }
        return problems.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }
}
