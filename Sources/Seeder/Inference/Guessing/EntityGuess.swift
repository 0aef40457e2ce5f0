import ObjectMapping

/// An entity as it comes about from what was seen.
final class EntityGuess {
    let name: NameWords
    var swiftName: String
    /// What was seen of its objects, in all places together.
    let shape: ShapeStatistics
    let member: ShapeStatistics?
    /// The places, as indexes of the groups' nodes.
    let places: [Int]
    let isSource: Bool
    var attributes: [AttributeGuess] = []
    var relationships: [RelationshipGuess] = []
    /// The attributes that tell objects apart.
    var identity: [AttributeGuess] = []
    /// The wrapper's name, where elements choose their entity by it and it is not one that the entity's name gives.
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

    /// The identity, where it is one attribute.
    var soleIdentity: AttributeGuess? { identity.count == 1 ? identity[0] : nil }

    /// A name that no attribute or relationship has; SQLite takes no notice of case.
    func freeName(_ name: String, besides attribute: AttributeGuess? = nil) -> String {
        let taken = Set(
            (attributes.filter { $0 !== attribute }.map(\.name) + relationships.map(\.name)).map { $0.lowercased() })
        return Self.free(name, among: taken)
    }

    func isFree(_ name: String) -> Bool { freeName(name) == name }

    /// The name, or with the first number behind it that makes it free; `taken` is in lower case.
    static func free(_ name: String, among taken: Set<String>) -> String {
        var (free, number) = (name, 2)
        while taken.contains(free.lowercased()) {
            free = name + (name.last?.isNumber == true ? "_" : "") + String(number)
            number += 1
        }
        return free
    }
}

/// An attribute as it comes about.
final class AttributeGuess {
    var name: String
    /// The key of its values; `"@key"` for the names of members, empty for elements that are no objects.
    let key: String
    /// The words of the key, once for all destinations that it is compared with.
    let words: NameWords
    let singularWords: NameWords
    /// What the key refers to by a last word as `id`; nil without such a word.
    let referenceStem: NameWords?
    let isMemberName: Bool
    private(set) var type: AttributeType
    let isOptional: Bool
    /// A regular expression that cuts it out of the values of the key.
    let pattern: String?
    /// What was seen of the values, or of the elements of the lists.
    let field: FieldStatistics

    init(
        name: String, key: String, isMemberName: Bool = false, type: AttributeType, isOptional: Bool,
        pattern: String? = nil, field: FieldStatistics
    ) {
        self.name = name
        self.key = key
        words = NameWords(of: key)
        singularWords = words.singular
        referenceStem = KeyWords.reference(in: words)
        self.isMemberName = isMemberName
        self.type = type
        self.isOptional = isOptional
        self.pattern = pattern
        self.field = field
    }

    /// Whether the values are texts of whole numbers, which a build reads as such.
    var holdsIntegerTexts: Bool {
        let values = type.isList ? field.elements ?? field : field
        return type.scalar == .string && values.texts.areIntegers && values.strings == values.values
    }

    /// Makes it an attribute of whole numbers, as what it refers to is.
    func becomeInteger() { type.scalar = .integer }

    /// The distinct values.
    var sample: ValueSample { type.isList ? field.elements?.sample ?? ValueSample() : field.sample }

    /// The key path of the manifest; nil where it is the name.
    var from: String? {
        if isMemberName { return "@key" }
        let path = key.isEmpty && pattern == nil && isElement ? "" : JSONKeyPath(components: [key]).description
        return path.utf8.elementsEqual(name.utf8) && pattern == nil ? nil : path
    }

    /// Whether the value is the element itself.
    var isElement = false
}

/// A relationship as it comes about.
final class RelationshipGuess {
    let name: String
    /// Unowned: entities that refer to each other would keep each other for ever.
    unowned let destination: EntityGuess
    let isToMany: Bool
    /// The key of the nested objects.
    let key: String?
    /// The attribute that holds the destination's identity.
    let by: AttributeGuess?
    var inverse: String?

    init(
        name: String, to destination: EntityGuess, isToMany: Bool, key: String? = nil, by: AttributeGuess? = nil,
        inverse: String? = nil
    ) {
        self.name = name
        self.destination = destination
        self.isToMany = isToMany
        self.key = key
        self.by = by
        self.inverse = inverse
    }

    var path: JSONKeyPath? { key.map { JSONKeyPath(components: [$0]) } }
}
