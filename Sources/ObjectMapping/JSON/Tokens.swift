/// A text and its tokens in order; both belong to a `TokenTape` or are borrowed for a call.
struct Tokens {
    let text: Bytes
    let words: Ref<UInt64>

    @inline(__always) func token(_ place: Int) -> Token { Token(words[place]) }

    /// Returns the place after the tokens of a value.
    @inline(__always) func end(of place: Int) -> Int {
        token(place).isContainer ? Int(truncatingIfNeeded: words[place &+ 1] & 0xFFFF_FFFF) : place &+ 1
    }

    /// Returns the number of members of the object, or elements of the array, at a place.
    @inline(__always) func memberCount(_ place: Int) -> Int { Int(truncatingIfNeeded: words[place &+ 1] >> 32) }

    /// Returns the kind of the value at a place.
    func kind(_ place: Int) -> JSONKind { token(place).isNull ? .null : JSONKind(of: text + token(place).offset) }

    /// Returns the string at a place; `nil` for other values.
    @inline(__always) func string(_ place: Int) -> String? {
        let token = token(place)
        return token.isString ? token.string(in: text) : nil
    }

    /// Returns the text of the number at a place.
    func numberText(_ place: Int) -> String { token(place).numberText(in: text) }

    /// Returns the number at a place as an integer; `nil` if it has a fraction other than 0 or is out of range.
    func integer<T: FixedWidthInteger>(_ place: Int) -> T? {
        let token = token(place)
        guard token.isNumber else { return nil }
        if token.kind == .integer, let value = token.integer(in: text) { return T(exactly: value) }
        return NumberText(token.numberText(in: text)).integer()
    }

    /// Returns the number at a place as the nearest `Double`; `nil` for other values, and for overflow.
    @inline(__always) func double(_ place: Int) -> Double? {
        let token = token(place)
        var value = 0.0
        guard token.isNumber, scanDouble(text + token.offset, &value, PowersOfFive.shared) != nil else { return nil }
        return value
    }

    // MARK: Keys

    /// Whether the key at a place has these bytes.
    @inline(__always) func isKey(_ key: Int, _ name: Bytes, _ count: Int) -> Bool {
        let token = token(key)
        if token.isPlainString(ofLength: count) { return isSame(text + token.offset + 1, name, count) }
        return token.kind != .plainString && isUnusualKey(key, name, count)
    }

    @inline(never) private func isUnusualKey(_ key: Int, _ name: Bytes, _ count: Int) -> Bool {
        string(key)?.utf8.elementsEqual(name.raw(count)) ?? false
    }

    /// Returns the place of a key's value in an object; `nil` if the object does not contain the key.
    ///
    /// It compares each member.
    @inline(__always) func member(_ name: Bytes, _ count: Int, of object: Int) -> Int? {
        let end = end(of: object)
        var key = object &+ 2
        while key < end {
            if isKey(key, name, count) { return key &+ 1 }
            key = self.end(of: key &+ 1)
        }
        return nil
    }

    /// Calls a closure with the keys of an object in the order of the text, each with the place of its value.
    func forEachKey(of object: Int, atMost limit: Int = .max, _ body: (String, Int) throws -> Void) rethrows {
        var key = object + 2
        for _ in 0..<min(limit, memberCount(object)) {
            try body(string(key) ?? "", key + 1)
            key = end(of: key + 1)
        }
    }

    /// Returns the place after a number of elements or members.
    @inline(__always) func place(_ count: Int, after first: Int, inObject isObject: Bool) -> Int {
        var place = first
        for _ in 0..<count { place = end(of: isObject ? place &+ 1 : place) }
        return place
    }
}

/// Whether a number of bytes is equal.
@inline(__always) private func isSame(_ text: Bytes, _ name: Bytes, _ count: Int) -> Bool {
    if count >= 8 {
        return text.word == name.word && (text + (count - 8)).word == (name + (count - 8)).word
            && (count <= 16 || (text + 8).isSame(as: name + 8, count - 16))
    }
    if count >= 4 {
        return text.halfWord == name.halfWord && (text + (count - 4)).halfWord == (name + (count - 4)).halfWord
    }
    for index in 0..<count where text[index] != name[index] { return false }
    return true
}

extension Tokens {
    /// The remaining members of each object with duplicate keys, as places of keys and values.
    typealias KeptMembers = [Int: [(key: Int, value: Int)]]

    /// Returns those of some objects that contain duplicate keys.
    func repeatedKeys(of candidates: [Int]) -> KeptMembers {
        var found: KeptMembers = [:]
        for object in candidates {
            var positions: [ExactText: Int] = [:]
            var kept: [(key: Int, value: Int)] = []
            forEachKey(of: object) { name, place in
                let name = ExactText(text: name)
                if let position = positions[name] {
                    kept[position].value = place
                } else {
                    positions[name] = kept.count
                    kept.append((place - 1, place))
                }
            }
            if kept.count < memberCount(object) { found[object] = kept }
        }
        return found
    }

    /// Returns the tokens of a value with only some members of some objects.
    func words(from root: Int, keeping kept: KeptMembers) -> TokenWords {
        enum Step {
            case copy(from: Int, to: Int)
            case close(Int)
        }
        var words = TokenWords(capacity: end(of: root))
        words.append(Token(.null, offset: 0).word)
        var steps = [Step.copy(from: root, to: end(of: root))]
        while let step = steps.popLast() {
            switch step {
            case .close(let place): words.end(place)
            case .copy(var place, let end):
                while place < end, !token(place).isContainer {
                    words.append(self.words[place])
                    place += 1
                }
                guard place < end else { continue }
                let inside = self.end(of: place)
                steps += [.copy(from: inside, to: end), .close(words.count)]
                if let members = kept[place] {
                    words.append(self.words[place], UInt64(members.count) << 32)
                    for (key, value) in members.reversed() {
                        steps += [.copy(from: value, to: self.end(of: value)), .copy(from: key, to: key + 1)]
                    }
                } else {
                    words.append(self.words[place], (self.words[place + 1] >> 32) << 32)
                    steps.append(.copy(from: place + 2, to: inside))
                }
            }
        }
        return words
    }
}
