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
        if objects > 0, objects == values, objects > emptyObjects { return .object }
        guard lists > 0, lists == values, let elements, elements.objects > elements.emptyObjects,
            elements.objects == elements.present
        else { return .attribute }
        return .list
    }

    /// Whether a key path can address the values; the empty key path is the object itself.
    var hasKeyPath: Bool { !key.isEmpty }

    /// The objects at this place, or in its lists.
    var nestedShape: ShapeStatistics? { nesting == .list ? elements?.shape : shape }
}

extension ShapeStatistics {
    /// Whether the keys are data, which cannot be names of columns.
    var isKeyedByData: Bool {
        if truncated > 0 || fields.allSatisfy({ OutlineNode.isData($0.key) }) { return true }
        let present = fields.reduce(0) { $0 + $1.present }
        return fields.count >= 20 && present * 5 < fields.count * count
    }
}
