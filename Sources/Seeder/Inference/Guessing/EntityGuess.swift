import ObjectMapping

/// An entity during the inference.
final class EntityGuess {
    let name: NameWords
    var swiftName: String
    /// The statistics of its objects in all places.
    let shape: ShapeStatistics
    let member: ShapeStatistics?
    /// The places, as indexes of the groups' nodes.
    let places: [Int]
    let isSource: Bool
    var attributes: [AttributeGuess] = []
    var relationships: [RelationshipGuess] = []
    /// The attributes that identify objects.
    var identity: [AttributeGuess] = []
    /// The name of the wrapper that selects the entity, if it cannot be derived from the entity's name.
    var elementName: String?

    init(
        name: NameWords, swiftName: String, shape: ShapeStatistics, member: ShapeStatistics?, places: [Int],
        isSource: Bool
    ) {
        self.name = name
        self.swiftName = swiftName
        self.shape = shape
        self.member = member
        self.places = places
        self.isSource = isSource
    }

    var count: Int { max(shape.count, member?.count ?? 0) }

    /// The identity, if it is a single attribute.
    var soleIdentity: AttributeGuess? { identity.count == 1 ? identity[0] : nil }

    /// Returns the relationship to a nested object of another entity, by the words of its key.
    func nestedRelationship(named words: NameWords, to destination: EntityGuess) -> RelationshipGuess? {
        relationships.first { relationship in
            guard let key = relationship.key, !relationship.isToMany else { return false }
            return relationship.destination === destination && NameWords(of: key) == words
        }
    }

    /// Returns a name that is not used by another attribute or relationship; SQLite ignores case.
    func freeName(_ name: String, besides attribute: AttributeGuess? = nil) -> String {
        let taken = Set(
            (attributes.filter { $0 !== attribute }.map(\.name) + relationships.map(\.name)).map { $0.lowercased() })
        return Self.free(name, among: taken)
    }

    func isFree(_ name: String) -> Bool { freeName(name) == name }

    /// Returns the name, or the name with the first unused number; `taken` is in lowercase.
    static func free(_ name: String, among taken: Set<String>) -> String {
        var (free, number) = (name, 2)
        while taken.contains(free.lowercased()) {
            free = name + (name.last?.isNumber == true ? "_" : "") + String(number)
            number += 1
        }
        return free
    }
}

/// An attribute during the inference.
final class AttributeGuess {
    var name: String
    /// The key of its values; `"@key"` for the names of members, empty for elements that are not objects.
    let key: String
    /// The key of the object that contains the key, if it is not that of the entity.
    let outerKey: String?
    /// The words of the key, cached for comparisons.
    let words: NameWords
    let singularWords: NameWords
    /// The name of the entity to which the key refers, before a suffix such as `id`; `nil` without one.
    let referenceStem: NameWords?
    let isMemberName: Bool
    private(set) var type: AttributeType
    let isOptional: Bool
    /// A regular expression that extracts it from the values of the key.
    let pattern: String?
    /// The statistics of the values, or of the elements of lists.
    let field: FieldStatistics

    init(
        name: String, key: String, in outerKey: String? = nil, isMemberName: Bool = false, type: AttributeType,
        isOptional: Bool,
        pattern: String? = nil, field: FieldStatistics
    ) {
        self.name = name
        self.key = key
        self.outerKey = outerKey
        words = NameWords(of: key)
        singularWords = words.singular
        referenceStem = KeyWords.reference(in: words)
        self.isMemberName = isMemberName
        self.type = type
        self.isOptional = isOptional
        self.pattern = pattern
        self.field = field
    }

    /// Whether the values are strings with integers, which a build converts.
    var holdsIntegerTexts: Bool {
        let values = type.isList ? field.elements ?? field : field
        return type.scalar == .string && values.texts.areIntegers && values.strings == values.values
    }

    /// The format in the manifest, with which the models write the strings of the dump again.
    var format: String? {
        let values = type.isList ? field.elements ?? field : field
        if type == AttributeType(.date), values.wrapperKeys.first == "$date",
            values.texts.areDates == false || values.integers > 0
        {
            return values.integers > 0 ? "milliseconds" : "millisecondsString"
        }
        guard !isMemberName, pattern == nil, values.strings > 0, values.strings == values.values else { return nil }
        switch type.scalar {
        case .integer, .double: return "string"
        case .decimal: return values.texts.fractionDigits.map { "0." + String(repeating: "0", count: $0) } ?? "string"
        case .date where !type.isList: return values.texts.epochFormat ?? values.texts.datePattern
        default: return nil
        }
    }

    /// Changes its type to integers, like that of its destination's identity.
    func becomeInteger() { type.scalar = .integer }

    /// The distinct values.
    var sample: ValueSample { type.isList ? field.elements?.sample ?? ValueSample() : field.sample }

    /// The key path in the manifest; `nil` if it is the name.
    var from: String? {
        if isMemberName { return "@key" }
        let path =
            key.isEmpty && pattern == nil && isElement
            ? "" : JSONKeyPath(components: (outerKey.map { [$0] } ?? []) + [key] + wrapperKeys).description
        return path.utf8.elementsEqual(name.utf8) && pattern == nil ? nil : path
    }

    private var wrapperKeys: [String] { field.wrapperKeys + (field.elements?.wrapperKeys ?? []) }

    /// Whether the value is the element itself.
    var isElement = false
    /// Whether it is declared as unique, because relationships refer to it.
    var isDeclaredUnique = false
}

/// A relationship during the inference.
final class RelationshipGuess {
    let name: String
    /// Unowned, because entities can refer to each other.
    unowned let destination: EntityGuess
    let isToMany: Bool
    /// The key of the nested objects.
    let key: String?
    /// Whether the nested objects are the members of an object.
    let areMembers: Bool
    /// The attribute with the destination's identity.
    let by: AttributeGuess?
    /// The unique attribute of the destination that `by` contains instead; `nil` for the identity.
    let matching: AttributeGuess?
    var inverse: String?

    init(
        name: String, to destination: EntityGuess, isToMany: Bool, key: String? = nil, areMembers: Bool = false,
        by: AttributeGuess? = nil, matching: AttributeGuess? = nil, inverse: String? = nil
    ) {
        self.name = name
        self.destination = destination
        self.isToMany = isToMany
        self.key = key
        self.areMembers = areMembers
        self.by = by
        self.matching = matching
        self.inverse = inverse
    }

    var path: JSONKeyPath? { key.map { JSONKeyPath(components: [$0]) } }
}
