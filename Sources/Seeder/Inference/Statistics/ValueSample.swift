/// The distinct values of an attribute by their hashes.
///
/// Up to a cap these are all of them, beyond it one in 2, 4, 8 and so on.
/// Which values are in a sample depends on their hashes only. So two samples can be compared: a value that is in the
/// one is in the other, if that attribute has it at all.
struct ValueSample {
    /// How many values a sample holds.
    let capacity: Int
    private(set) var values: Set<UInt64> = []
    /// One in `1 << halvings` values is looked at.
    private(set) var halvings = 0
    /// Whether a value of the sample came again.
    private(set) var hasRepeats = false

    init(capacity: Int = 1 << 15) { self.capacity = capacity }

    /// How many distinct values there are; an estimate where the sample does not hold all of them.
    var distinct: Int { values.count << halvings }
    /// Whether all values are in the sample.
    var isExact: Bool { halvings == 0 }

    mutating func insert(_ hash: UInt64) {
        guard Self.isSampled(hash, halvings) else { return }
        if !values.insert(hash).inserted { hasRepeats = true }
        while values.count > capacity { halve() }
    }

    /// Adds the values of a sample of the same attribute in another place.
    ///
    /// - Parameter countsRepeats: Whether a value that both have is a repeat. Defaults to `false`.
    mutating func merge(_ other: ValueSample, countsRepeats: Bool = false) {
        while halvings < other.halvings { halve() }
        hasRepeats = hasRepeats || other.hasRepeats
        for hash in other.values where Self.isSampled(hash, halvings) {
            if !values.insert(hash).inserted, countsRepeats { hasRepeats = true }
        }
        while values.count > capacity { halve() }
    }

    /// How many of the distinct values another sample has too, of those that both looked at.
    func overlap(with other: ValueSample) -> Overlap {
        let halvings = max(halvings, other.halvings)
        var overlap = Overlap(found: 0, total: 0, halvings: halvings)
        for hash in values where Self.isSampled(hash, halvings) {
            overlap.total += 1
            if other.values.contains(hash) { overlap.found += 1 }
        }
        return overlap
    }

    private mutating func halve() {
        halvings += 1
        values = values.filter { Self.isSampled($0, halvings) }
    }

    static func isSampled(_ hash: UInt64, _ halvings: Int) -> Bool { hash & (1 << UInt64(halvings) - 1) == 0 }
}

/// How many of an attribute's distinct values are among those of another one.
struct Overlap {
    var found: Int
    var total: Int
    /// One in `1 << halvings` values was looked at.
    let halvings: Int

    var isWhole: Bool { total > 0 && found == total }
    var share: Double { total == 0 ? 0 : Double(found) / Double(total) }
}
