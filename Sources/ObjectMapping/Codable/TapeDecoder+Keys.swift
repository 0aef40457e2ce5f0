extension TapeDecoder {
    /// The object's keys as the types know them, each once.
    var keys: [String] {
        if !keepsKeys, let index = lookup.index { return index.sorted { $0.value < $1.value }.map(\.key.text) }
        var seen: Set<ExactText> = []
        var keys: [String] = []
        keys.reserveCapacity(tape.tokens.memberCount(place))
        tape.tokens.forEachKey(of: place) { key, _ in
            if seen.insert(ExactText(text: key)).inserted { keys.append(key) }
        }
        // Whoever asks for all keys asks for the value of each.
        lookup.areUnique = keys.count == tape.tokens.memberCount(place)
        return keys
    }

    /// Makes the index of the keys as the strategy has them; of two that become one the first counts.
    func convertKeys() {
        guard lookup.index == nil else { return }
        var path: [any CodingKey] = []
        if case .custom = tape.settings.keys { path = codingPath }
        makeIndex { tape.converted($0, at: path) }
    }

    /// Makes the index of the keys by other names; of two that become one the first counts.
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
    /// A key as the strategy has it.
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

    /// `one_two_three` as `oneTwoThree`; underscores at the ends stay.
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
    /// So many keys are looked at in vain before an index is thought of.
    private static var patience: Int { 128 }

    /// The place of a key's value, the first one's of repeated keys; nil if there is none.
    @inline(__always) func member(_ name: String) -> Int? {
        if lookup.effort > TapeDecoder.patience { makeIndexIfWorthwhile() }
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

    /// Looks behind the member found last: what was passed has other keys.
    @inline(never) private func search(_ name: Bytes, _ count: Int, _ bit: UInt64) -> Int? {
        let end = tape.tokens.end(of: place)
        var key = lookup.next
        var passed = bit
        while key < end {
            if tape.tokens.isKey(key, name, count) { return found(key, passed) }
            passed |= tape.tokens.bitOfKey(key)
            key = tape.tokens.end(of: key &+ 1)
            lookup.effort &+= 1
        }
        return nil
    }

    /// Looks from the first member on.
    @inline(never) private func searchAll(_ name: Bytes, _ count: Int, _ bit: UInt64) -> Int? {
        var key = place &+ 2
        while key < lookup.next {
            if tape.tokens.isKey(key, name, count) { return key &+ 1 }
            key = tape.tokens.end(of: key &+ 1)
            lookup.effort &+= 1
        }
        return search(name, count, bit)
    }

    /// An index costs as much as looking at each of the keys some times.
    @inline(never) private func makeIndexIfWorthwhile() {
        guard lookup.index == nil, lookup.effort > 8 * tape.tokens.memberCount(place) else { return }
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

/// What a decoder remembers of an object's keys while its members are asked for one after the other.
struct KeyLookup {
    /// The key behind the member that was found last: most types ask in the order of the text.
    var next: Int
    /// A bit a key before `next`, by a weak hash: a key whose bit is not set does not stand there.
    var passed: UInt64 = 0
    /// Whether it is known that no key stands twice.
    var areUnique = false
    /// How many keys were looked at in vain.
    var effort = 0
    /// Places of the values by converted keys, or by keys that were looked for in vain too often.
    var index: [ExactText: Int]?

    init(first: Int) { next = first }

    @inline(__always) mutating func reset(first: Int) {
        next = first
        passed = 0
        areUnique = false
        effort = 0
        if index != nil { index = nil }
    }

    /// The bit of a key's text; the first, middle and last byte tell most apart.
    @inline(__always) static func bit(_ start: Bytes, _ count: Int) -> UInt64 {
        if count == 0 { return 1 }
        let hash =
            UInt64(start[0]) &* 31 ^ UInt64(start[count / 2]) &* 17 ^ UInt64(start[count - 1]) ^ UInt64(count) &* 7
        return 1 &<< (hash & 63)
    }
}
