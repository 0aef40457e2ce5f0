import ObjectMapping

/// What the name of an attribute says about the entity that its values may be identities of.
struct ReferenceName {
    /// How much the name says, from little to much.
    enum Grade: Int, Comparable {
        case nothing, key, role, part, exact

        static func < (one: Grade, other: Grade) -> Bool { one.rawValue < other.rawValue }

        /// The name in the words of a report.
        var words: String {
            switch self {
            case .nothing: "name does not match"
            case .key: "named like a key"
            case .role: "named like a role"
            case .part, .exact: "name matches"
            }
        }
    }

    let grade: Grade
    /// The words without those that say that it is a key.
    let stem: NameWords
    /// Whether there are such words.
    let isKey: Bool

    init(_ attribute: AttributeGuess, of entity: EntityGuess, to destination: EntityGuess, by identity: AttributeGuess)
    {
        let words = attribute.words.words
        let identityWords = identity.words.words
        if let reference = attribute.referenceStem {
            (stem, isKey) = (reference, true)
        } else if !identity.isMemberName, words.count > identityWords.count,
            words.suffix(identityWords.count) == identityWords[...]
        {
            (stem, isKey) = (NameWords(words.dropLast(identityWords.count)), true)
        } else {
            (stem, isKey) = (attribute.singularWords, false)
        }
        grade = Self.grade(stem, isKey, entity, destination)
    }

    private static func grade(
        _ stem: NameWords, _ isKey: Bool, _ entity: EntityGuess, _ destination: EntityGuess
    ) -> Grade {
        let least: Grade = isKey ? .key : .nothing
        guard let last = stem.words.last else { return .nothing }
        // An `order` in orders is a number of its own; only a parent, or the next one, is another order.
        if entity === destination, !isKey {
            return stem.words.contains(where: KeyWords.parents.contains) ? .role : least
        }
        // Of `{"areaNames": {"7": "Balcony"}}` each is what an area's number leads to.
        if stem == destination.name || stem.words + ["name"] == destination.name.words { return .exact }
        if stem.ends(with: destination.name) || destination.name.ends(with: stem) { return .part }
        if KeyWords.parents.contains(last) { return entity === destination ? .role : least }
        if KeyWords.roles.contains(last), let person = destination.name.words.last, KeyWords.persons.contains(person) {
            return .role
        }
        return least
    }
}
