import ObjectMapping

/// The statistics of the objects in one place of the dumps.
final class ShapeStatistics {
    /// The number of objects.
    private(set) var count = 0
    /// Their keys in the order of first appearance.
    private(set) var fields: [FieldStatistics] = []
    /// By the keys' UTF-8: in JSON, composed and decomposed characters differ.
    private var indexes: [[UInt8]: Int] = [:]
    /// The number of objects with keys beyond the limit.
    private(set) var truncated = 0
    /// Combinations of keys that may identify the objects if no single key does.
    private(set) var compounds: [CompoundKey] = []
    /// The members of the last object, in the form of `KeyedContents`.
    private(set) var content: [UInt64] = []

    /// A combination of keys and its values.
    struct CompoundKey {
        let keys: [String]
        /// The indexes of the keys' fields.
        let fields: [Int]
        fileprivate(set) var sample = ValueSample(capacity: KeyedContents.capacity)
        /// Whether every object has all of them, with distinct values.
        fileprivate(set) var isUnique = true
    }

    /// The maximum number of keys: a table of SQLite has up to 2,000 columns, and some are needed for relationships.
    static let mostKeys = 1900

    func field(_ key: String) -> FieldStatistics? { indexes[Array(key.utf8)].map { fields[$0] } }

    /// Records an object; returns its hash, which is that of its identity if a key is certain.
    func observe(_ object: JSONObject) -> UInt64 {
        count += 1
        var hashes: [(field: Int, hash: UInt64)] = []
        content.removeAll(keepingCapacity: true)
        var whole: UInt64 = 5
        var identity: UInt64?
        for (place, member) in object.enumerated() {
            guard let index = index(of: member.key, expectedAt: place) else {
                truncated += 1
                continue
            }
            let field = fields[index]
            let hash = field.observe(member.value)
            let cell = KeyedContents.cell(name: field.hash, value: hash)
            content.append(cell)
            // Independent of the order of members.
            whole &+= StableHash.combined(field.hash, hash)
            guard !member.value.isNull else { continue }
            hashes.append((index, hash))
            if field.isSure, identity == nil { identity = StableHash.combined(7, hash) }
        }
        for (index, hash) in hashes { fields[index].remember(hash, content: content) }
        if count == 1 {
            compounds = Self.compounds(of: object).map { keys in
                CompoundKey(keys: keys, fields: keys.compactMap { indexes[Array($0.utf8)] })
            }
        }
        for place in compounds.indices where compounds[place].isUnique { combine(place, hashes) }
        return identity ?? whole
    }

    /// Records an element that is not an object under a key; returns its content.
    func observe(_ value: JSON, as key: String) -> [UInt64] {
        guard let index = index(of: key, expectedAt: fields.count) else { return [] }
        let hash = fields[index].observe(value)
        if !value.isNull { fields[index].remember(hash, content: []) }
        return [KeyedContents.cell(name: fields[index].hash, value: hash)]
    }

    /// Records the name of the member with an element under a key.
    func observe(_ name: JSON, as key: String, content: [UInt64]) {
        guard let index = index(of: key, expectedAt: fields.count) else { return }
        fields[index].remember(fields[index].observe(name), content: content)
    }

    /// Counts an element that is not an object.
    func countElement() { count += 1 }

    private func combine(_ place: Int, _ hashes: [(field: Int, hash: UInt64)]) {
        var combined: UInt64 = 6
        for field in compounds[place].fields {
            guard let part = hashes.first(where: { $0.field == field }) else {
                return compounds[place].giveUp()
            }
            combined = StableHash.combined(combined, part.hash)
        }
        compounds[place].sample.insert(combined)
        if compounds[place].sample.hasRepeats { compounds[place].giveUp() }
    }

    /// Returns pairs and triples of keys in the first object that are named like parts of a key.
    ///
    /// If a key is certain, these are pairs of it and the type (JSON:API), or a reference to another object, such as the
    /// parent.
    private static func compounds(of object: JSONObject) -> [[String]] {
        let keys = object.filter { $0.value.string != nil || $0.value.int64 != nil }
            .map { (key: $0.key, words: NameWords(of: $0.key)) }
        if let identity = keys.first(where: { KeyWords.identities.contains($0.words) }) {
            let types = keys.filter { $0.words == KeyWords.type }
            let references = keys.filter {
                KeyWords.reference(in: $0.words) != nil && !KeyWords.identities.contains($0.words)
            }
            return (types + references).prefix(3).map { [$0.key, identity.key] }
        }
        let parts = keys.filter { _, words in
            let last = words.words.last ?? ""
            return KeyWords.parts.contains(last) || KeyWords.persons.contains(last)
        }.map(\.key).prefix(4)
        let pairs = parts.indices.flatMap { first in
            parts[(first + 1)...].map { [parts[first], $0] }
        }
        return pairs + (parts.count > 2 ? [Array(parts.prefix(3))] : [])
    }

    private func index(of key: String, expectedAt place: Int) -> Int? {
        // Objects of a dump usually have the same keys in the same order.
        if fields.indices.contains(place), fields[place].key.utf8.elementsEqual(key.utf8) { return place }
        let bytes = Array(key.utf8)
        if let index = indexes[bytes] { return index }
        guard fields.count < Self.mostKeys else { return nil }
        indexes[bytes] = fields.count
        fields.append(FieldStatistics(key: key))
        return fields.count - 1
    }

    /// Adds the statistics of another place.
    func merge(_ other: ShapeStatistics) {
        compounds =
            count == 0
            ? other.compounds
            : compounds.compactMap { compound in
                other.compounds.first { $0.keys == compound.keys }.map(compound.merged)
            }
        count += other.count
        truncated += other.truncated
        for field in other.fields {
            let index = index(of: field.key, expectedAt: fields.count)
            if let index { fields[index].merge(field) } else { truncated += 1 }
        }
    }
}

extension ShapeStatistics.CompoundKey {
    /// Merges the combination with that of another place.
    fileprivate func merged(with other: Self) -> Self {
        var merged = self
        merged.sample.merge(other.sample, countsRepeats: true)
        if !other.isUnique || merged.sample.hasRepeats { merged.giveUp() }
        return merged
    }

    fileprivate mutating func giveUp() { (isUnique, sample) = (false, ValueSample()) }
}
