extension TapeDecoder {
    /// Up to this many members, looking at each is as fast as an index.
    private static var indexThreshold: Int { 24 }

    /// The place of a key's value; nil if there is none. Of a repeated key the first one counts.
    @inline(__always) func member(_ name: String) -> Int? {
        if lookup.index != nil { return indexed(name) }
        var name = name
        return name.withUTF8 { bytes in
            member(bytes.baseAddress ?? tape.text, bytes.count)
        }
    }

    @inline(__always) private func member(_ name: Bytes, _ count: Int) -> Int? {
        let bit = KeyLookup.bit(name, count)
        let next = lookup.next
        let end = tape.end(of: place)
        if lookup.passed & bit == 0 {
            if next < end, isKey(next, name, count) {
                lookup.passed |= bit
                lookup.next = tape.end(of: next &+ 1)
                return next &+ 1
            }
            return search(name, count, bit, end)
        }
        return searchAgain(name, count, end)
    }

    /// Looks behind the member found last.
    @inline(never) private func search(_ name: Bytes, _ count: Int, _ bit: UInt64, _ end: Int) -> Int? {
        var key = lookup.next
        var passed = lookup.passed
        while key < end {
            if isKey(key, name, count) {
                lookup.passed = passed | bit
                lookup.next = tape.end(of: key &+ 1)
                return key &+ 1
            }
            passed |= bitOfKey(key)
            key = tape.end(of: key &+ 1)
        }
        makeIndexIfLarge()
        return nil
    }

    /// Looks from the first member on.
    @inline(never) private func searchAgain(_ name: Bytes, _ count: Int, _ end: Int) -> Int? {
        var key = place + 2
        while key < end {
            if isKey(key, name, count) {
                if key >= lookup.next { return search(name, count, KeyLookup.bit(name, count), end) }
                makeIndexIfLarge()
                return key + 1
            }
            key = tape.end(of: key + 1)
        }
        makeIndexIfLarge()
        return nil
    }

    @inline(__always) private func isKey(_ key: Int, _ name: Bytes, _ count: Int) -> Bool {
        let token = tape.token(key)
        if token.isPlainString(ofLength: count) { return isSame(tape.text + token.offset + 1, name, count) }
        return token.kind != .plainString && isUnusualKey(key, name, count)
    }

    @inline(never) private func isUnusualKey(_ key: Int, _ name: Bytes, _ count: Int) -> Bool {
        tape.string(key)?.utf8.elementsEqual(name.buffer(count)) ?? false
    }

    @inline(__always) private func bitOfKey(_ key: Int) -> UInt64 {
        let token = tape.token(key)
        if token.kind == .escapedString { return bitOfUnusualKey(key) }
        return KeyLookup.bit(tape.text + token.offset + 1, token.length(in: tape.text))
    }

    @inline(never) private func bitOfUnusualKey(_ key: Int) -> UInt64 {
        var text = tape.string(key) ?? ""
        return text.withUTF8 { bytes in bytes.baseAddress.map { KeyLookup.bit($0, bytes.count) } ?? 1 }
    }

    private func makeIndexIfLarge() {
        guard lookup.index == nil, tape.memberCount(place) > TapeDecoder.indexThreshold else { return }
        var index: [ExactText: Int] = [:]
        tape.forEachKey(of: place) { key, place in
            if index[ExactText(text: key)] == nil { index[ExactText(text: key)] = place }
        }
        lookup.index = index
    }

    private func indexed(_ name: String) -> Int? { lookup.index?[ExactText(text: name)] }
}

/// Whether as many bytes are the same; those of the first text may be read beyond its end.
@inline(__always) private func isSame(_ text: Bytes, _ name: Bytes, _ count: Int) -> Bool {
    if count >= 8 {
        return text.word == name.word && (text + (count - 8)).word == (name + (count - 8)).word
            && (count <= 16 || memcmp(text + 8, name + 8, count - 16) == 0)
    }
    if count >= 4 {
        return text.halfWord == name.halfWord && (text + (count - 4)).halfWord == (name + (count - 4)).halfWord
    }
    for index in 0..<count where text[index] != name[index] { return false }
    return true
}
