extension TapeDecoder {
    /// The converted keys of the object, without duplicates.
    var keys: [String] {
        if !keepsKeys, let index = lookup.index { return index.sorted { $0.value < $1.value }.map(\.key.text) }
        var seen: Set<ExactText> = []
        var keys: [String] = []
        keys.reserveCapacity(tape.tokens.memberCount(place))
        tape.tokens.forEachKey(of: place) { key, _ in
            if seen.insert(ExactText(text: key)).inserted { keys.append(key) }
        }
        // A type that requests all keys usually requests all values.
        lookup.areUnique = keys.count == tape.tokens.memberCount(place)
        return keys
    }

    /// Creates the index of converted keys; for equal keys, the first one is used.
    func convertKeys() {
        guard lookup.index == nil else { return }
        var path: [any CodingKey] = []
        if case .custom = tape.settings.keys { path = codingPath }
        makeIndex { tape.converted($0, at: path) }
    }

    /// Creates the index of renamed keys; for equal keys, the first one is used.
    func makeIndex(_ name: (String) -> String) {
        var index: [ExactText: Int] = [:]
        index.reserveCapacity(tape.tokens.memberCount(place))
        tape.tokens.forEachKey(of: place) { key, place in
            let name = ExactText(text: name(key))
            if index[name] == nil { index[name] = place }
        }
        lookup.index = index
    }
}

extension DecodingTape {
    /// Returns a key as converted by the strategy.
    fileprivate func converted(_ key: String, at path: [any CodingKey]) -> String {
        switch settings.keys {
        case .custom(let convert): return convert(path + [MemberKey(stringValue: key)]).stringValue
        case .convertFromSnakeCase:
            if let known = convertedKeys[key] { return known }
            let converted = camelCase(key)
            convertedKeys[key] = converted
            return converted
        default: return key
        }
    }

    /// Converts `one_two_three` to `oneTwoThree`; leading and trailing underscores are kept.
    private func camelCase(_ key: String) -> String {
        let head = key.prefix { $0 == "_" }
        let tail = key.dropFirst(head.count).reversed().prefix { $0 == "_" }
        let words = key.dropFirst(head.count).dropLast(tail.count).split(separator: "_")
        guard words.count > 1 else { return key }
        let body = words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
        return head + body + String(tail)
    }
}

extension TapeDecoder {
    /// The number of keys compared without success before an index is considered.
    private static var comparisonLimit: Int { 128 }

    /// Returns the place of a key's value, the first one for repeated keys; `nil` if the key is missing.
    @inline(__always) func member(_ name: String) -> Int? {
        if lookup.failedComparisons > TapeDecoder.comparisonLimit { makeIndexIfWorthwhile() }
        if let index = lookup.index { return index[ExactText(text: name)] }
        return name.withView { member(Bytes($0) ?? tape.tokens.text, $0.count) }
    }

    @inline(__always) private func member(_ name: Bytes, _ count: Int) -> Int? {
        let bit = KeyLookup.bit(name, count)
        let isNew = lookup.passed & bit == 0
        let key = lookup.next
        if isNew || lookup.areUnique, key < tape.tokens.end(of: place), tape.tokens.isKey(key, name, count) {
            return found(key, bit)
        }
        return isNew ? search(name, count, bit) : searchAll(name, count, bit)
    }

    @inline(__always) private func found(_ key: Int, _ passed: UInt64) -> Int {
        lookup.passed |= passed
        lookup.next = tape.tokens.end(of: key &+ 1)
        return key &+ 1
    }

    /// Searches after the last found member: the skipped members have other keys.
    @inline(never) private func search(_ name: Bytes, _ count: Int, _ bit: UInt64) -> Int? {
        let end = tape.tokens.end(of: place)
        var key = lookup.next
        var passed = bit
        while key < end {
            if tape.tokens.isKey(key, name, count) { return found(key, passed) }
            passed |= tape.tokens.bitOfKey(key)
            key = tape.tokens.end(of: key &+ 1)
            lookup.failedComparisons &+= 1
        }
        return nil
    }

    /// Searches from the first member.
    @inline(never) private func searchAll(_ name: Bytes, _ count: Int, _ bit: UInt64) -> Int? {
        var key = place &+ 2
        while key < lookup.next {
            if tape.tokens.isKey(key, name, count) { return key &+ 1 }
            key = tape.tokens.end(of: key &+ 1)
            lookup.failedComparisons &+= 1
        }
        return search(name, count, bit)
    }

    /// An index costs as much as comparing each key several times.
    @inline(never) private func makeIndexIfWorthwhile() {
        guard lookup.index == nil, lookup.failedComparisons > 8 * tape.tokens.memberCount(place) else { return }
        makeIndex(\.self)
    }
}

extension Tokens {
    @inline(__always) fileprivate func bitOfKey(_ key: Int) -> UInt64 {
        let token = token(key)
        if token.kind == .escapedString { return bitOfEscapedKey(key) }
        return KeyLookup.bit(text + token.offset + 1, token.length(in: text))
    }

    @inline(never) private func bitOfEscapedKey(_ key: Int) -> UInt64 {
        let name = string(key) ?? ""
        return name.withView { KeyLookup.bit(Bytes($0) ?? text, $0.count) }
    }
}

/// The state of key lookups in an object.
struct KeyLookup {
    /// The key after the last found member: most types use the order of the text.
    var next: Int
    /// A bit per key before `next`, from a weak hash: a key without its bit is not among them.
    var passed: UInt64 = 0
    /// Whether all keys are known to be unique.
    var areUnique = false
    /// The number of keys compared without success.
    var failedComparisons = 0
    /// The places of values by converted keys, or by all keys after too many unsuccessful lookups.
    var index: [ExactText: Int]?

    init(first: Int) { next = first }

    @inline(__always) mutating func reset(first: Int) {
        next = first
        passed = 0
        areUnique = false
        failedComparisons = 0
        if index != nil { index = nil }
    }

    /// Returns the bit of a key; its first, middle and last byte distinguish most keys.
    @inline(__always) static func bit(_ start: Bytes, _ count: Int) -> UInt64 {
        if count == 0 { return 1 }
        let hash =
            UInt64(start[0]) &* 31 ^ UInt64(start[count / 2]) &* 17 ^ UInt64(start[count - 1]) ^ UInt64(count) &* 7
        return 1 &<< (hash & 63)
    }
}
