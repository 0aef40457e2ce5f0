/// A sample of an attribute's distinct values, by their hashes.
///
/// Up to a limit, it contains all of them; beyond it, every 2nd, 4th, 8th …. Only the hash determines whether a value
/// is in a sample. Therefore samples can be compared: a value in one sample is in the other, if that attribute has it
/// at all.
struct ValueSample {
    /// The maximum number of values.
    let capacity: Int
    private(set) var values: Set<UInt64> = []
    /// One in `1 << halvings` values is included.
    private(set) var halvings = 0
    /// Whether a value of the sample is repeated.
    private(set) var hasRepeats = false

    init(capacity: Int = 1 << 15) { self.capacity = capacity }

    /// The number of distinct values; estimated for an incomplete sample.
    var distinct: Int { values.count << halvings }
    /// Whether all values are in the sample.
    var isExact: Bool { halvings == 0 }

    mutating func insert(_ hash: UInt64) {
        guard Self.isSampled(hash, halvings) else { return }
        if !values.insert(hash).inserted { hasRepeats = true }
        while values.count > capacity { halve() }
    }

    /// Adds the sample of the same attribute in another place.
    ///
    /// - Parameter countsRepeats: Whether a common value is a repeat. Defaults to `false`.
    mutating func merge(_ other: ValueSample, countsRepeats: Bool = false) {
        while halvings < other.halvings { halve() }
        hasRepeats = hasRepeats || other.hasRepeats
        for hash in other.values where Self.isSampled(hash, halvings) {
            if !values.insert(hash).inserted, countsRepeats { hasRepeats = true }
        }
        while values.count > capacity { halve() }
    }

    /// Returns the number of distinct values that are also in another sample, among the values that both include.
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

/// The number of an attribute's distinct values that are among those of another one.
struct Overlap {
    var found: Int
    var total: Int
    /// One in `1 << halvings` values was compared.
    let halvings: Int

    var isComplete: Bool { total > 0 && found == total }
    var share: Double { total == 0 ? 0 : Double(found) / Double(total) }
}
