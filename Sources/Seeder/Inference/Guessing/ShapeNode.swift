import ObjectMapping

/// A place in the dumps with objects.
final class ShapeNode {
    /// The origin of its objects.
    enum Origin {
        /// They are elements of a source.
        case source(Int)
        /// The values of a key, or the elements of its lists, in the objects of another place.
        case nested(parent: Int, key: String)
    }

    let shape: ShapeStatistics
    let origin: Origin
    /// The name of an entity with these objects.
    let name: NameWords
    let lastWord: String?
    /// The names of the members with the objects.
    let member: ShapeStatistics?
    /// The key of the wrappers around the objects, which selects their entity.
    let wrapper: String?
    let keys: Set<String>
    /// The key that is the identity because of its name.
    let identityKey: String?
    /// The keys of nested objects that are not separate places, because there are too many.
    var keptWhole: Set<String> = []

    init(
        shape: ShapeStatistics, origin: Origin, name: NameWords, member: ShapeStatistics? = nil, wrapper: String? = nil
    ) {
        self.shape = shape
        self.origin = origin
        self.name = name
        lastWord = name.words.last
        self.member = member
        self.wrapper = wrapper
        keys = Set(shape.fields.map(\.key))
        identityKey = keys.filter { KeyWords.identities.contains(NameWords(of: $0)) }.min()
    }

    var isSource: Bool { if case .source = origin { true } else { false } }
    var parent: Int? { if case .nested(let parent, _) = origin { parent } else { nil } }
}

extension FieldStatistics {
    /// How a manifest represents the values.
    enum Nesting { case attribute, object, list }

    /// Whether every value is an object, or a list of objects, with keys that are names.
    var nesting: Nesting {
        if self.objects > 0, self.objects == self.values, self.objects > self.emptyObjects { return .object }
        guard self.lists > 0, self.lists == self.values, let elements, elements.objects > elements.emptyObjects,
            elements.objects == elements.present
        else { return .attribute }
        return .list
    }

    /// Whether a key path can address the values; the empty key path is the object itself.
    var hasKeyPath: Bool { !key.isEmpty }

    /// The objects at this place, or in its lists.
    var nestedShape: ShapeStatistics? { nesting == .list ? elements?.shape : shape }

    /// The members of the objects at this place, if the objects are dictionaries of objects.
    var members: MemberStatistics? {
        guard nesting == .object, let shape, shape.isDictionary else { return nil }
        return MemberStatistics(shape)
    }
}

/// The objects in dictionaries, and the names of the members with them.
struct MemberStatistics {
    let shape = ShapeStatistics()
    let names = ShapeStatistics()

    init(_ dictionaries: ShapeStatistics) {
        for field in dictionaries.fields {
            guard let objects = field.shape else { continue }
            shape.merge(objects)
            for _ in 0..<objects.count {
                // Each name has a different content, because those of the objects are not known any more.
                names.observe(
                    CollectionStatistics.name(field.key), as: CollectionStatistics.memberKey,
                    content: [UInt64(names.count)])
                names.countElement()
            }
        }
    }
}

extension ShapeStatistics {
    /// Whether the keys are data, which cannot be names of columns.
    var isKeyedByData: Bool {
        if truncated > 0 || fields.allSatisfy({ OutlineNode.isData($0.key) }) { return true }
        return fields.count >= 20 && present * 5 < fields.count * count || isSparse
    }

    private var present: Int { fields.reduce(0) { $0 + $1.present } }

    /// Whether all values are similar objects, and the keys are data, or differ from object to object.
    var isDictionary: Bool {
        guard fields.count > 1, fields.allSatisfy({ $0.nesting == .object }), isKeyedByData else { return false }
        return areSimilar
    }

    /// Whether most objects do not have most of the keys, whose values are similar objects.
    private var isSparse: Bool {
        fields.count > 2 && present * 4 <= fields.count * count * 3 && areSimilar
    }

    private var areSimilar: Bool {
        let keys = fields.map { Set($0.shape?.fields.map(\.key) ?? []) }
        guard let first = keys.first(where: { !$0.isEmpty }), fields.allSatisfy({ $0.nesting == .object }) else {
            return false
        }
        let unlike = keys.count { $0.intersection(first).count * 2 <= $0.union(first).count }
        return unlike == 0 || keys.count >= 10 && unlike * 10 <= keys.count
    }
}
