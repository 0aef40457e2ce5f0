/// Finds the entities that an attribute may refer to, by its name or by its values.
struct ReferenceIndex {
    private var byLastWord: [String: [Int]] = [:]
    private var persons: [Int] = []
    private var byValue: [UInt64: [Int]] = [:]

    init(_ entities: [EntityGuess]) {
        for (index, entity) in entities.enumerated() {
            guard let identity = entity.soleIdentity else { continue }
            if let last = entity.name.words.last {
                byLastWord[last, default: []].append(index)
                if KeyWords.persons.contains(last) { persons.append(index) }
            }
            // Any values would be found among dense ones by chance.
            guard identity.chance(of: identity.sample.distinct) < Self.highestChance else { continue }
            for value in identity.sample.values { byValue[value, default: []].append(index) }
        }
    }

    /// Values that are found by chance more often than this say nothing.
    static let highestChance = 1e-3

    /// The entities that the name or a value of an attribute may refer to, its own one included, in their order.
    func candidates(for attribute: AttributeGuess, ofEntityAt place: Int) -> [Int] {
        var found = Set(byLastWord["name"] ?? [])
        found.insert(place)
        for word in attribute.stemEnds {
            found.formUnion(byLastWord[word] ?? [])
            if KeyWords.roles.contains(word) { found.formUnion(persons) }
        }
        if !byValue.isEmpty { for value in attribute.sample.values { found.formUnion(byValue[value] ?? []) } }
        return found.sorted()
    }
}

extension AttributeGuess {
    /// The words that may be the last one of what the attribute refers to, by its name.
    fileprivate var stemEnds: [String] {
        if let referenceStem { return Array(referenceStem.words.suffix(1)) }
        return singularWords.words.suffix(1) + words.words.dropLast()
    }
}
