import ObjectMapping

/// Derives entities from the statistics of the sources.
struct EntityGuessing {
    private let groups: EntityGroups
    private(set) var entities: [EntityGuess] = []
    /// The entity of each place; `nil` for a place that is a part of a value.
    private var entityOfPlace: [Int: EntityGuess] = [:]
    private var placesOfSources: [Int: [Int]] = [:]
    private var takenNames: Set<String> = []
    private(set) var notes = GuessNotes()

    init(_ sources: [SourceGuess]) throws(SeedError) {
        groups = try EntityGroups(sources: sources.enumerated().flatMap { $0.element.nodes(index: $0.offset) })
        for (place, node) in groups.nodes.enumerated() {
            if case .source(let index) = node.origin { placesOfSources[index, default: []].append(place) }
        }
        for group in groups.groups where isReached(group) { add(group) }
        nameWrappers()
        for entity in entities { addAttributes(to: entity) }
        for entity in entities { identify(entity) }
        for entity in entities where isValueObject(entity) { storeInOwner(entity) }
        for entity in entities { nest(entity) }
    }

    /// Returns the entity of the elements of a source, or the entities selected by their wrappers.
    func entities(ofSource index: Int) -> [EntityGuess] {
        placesOfSources[index, default: []].compactMap { entityOfPlace[$0] }
    }

    // MARK: Entities

    /// Whether a place of the group belongs to a source, or is nested in an entity whose values there are all nested.
    private func isReached(_ group: [Int]) -> Bool {
        group.contains { place in
            switch groups.nodes[place].origin {
            case .source: true
            case .nested(let parent, let key): entityOfPlace[parent].map { isNested(key, in: $0) } ?? false
            }
        }
    }

    /// Whether the values of a key are objects of an entity in all places of this one.
    private func isNested(_ key: String, in entity: EntityGuess) -> Bool {
        guard let field = entity.shape.field(key), field.nesting != .attribute, field.hasKeyPath else { return false }
        // Its members in one place, and the object itself in another one, are not the same.
        let places = entity.places.filter { groups.nodes[$0].shape.field(key)?.nestedShape != nil }
        let withMembers = places.count { areMembers(key, at: $0) }
        guard withMembers == 0 || withMembers == places.count else { return false }
        return entity.places.allSatisfy { place in
            guard !groups.nodes[place].keptWhole.contains(key) else { return false }
            return withMembers > 0
                || groups.nodes[place].shape.field(key)?.nestedShape.map { !$0.isKeyedByData } ?? true
        }
    }

    /// Whether the objects at a key are the members of its values in a place.
    private func areMembers(_ key: String, at place: Int) -> Bool {
        groups.child(of: place, at: key).map { groups.nodes[$0].member != nil } ?? false
    }

    private mutating func add(_ group: [Int]) {
        let nodes = group.map { groups.nodes[$0] }
        let name = name(of: group)
        let member = nodes.compactMap(\.member)
        let entity = EntityGuess(
            name: name, swiftName: swiftName(name, nodes[0]), shape: merged(nodes.map(\.shape)),
            member: member.isEmpty ? nil : merged(member), places: group,
            isSource: nodes.contains(where: \.isSource))
        for place in group { entityOfPlace[place] = entity }
        entities.append(entity)
        takenNames.insert(entity.swiftName.lowercased())
    }

    /// Assigns wrapper names that cannot be derived from the entity's name, or are ambiguous.
    private func nameWrappers() {
        let wrappers = Set(groups.nodes.compactMap(\.wrapper))
        for entity in entities {
            guard let wrapper = entity.places.lazy.compactMap({ groups.nodes[$0].wrapper }).first else { continue }
            let names = elementNames(of: entity.swiftName)
            let isAlone = names.allSatisfy { $0 == wrapper || !wrappers.contains($0) }
            if !names.contains(wrapper) || !isAlone { entity.elementName = wrapper }
        }
    }

    private func merged(_ shapes: [ShapeStatistics]) -> ShapeStatistics {
        guard shapes.count > 1 else { return shapes[0] }
        let merged = ShapeStatistics()
        for shape in shapes { merged.merge(shape) }
        return merged
    }

