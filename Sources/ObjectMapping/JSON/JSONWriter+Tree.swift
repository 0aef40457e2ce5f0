extension JSONWriter {
    /// A value: numbers unchanged, keys in their order, nothing for an absent value.
    mutating func tree(_ json: JSON) {
        guard let children = JSONChildren(json) else { return scalar(json) }
        if open() { write(children, isEnclosed: true) } else { null() }
    }

    /// The members of an object, into the object that is open.
    mutating func members(_ object: JSONObject) {
        if let members = JSONChildren(object.json) { write(members, isEnclosed: false) }
    }

    /// The elements of an array or the members of an object that is open.
    private mutating func write(_ children: JSONChildren, isEnclosed: Bool) {
        var opened = [(children: children, start: count)]
        while let last = opened.indices.last {
            guard let value = opened[last].children.next(keyInto: &self) else {
                let (children, start) = opened.removeLast()
                if last == 0, !isEnclosed { return }
                if children.isObject { closeObject(from: start) } else { closeArray(from: start) }
                continue
            }
            guard let inner = JSONChildren(value) else {
                scalar(value)
                continue
            }
            if open() { opened.append((inner, count)) } else { null() }
        }
    }

    @inline(__always) private mutating func scalar(_ json: JSON) {
        switch json.storage {
        case .absent, .array, .object: break
        case .null: null()
        case .bool(let value): bool(value)
        case .integer(let value): integer(value)
        case .number(let text): raw(text)
        case .string(let text): string(text)
        case .parsed(let tape, let place): token(place, of: tape.tokens)
        }
    }

    /// A string or number of a text.
    @inline(__always) fileprivate mutating func token(_ place: Int, of tokens: Tokens) {
        let token = tokens.token(place)
        if token.kind == .escapedString { return string(token.string(in: tokens.text)) }
        buffer.append(tokens.text + token.offset, token.length(in: tokens.text) + (token.isString ? 2 : 0))
    }
}

extension JSONChildren {
    /// The next child, after writing what comes before it: the comma, and its key.
    @inline(__always) fileprivate mutating func next(keyInto writer: inout JSONWriter) -> JSON? {
        guard position < end else { return nil }
        switch source {
        case .tree(let tree) where isObject: writer.key(tree.keys[position])
        case .tape(let tape) where isObject:
            writer.comma()
            writer.token(position, of: tape.tokens)
            writer.buffer.append(.colon)
        default: writer.comma()
        }
        return next()
    }
}
