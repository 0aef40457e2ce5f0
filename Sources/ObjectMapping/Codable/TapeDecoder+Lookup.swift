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
