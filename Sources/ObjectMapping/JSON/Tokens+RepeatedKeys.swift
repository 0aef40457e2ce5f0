extension Tokens {
    /// The members that count of each object that repeats a key, as places of keys and values.
    typealias KeptMembers = [Int: [(key: Int, value: Int)]]

    /// The objects among some that repeat a key.
    func repeatedKeys(of suspects: [Int]) -> KeptMembers {
        var found: KeptMembers = [:]
        for object in suspects {
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

    /// The tokens of a value with only some members of some objects.
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
