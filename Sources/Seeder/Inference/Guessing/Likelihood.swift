import ObjectMapping

extension AttributeGuess {
    /// The probability that a random value is among the values, from their number and the number of possible values.
    var density: Double {
        if field.integers > 0, let range = field.range, field.strings == 0 {
            let span = Double(range.upperBound) - Double(range.lowerBound) + 1
            return min(1, Double(sample.distinct) / span)
        }
        guard type.scalar != .uuid else { return 0 }
        let texts = field.texts
        guard texts.count > 0, texts.minimumLength < 16 else { return 0 }
        let possible = (0..<texts.minimumLength).reduce(1.0) { product, _ in product * texts.classes.size }
        return min(1, Double(sample.distinct) / possible)
    }

    /// Returns the probability that a number of values was found by chance.
    func chance(of found: Int) -> Double {
        let density = density
        return (0..<min(found, 1000)).reduce(1.0) { product, _ in product * density }
    }

    /// Whether each object of an entity has a different value, and the entity is identified by another attribute.
    func isUnique(in entity: EntityGuess) -> Bool {
        !entity.identity.contains { $0 === self } && !type.isList && pattern == nil && field.values == entity.count
            && entity.count > 1 && sample.isExact && !sample.hasRepeats && sample.distinct == entity.count
    }
}
