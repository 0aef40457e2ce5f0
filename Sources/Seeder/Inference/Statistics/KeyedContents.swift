/// Whether objects with the same key have the same values, by the hashes of both.
///
/// Up to a limit, all keys are compared; beyond it, every 2nd, 4th, 8th …, selected by their hashes as in a
/// `ValueSample`.
struct KeyedContents {
    /// The maximum number of keys, and of their objects' values.
    static let capacity = 1 << 20
    static let mostCells = 1 << 24

    /// The position of an object's values in `cells`, after their number, by the key's hash.
    private var places: [UInt64: Int] = [:]
    /// The hash of a member's name in the upper half, and of its value in the lower one.
    private var cells: [UInt64] = []
    /// One in `1 << halvings` keys is compared.
    private(set) var halvings = 0
    private(set) var hasRepeats = false
    /// Whether two objects with the same key have different values of a member.
    ///
    /// After a conflict, nothing else is stored.
    private(set) var hasConflict = false

    /// The number of distinct keys; estimated for a sample.
    var distinct: Int { places.count << halvings }

    static func cell(name: UInt64, value: UInt64) -> UInt64 { name << 32 | value & 0xFFFF_FFFF }

    /// Adds an object; new members are added to an earlier object with the same key.
    mutating func insert(_ key: UInt64, content: some Collection<UInt64>) {
        guard !hasConflict, ValueSample.isSampled(key, halvings) else { return }
        if let place = places[key] {
            hasRepeats = true
            merge(content, intoObjectAt: place, of: key)
        } else {
            append(content, of: key)
        }
        while places.count > Self.capacity || cells.count > Self.mostCells, places.count > 1 { halve() }
    }

    /// Adds the contents of another place.
    mutating func merge(_ other: KeyedContents) {
        hasRepeats = hasRepeats || other.hasRepeats
        if other.hasConflict { giveUp() }
        while halvings < other.halvings { halve() }
        for (key, place) in other.places { insert(key, content: other.content(at: place)) }
    }

    private func content(at place: Int) -> ArraySlice<UInt64> { cells[place + 1..<place + 1 + Int(cells[place])] }

    private mutating func append(_ content: some Collection<UInt64>, of key: UInt64) {
        places[key] = cells.count
        cells.append(UInt64(content.count))
        cells.append(contentsOf: content)
    }

    private mutating func merge(_ content: some Collection<UInt64>, intoObjectAt place: Int, of key: UInt64) {
        let known = self.content(at: place)
        if known.elementsEqual(content) { return }
        let values = Dictionary(known.map { ($0 >> 32, $0) }, uniquingKeysWith: { $1 })
        var added: [UInt64] = []
        for cell in content {
            guard let value = values[cell >> 32] else { added.append(cell); continue }
            if value != cell { return giveUp() }
        }
        if !added.isEmpty { append(known + added, of: key) }
    }

    private mutating func halve() {
        halvings += 1
        let (oldPlaces, oldCells) = (places, self)
        (places, cells) = ([:], [])
        for (key, place) in oldPlaces where ValueSample.isSampled(key, halvings) {
            append(oldCells.content(at: place), of: key)
        }
    }

    private mutating func giveUp() { (hasConflict, places, cells) = (true, [:], []) }
}
