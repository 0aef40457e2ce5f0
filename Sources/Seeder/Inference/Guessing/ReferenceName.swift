import ObjectMapping

/// How well the name of an attribute matches an entity whose identities may be its values.
struct ReferenceName {
    /// How specific the name is, in ascending order.
    enum Grade: Int, Comparable {
        case nothing, key, role, part, exact

        static func < (one: Grade, other: Grade) -> Bool { one.rawValue < other.rawValue }

        /// The description of the grade in a report.
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
    /// The words without those of a key.
    let stem: NameWords
    /// Whether the name has words of a key.
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
        // `order` in orders is usually a number; only a parent or the next one is another order.
        if entity === destination, !isKey {
            return stem.words.contains(where: KeyWords.parents.contains) ? .role : least
        }
        // In `{"areaNames": {"7": "Balcony"}}`, each member belongs to the area with the number.
        if stem == destination.name || stem.words + ["name"] == destination.name.words { return .exact }
        if stem.ends(with: destination.name) || destination.name.ends(with: stem) { return .part }
        if KeyWords.parents.contains(last) { return entity === destination ? .role : least }
        if KeyWords.roles.contains(last), let person = destination.name.words.last, KeyWords.persons.contains(person) {
            return .role
        }
        return least
    }
}
