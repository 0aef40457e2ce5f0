/// Compares two places in the dumps, to decide whether they contain objects of the same entity.
struct ShapeLikeness {
    private let one: ShapeNode
    private let other: ShapeNode
    init(_ one: ShapeNode, _ other: ShapeNode) {
        self.one = one
        self.other = other
    }

    private var common: Double { Double(one.keys.intersection(other.keys).count) }

    /// The share of common keys.
    private var similarity: Double { common / Double(one.keys.union(other.keys).count) }

    /// The share of common keys among those of the smaller place.
    private var containment: Double { common / Double(min(one.keys.count, other.keys.count)) }

    /// Whether the names of two wrappers differ.
    var areOfOtherWrappers: Bool { one.wrapper != nil && other.wrapper != nil && one.wrapper != other.wrapper }

    /// Whether the elements of two sources have the same entity; a wrapper's name can select only one.
    var areSameSources: Bool {
        guard one.name == other.name else { return false }
        return one.wrapper != nil || other.wrapper != nil || similarity >= 0.5
    }

    /// Whether both have the same name, or one has the other's name with a prefix, and similar keys.
    var areCalledAlike: Bool {
        guard one.lastWord == other.lastWord, one.name.ends(with: other.name) || other.name.ends(with: one.name) else {
            return false
        }
        return similarity >= 0.5 || containment >= 0.8 && one.identityKey == other.identityKey
    }

    var haveEqualKeys: Bool { one.keys == other.keys && one.keys.count > 1 }

    var haveNearlyEqualKeys: Bool { one.keys.count > 1 && similarity >= 0.8 }

    /// Whether one is a part of the other: an author is a user if its keys and numbers are those of a user.
    var isPart: Bool {
        guard let key = one.identityKey, key == other.identityKey, other.keys.count > 2,
            one.keys.isSubset(of: other.keys) || other.keys.isSubset(of: one.keys),
            let ids = one.shape.field(key)?.sample, let otherIDs = other.shape.field(key)?.sample
        else { return false }
        return (other.keys.count < one.keys.count ? otherIDs.overlap(with: ids) : ids.overlap(with: otherIDs))
            .isComplete
    }
}
