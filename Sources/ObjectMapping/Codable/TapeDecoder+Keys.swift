extension TapeDecoder {
    /// The object's keys as the types know them, each once.
    var keys: [String] {
        if !keepsKeys, let index = lookup.index {
            return index.sorted { $0.value < $1.value }.map(\.key.text)
        }
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
