/// How much two places in the dumps look as if they held objects of the same entity.
struct ShapeLikeness {
    private let one: ShapeNode
    private let other: ShapeNode
    private let keys: Set<String>
    private let otherKeys: Set<String>
    private let common: Double

    init(_ one: ShapeNode, _ other: ShapeNode) {
        self.one = one
        self.other = other
        keys = one.keys
        otherKeys = other.keys
        common = Double(keys.intersection(otherKeys).count)
    }

    /// The share of the keys that both have.
    private var similarity: Double { common / Double(keys.union(otherKeys).count) }

    /// The share of the keys of the smaller one that the larger one has.
    private var containment: Double { common / Double(min(keys.count, otherKeys.count)) }

    /// Whether two wrappers' names keep them apart.
    var areOfOtherWrappers: Bool { one.wrapper != nil && other.wrapper != nil && one.wrapper != other.wrapper }

    /// Whether the elements of two sources are of one entity; a wrapper's name can choose one only.
    var areSameSources: Bool {
        guard one.name == other.name else { return false }
        return one.wrapper != nil || other.wrapper != nil || similarity >= 0.5
    }

    /// Whether both have the same name, or one has that of the other with more before it, and similar keys.
    var areCalledAlike: Bool {
        guard one.name.ends(with: other.name) || other.name.ends(with: one.name) else { return false }
        return similarity >= 0.5 || containment >= 0.8 && one.sureKey == other.sureKey
    }

    var haveEqualKeys: Bool { similarity == 1 && keys.count > 1 }

    var haveNearlyEqualKeys: Bool { similarity >= 0.8 && keys.count > 1 }

    /// Whether one is a part of the other: an author is a user whose keys, and whose numbers, are a user's.
    var isPart: Bool {
        guard let key = one.sureKey, key == other.sureKey, containment == 1, otherKeys.count > 2,
            let ids = one.shape.field(key)?.sample, let otherIDs = other.shape.field(key)?.sample
        else { return false }
        return (otherKeys.count < keys.count ? otherIDs.overlap(with: ids) : ids.overlap(with: otherIDs)).isWhole
    }
}
