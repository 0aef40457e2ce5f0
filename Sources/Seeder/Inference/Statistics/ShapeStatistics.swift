import ObjectMapping

/// What was seen of the objects of one place in the dumps.
final class ShapeStatistics {
    /// How many objects there are.
    private(set) var count = 0
    /// Their keys in the order of first appearance.
    private(set) var fields: [FieldStatistics] = []
    /// By the keys' UTF-8: JSON tells keys apart that are the same letters, composed or not.
    private var indexes: [[UInt8]: Int] = [:]
    /// How many objects had a key beyond those that are counted.
    private(set) var overfull = 0
    /// Several keys together, which may tell the objects apart where none does alone.
    private(set) var compounds: [CompoundKey] = []

    /// Several keys and what they hold together.
    struct CompoundKey {
        let keys: [String]
        fileprivate(set) var sample = ValueSample()
        /// Whether every object has all of them.
        fileprivate(set) var isWhole = true
    }

    /// How many keys are told apart.
    static let mostKeys = 1000

    func field(_ key: String) -> FieldStatistics? { indexes[Array(key.utf8)].map { fields[$0] } }

    /// Takes note of an object; its hash.
    func observe(_ object: JSONObject) -> UInt64 {
        count += 1
        var hashes: [(field: Int, hash: UInt64)] = []
        var content: UInt64 = 5
        for (place, member) in object.enumerated() {
            guard let index = index(of: member.key, expectedAt: place) else {
                overfull += 1
                continue
            }
            let hash = fields[index].observe(member.value)
            if !member.value.isNull { hashes.append((index, hash)) }
            content = StableHash.combined(StableHash.combined(content, UInt64(index)), hash)
        }
        for (index, hash) in hashes { fields[index].remember(hash, content: content) }
        if count == 1 { compounds = Self.compounds(of: object) }
        for place in compounds.indices where compounds[place].isWhole {
            combine(place, hashes)
        }
        return content
    }

    /// Takes note of the name of the member that holds an object, or a value that is none, as of a key.
    func observe(_ value: JSON, as key: String, content: UInt64) {
        guard let index = index(of: key, expectedAt: fields.count) else { return }
        let hash = fields[index].observe(value)
        if !value.isNull { fields[index].remember(hash, content: content) }
    }

    /// Counts an element that is no object.
    func countElement() { count += 1 }

    private func combine(_ place: Int, _ hashes: [(field: Int, hash: UInt64)]) {
        var combined: UInt64 = 6
        for key in compounds[place].keys {
            guard let part = hashes.first(where: { fields[$0.field].key == key }) else {
                compounds[place].isWhole = false
                return
            }
            combined = StableHash.combined(combined, part.hash)
        }
        compounds[place].sample.insert(combined)
    }

    /// Pairs, and three, of the keys of the first object that sound like parts of a key.
    private static func compounds(of object: JSONObject) -> [CompoundKey] {
        let parts = object.filter { member in
            guard member.value.string != nil || member.value.int64 != nil else { return false }
            let last = NameWords(of: member.key).words.last ?? ""
            return KeyWords.parts.contains(last) || KeyWords.persons.contains(last)
        }.map(\.key).prefix(4)
        guard !object.keys.contains(where: { KeyWords.sure.contains(NameWords(of: $0)) }) else { return [] }
        let pairs = parts.indices.flatMap { first in
            parts[(first + 1)...].map { CompoundKey(keys: [parts[first], $0]) }
        }
        return pairs + (parts.count > 2 ? [CompoundKey(keys: Array(parts.prefix(3)))] : [])
    }

    private func index(of key: String, expectedAt place: Int) -> Int? {
        // Objects of a dump mostly have the same keys in the same order.
        if fields.indices.contains(place), fields[place].key.utf8.elementsEqual(key.utf8) { return place }
        let bytes = Array(key.utf8)
        if let index = indexes[bytes] { return index }
        guard fields.count < Self.mostKeys else { return nil }
        indexes[bytes] = fields.count
        fields.append(FieldStatistics(key: key))
        return fields.count - 1
    }

    /// Adds what was seen in another place.
    func merge(_ other: ShapeStatistics) {
        count += other.count
        overfull += other.overfull
        // Keys that hold for one place hold for both only by chance.
        compounds = []
        for field in other.fields {
            let index = index(of: field.key, expectedAt: fields.count)
            if let index { fields[index].merge(field) } else { overfull += 1 }
        }
    }
}
