/// Finds the entities to which an attribute can refer, by its name or its values.
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
            // Any value can be found in a dense range by chance.
            guard identity.chance(of: identity.sample.distinct) < Self.highestChance else { continue }
            for value in identity.sample.values { byValue[value, default: []].append(index) }
        }
    }

    /// The maximum probability of finding values by chance.
    static let highestChance = 1e-3

    /// Returns the entities to which the name or a value of an attribute can refer, including its own, in order.
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
    /// The possible last words of the name to which the attribute refers.
    fileprivate var stemEnds: [String] {
        if let referenceStem { return Array(referenceStem.words.suffix(1)) }
        return singularWords.words.suffix(1) + words.words.dropLast()
    }
}