    private func name(of group: [Int]) -> NameWords {
        let nodes = group.map { groups.nodes[$0] }
        if let source = nodes.first(where: \.isSource) { return source.name }
        // `{"sizes": {"small": {…}, "large": {…}}}`: both are sizes.
        if group.count > 1, Set(nodes.map(\.name)).count > 1,
            Set(nodes.map { $0.parent.map(groups.leader) }).count == 1,
            let parent = nodes[0].parent, groups.nodes[parent].name.singular != groups.nodes[parent].name
        {
            return groups.nodes[parent].name.singular
        }
        // A billing address and a shipping address are addresses.
        let reversed = nodes.map { Array($0.name.words.reversed()) }
        let common = reversed.dropFirst().reduce(reversed[0]) { common, words in
            zip(common, words).prefix { $0 == $1 }.map(\.0)
        }
        guard common.isEmpty else { return NameWords(common.reversed()) }
        return nodes.map(\.name).min { $0.words.count < $1.words.count } ?? nodes[0].name
    }

    /// Returns the name in the manifest; if it exists already, with the name of the enclosing entity as a prefix.
    private func swiftName(_ name: NameWords, _ node: ShapeNode) -> String {
        let plain = String(name.upperCamelCase.prefix(Self.longestName))
        let safe = plain.first?.isNumber == true ? "_" + plain : plain
        guard takenNames.contains(safe.lowercased()), let parent = node.parent.flatMap({ entityOfPlace[$0] }) else {
            return EntityGuess.free(safe, among: takenNames)
        }
        let longer = parent.swiftName + plain
        return EntityGuess.free(longer.count > Self.longestName ? safe : longer, among: takenNames)
    }

    /// The maximum length of an entity's name, without a number.
    private static let longestName = 60

    // MARK: Attributes

    private mutating func addAttributes(to entity: EntityGuess) {
        let count = entity.count
        for field in entity.member?.fields ?? [] {
            let isMemberName = field.key == CollectionStatistics.memberKey
            if isMemberName, repeatsKey(field, in: entity) { continue }
            let guess = TypeGuess(field)
            let attribute = AttributeGuess(
                name: isMemberName ? memberName(field, in: entity) : valueName(guess.type, in: entity),
                key: field.key, isMemberName: isMemberName, type: guess.type, isOptional: field.values < count,
                field: field)
            attribute.isElement = !isMemberName
            add(attribute, guess, to: entity)
        }
        if entity.shape.truncated > 0 {
            notes.add(
                .unread, about: entity, [],
                "has only the first \(ShapeStatistics.mostKeys) keys: \(entity.shape.truncated) values of others are "
                    + "skipped, because SQLite limits the number of columns", .uncertain)
        }
        for field in entity.shape.fields where !isNested(field.key, in: entity) {
            guard field.hasKeyPath else {
                notes.add(
                    .unread, about: entity, [], "at the empty key: a key path cannot contain it", .rejected)
                continue
            }
            let isKeptWhole = entity.places.contains { groups.nodes[$0].keptWhole.contains(field.key) }
            let guess = isKeptWhole ? TypeGuess(beyondPlaces: EntityGroups.mostPlaces) : TypeGuess(field)
            add(
                AttributeGuess(
                    name: entity.freeName(NameWords(of: field.key).propertyName), key: field.key, type: guess.type,
                    isOptional: field.values < count, field: field),
                guess, to: entity)
        }
    }

    /// Returns the name of the attribute for member names: `id` for numbers, unless the objects have one.
    private func memberName(_ field: FieldStatistics, in entity: EntityGuess) -> String {
        let isFree = !entity.shape.fields.contains { NameWords(of: $0.key).propertyName.lowercased() == "id" }
        return field.integers == field.values && isFree ? "id" : "key"
    }

    /// Returns the name of the attribute for elements that are not objects.
    private func valueName(_ type: AttributeType, in entity: EntityGuess) -> String {
        if type.isList { return "values" }
        return entity.name.words.last == "name" ? "name" : "value"
    }

    private mutating func add(_ attribute: AttributeGuess, _ guess: TypeGuess, to entity: EntityGuess) {
        entity.attributes.append(attribute)
        if let reason = guess.reason {
            notes.add(.type, about: entity, [attribute], "\(attribute.type): \(reason)", guess.certainty)
        }
        let count = entity.count
        let (absent, nulls) = (count - attribute.field.present, attribute.field.nulls)
        guard attribute.isOptional, attribute.field.values > 0 else { return }
        let parts = [absent > 0 ? "missing in \(absent)" : nil, nulls > 0 ? "null in \(nulls)" : nil].compactMap(\.self)
        notes.add(
            .optional, about: entity, [attribute],
            "optional: \(parts.joined(separator: " and ")) of \(counted(count, "object"))")
    }

    /// `{"7": {"id": 7}}`: the names of the members are redundant.
    private func repeatsKey(_ field: FieldStatistics, in entity: EntityGuess) -> Bool {
        entity.shape.fields.contains { other in
            KeyWords.identities.contains(NameWords(of: other.key)) && other.values == entity.count
                && field.sample.overlap(with: other.sample).isComplete
        }
    }

