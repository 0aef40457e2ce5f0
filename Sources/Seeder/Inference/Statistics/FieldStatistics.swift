import ObjectMapping

/// The numbers of values by their kind.
struct ValueCounts {
    /// The number of objects with the key, including null.
    var present = 0
    var nulls = 0
    var strings = 0
    /// The number of integers of 64 bits.
    var integers = 0
    /// The number of larger integers that a `Decimal` can represent.
    var largeIntegers = 0
    var fractions = 0
    /// The number of numbers that only text can represent.
    var hugeNumbers = 0
    /// The number of numbers of any kind that a `Double` changes, but a `Decimal` does not.
    var longNumbers = 0
    /// The number of numbers that a `Decimal` cannot represent, but a `Double` can.
    var wideNumbers = 0
    var booleans = 0
    var objects = 0
    var lists = 0
    var emptyObjects = 0
    /// The number of values in objects that contain a scalar only.
    var wrapped = 0

    /// The number of values other than null.
    var values: Int { present - nulls }
    var numbers: Int { integers + largeIntegers + fractions + hugeNumbers }
    var scalars: Int { strings + numbers + booleans }

    mutating func add(_ other: ValueCounts) {
        present += other.present
        nulls += other.nulls
        strings += other.strings
        integers += other.integers
        largeIntegers += other.largeIntegers
        fractions += other.fractions
        hugeNumbers += other.hugeNumbers
        longNumbers += other.longNumbers
        wideNumbers += other.wideNumbers
        booleans += other.booleans
        objects += other.objects
        lists += other.lists
        emptyObjects += other.emptyObjects
        wrapped += other.wrapped
    }
}

/// The statistics of one key's values in one place; of the values, only hashes are stored.
@dynamicMemberLookup final class FieldStatistics {
    let key: String
    private var counts = ValueCounts()
    private(set) var texts = TextForms()
    private(set) var sample = ValueSample()
    /// The other values of each object by this key; `nil` unless the key is named like an identity.
    private(set) var contents: KeyedContents?
    private(set) var range: ClosedRange<Int64>?
    /// The objects at this key; `nil` if no value is an object.
    private(set) var shape: ShapeStatistics?
    /// The elements of lists at this key; `nil` if all lists are empty.
    private(set) var elements: FieldStatistics?

    /// The keys of objects that contain a scalar only, as in `{"$oid": "5f8f"}` of MongoDB, joined by dots.
    private(set) var wrappers: Set<String> = []

    /// The words of the key.
    let words: NameWords
    /// Whether the key is the identity because of its name.
    let isSure: Bool
    /// The key's hash.
    let hash: UInt64

    init(key: String) {
        self.key = key
        words = NameWords(of: key)
        isSure = KeyWords.identities.contains(words)
        hash = StableHash.of(key)
        if KeyWords.mayIdentify(words) || key == CollectionStatistics.memberKey { contents = KeyedContents() }
    }

    subscript(dynamicMember count: KeyPath<ValueCounts, Int>) -> Int { counts[keyPath: count] }

    /// The key path from the key to the scalars, if all values are wrapped alike.
    var wrapperKeys: [String] {
        guard counts.wrapped > 0, counts.wrapped == counts.values, wrappers.count == 1, let path = wrappers.first else {
            return []
        }
        return path.split(separator: ".").map(String.init)
    }

    /// Records a value of any depth; returns its hash.
    func observe(_ value: JSON) -> UInt64 {
        counts.present += 1
        guard let (path, scalar) = Self.unwrapped(value) else { return observeValue(value) }
        counts.wrapped += 1
        wrappers.insert(path)
        return observeValue(scalar)
    }

    /// Returns the scalar in an object of MongoDB, and its key path.
    private static func unwrapped(_ value: JSON) -> (path: String, scalar: JSON)? {
        guard let object = value.object, object.count == 1, object[0].key.hasPrefix("$"),
            !object[0].key.contains(".")
        else { return nil }
        let (key, inner) = (object[0].key, object[0].value)
        if let (path, scalar) = unwrapped(inner) { return ("\(key).\(path)", scalar) }
        return inner.object == nil && inner.array == nil && !inner.isNull ? (key, inner) : nil
    }

    private func observeValue(_ value: JSON) -> UInt64 {
        if let text = value.string {
            counts.strings += 1
            texts.observe(text)
            // UUIDs are compared in lowercase.
            return StableHash.of(text.utf8.count == 36 && texts.areUUIDs ? text.lowercased() : text)
        }
        if let integer = value.int64 {
            counts.integers += 1
            if Int64(exactly: Double(integer)) != integer { counts.longNumbers += 1 }
            range = range.map { min($0.lowerBound, integer)...max($0.upperBound, integer) } ?? integer...integer
            return StableHash.of(String(integer))
        }
        if let flag = value.bool {
            counts.booleans += 1
            return flag ? 1 : 2
        }
        if value.isNull {
            counts.nulls += 1
            return 3
        }
        if let object = value.object {
            counts.objects += 1
            if object.isEmpty { counts.emptyObjects += 1 }
            let shape = shape ?? ShapeStatistics()
            self.shape = shape
            return shape.observe(object)
        }
        if let list = value.array {
            counts.lists += 1
            let elements = elements ?? FieldStatistics(key: key)
            if !list.isEmpty { self.elements = elements }
            return list.reduce(4) { hash, element in
                let next = elements.observe(element)
                elements.remember(next, content: [])
                return StableHash.combined(hash, next)
            }
        }
        // A number with a decimal point or an exponent, or with many digits.
        let text = value.text
        let isWhole = !text.utf8.contains { UInt8(ascii: ".") == $0 || $0 | 0x20 == UInt8(ascii: "e") }
        let isExact = value.double.map { !NumberText.losesDigits(text, as: $0) } ?? false
        let isDecimal = value.decimal != nil
        if !isDecimal, isWhole || !isExact {
            counts.hugeNumbers += 1
        } else {
            if isWhole { counts.largeIntegers += 1 } else { counts.fractions += 1 }
            if !isExact { counts.longNumbers += 1 }
            if !isDecimal { counts.wideNumbers += 1 }
        }
        return StableHash.of(text)
    }

    /// Records a value's hash with the other members of its object; only possible identities are stored.
    ///
    /// - Parameter content: The members of the object, in the form of `KeyedContents`.
    func remember(_ hash: UInt64, content: [UInt64]) {
        guard counts.strings + counts.integers + counts.largeIntegers + counts.hugeNumbers > 0 else { return }
        guard counts.fractions + counts.booleans + counts.objects + counts.lists == 0 else {
            (sample, contents) = (ValueSample(), nil)
            return
        }
        sample.insert(hash)
        contents?.insert(hash, content: content)
    }

    /// Adds the statistics of another place.
    func merge(_ other: FieldStatistics) {
        counts.add(other.counts)
        wrappers.formUnion(other.wrappers)
        texts.merge(other.texts)
        sample.merge(other.sample)
        if let added = other.contents { contents?.merge(added) } else if other.counts.values > 0 { contents = nil }
        if let added = other.range {
            range =
                range.map {
                    min($0.lowerBound, added.lowerBound)...max($0.upperBound, added.upperBound)
                } ?? added
        }
        if let added = other.elements {
            let merged = elements ?? FieldStatistics(key: key)
            merged.merge(added)
            elements = merged
        }
    }
}
