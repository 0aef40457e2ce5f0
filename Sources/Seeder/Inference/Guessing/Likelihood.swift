import ObjectMapping

extension AttributeGuess {
    /// How likely a value that was made up would be among the values, by how many there are and how many there could be.
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

    /// How likely it is that as many values as were found are there by chance.
    func chance(of found: Int) -> Double {
        let density = density
        return (0..<min(found, 1000)).reduce(1.0) { product, _ in product * density }
    }
}