    // MARK: Identities

    private mutating func identify(_ entity: EntityGuess) {
        let guess = IdentityGuess(of: entity)
        entity.identity = guess.attributes
        let result = guess.attributes.isEmpty ? "has no identity: " : "identity: "
        notes.add(.identity, about: entity, guess.attributes, result + guess.evidence, guess.certainty)
    }

    // MARK: Value objects

    /// Whether an entity is a part of the only object that contains it: `{"price": {"amount": "4.50", "currency": "EUR"}}`.
    private func isValueObject(_ entity: EntityGuess) -> Bool {
        guard entity.identity.isEmpty, entity.places.count == 1, !entity.isSource, entity.member == nil,
            case .nested(let parent, let key) = groups.nodes[entity.places[0]].origin,
            let owner = entityOfPlace[parent], owner !== entity, owner.shape.field(key)?.nesting == .object
        else { return false }
        return entity.shape.fields.count <= Self.mostValueKeys
            && entity.shape.fields.allSatisfy { $0.hasKeyPath && $0.scalars == $0.values && $0.scalars > 0 }
    }

    /// An object with more keys is a separate entity.
    private static let mostValueKeys = 12

    /// Replaces an entity by attributes of the one that contains it.
    private mutating func storeInOwner(_ entity: EntityGuess) {
        guard case .nested(let parent, let key) = groups.nodes[entity.places[0]].origin,
            let owner = entityOfPlace[parent], let objects = owner.shape.field(key)
        else { return }
        entities.removeAll { $0 === entity }
        entityOfPlace[entity.places[0]] = nil
        var names: [String] = []
        for field in entity.shape.fields {
            let guess = TypeGuess(field)
            let words = NameWords(NameWords(of: key).words + NameWords(of: field.key).words)
            let attribute = AttributeGuess(
                name: owner.freeName(words.propertyName), key: field.key, in: key, type: guess.type,
                isOptional: field.values < owner.count, field: field)
            add(attribute, guess, to: owner)
            names.append(attribute.name)
        }
        notes.add(
            .type, about: owner, [],
            "stores \(JSONKeyPath(components: [key])) in \(names.joined(separator: ", ")): nested in "
                + "\(objects.values) of \(owner.count), scalars without an identity")
    }

    // MARK: Nested objects

    private mutating func nest(_ entity: EntityGuess) {
        for field in entity.shape.fields where isNested(field.key, in: entity) {
            guard let destination = destination(of: field.key, in: entity) else { continue }
            let areMembers = entity.places.contains { self.areMembers(field.key, at: $0) }
            let isToMany = field.nesting == .list || areMembers
            let name = entity.freeName(NameWords(of: field.key).propertyName)
            let inverse = isToMany ? owner(of: destination, holder: entity) : nil
            entity.relationships.append(
                RelationshipGuess(
                    name: name, to: destination, isToMany: isToMany, key: field.key, areMembers: areMembers,
                    inverse: inverse))
            if let inverse {
                destination.relationships.append(
                    RelationshipGuess(name: inverse, to: entity, isToMany: false, inverse: name))
            }
            notes.add(
                about: entity, relationship: name,
                "-> \(destination.swiftName)\(areMembers ? ", each member" : isToMany ? ", many" : ""): nested in \(field.values) of \(entity.count)"
            )
        }
    }

    private func destination(of key: String, in entity: EntityGuess) -> EntityGuess? {
        entity.places.compactMap { groups.child(of: $0, at: key) }.min().flatMap { entityOfPlace[$0] }
    }

    /// Returns the name of the inverse, if every object belongs to one owner.
    private func owner(of destination: EntityGuess, holder: EntityGuess) -> String? {
        let isShared = destination.soleIdentity.map { $0.sample.hasRepeats } ?? !destination.identity.isEmpty
        let isTree = destination === holder
        let keys = Set(
            destination.places.filter { !groups.nodes[$0].isSource }.map { place -> String? in
                guard case .nested(let parent, let key) = groups.nodes[place].origin else { return nil }
                return holder.places.contains(parent) ? key : nil
            })
        guard !isShared, isTree || !destination.isSource, keys.count == 1, !keys.contains(nil) else { return nil }
        let name = isTree ? "parent" : holder.name.propertyName
        return destination.isFree(name)
            && !destination.shape.fields.contains { NameWords(of: $0.key).propertyName == name }
            ? name : nil
    }
}
