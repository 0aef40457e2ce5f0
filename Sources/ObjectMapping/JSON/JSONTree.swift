import Synchronization

/// The elements of an array, or the members of an object, that was created in code.
// Unchecked: immutable except in `deinit`; the mutex guards the index.
final class JSONTree: @unchecked Sendable {
    /// Up to this number of members, a linear search is as fast as an index.
    private static let indexThreshold = 16

    /// The keys of an object; empty for an array.
    let keys: [String]
    private(set) var values: [JSON]
    private let index = Mutex<[ExactText: Int]?>(nil)

    /// Shared, because each decode without metadata needs an empty object.
    static let empty = JSONTree([])

    init(_ values: [JSON], keys: [String] = []) {
        self.keys = keys
        self.values = values
    }

    /// Releases nested values of any depth without recursion.
    deinit {
        var pending = values.compactMap(\.tree)
        guard !pending.isEmpty else { return }
        values = []
        while var tree = pending.popLast() {
            // A tree with other owners is released by them.
            guard isKnownUniquelyReferenced(&tree) else { continue }
            pending += tree.values.compactMap(\.tree)
            tree.values = []
        }
    }

    /// Returns the position of a key; `nil` if the object does not contain it.
    func position(of key: String) -> Int? {
        if keys.count > Self.indexThreshold { return indexed(key) }
        let key = ExactText(text: key)
        for (position, other) in keys.enumerated() where ExactText(text: other) == key { return position }
        return nil
    }

    private func indexed(_ key: String) -> Int? {
        index.withLock { index in
            if index == nil {
                index = Dictionary(
                    keys.enumerated().map { (ExactText(text: $1), $0) }, uniquingKeysWith: { _, last in last })
            }
            return index?[ExactText(text: key)]
        }
    }
}

/// An iterator over the elements of an array, or the members of an object.
struct JSONChildren: IteratorProtocol {
    enum Source {
        case tape(TokenTape)
        case tree(JSONTree)
    }

    let source: Source
    /// The place of the next child on the tape, or its index in the tree.
    private(set) var position: Int
    let end: Int
    let count: Int
    let isObject: Bool

    /// `nil` if the value is not an array or object.
    init?(_ json: JSON) {
        switch json.storage {
        case .array(let tree): self.init(tree, isObject: false)
        case .object(let tree): self.init(tree, isObject: true)
        case .parsed(let tape, let place) where tape.tokens.token(place).isContainer: self.init(tape, place)
        default: return nil
        }
    }

    init(_ tree: JSONTree, isObject: Bool) {
        source = .tree(tree)
        position = 0
        count = tree.values.count
        end = count
        self.isObject = isObject
    }

    init(_ tape: TokenTape, _ place: Int) {
        source = .tape(tape)
        position = place + 2
        end = tape.tokens.end(of: place)
        count = tape.tokens.memberCount(place)
        isObject = tape.tokens.token(place).kind == .object
    }

    /// Returns the next element, or the value of the next member.
    mutating func next() -> JSON? {
        guard position < end else { return nil }
        switch source {
        case .tree(let tree):
            defer { position += 1 }
            return tree.values[position]
        case .tape(let tape):
            let place = isObject ? position + 1 : position
            position = tape.tokens.end(of: place)
            return tape.value(at: place)
        }
    }

    /// Returns the place of the next element; `nil` at the end, and if it is not on a tape.
    mutating func nextPlace() -> (TokenTape, Int)? {
        guard case .tape(let tape) = source, position < end else { return nil }
        defer { position = tape.tokens.end(of: position) }
        return (tape, position)
    }

    /// Returns the next member of an object.
    mutating func nextMember() -> JSONObject.Element? {
        let position = position
        guard let value = next() else { return nil }
        return switch source {
        case .tree(let tree): (tree.keys[position], value)
        case .tape(let tape): (tape.tokens.string(position) ?? "", value)
        }
    }
}

extension JSONWriter {
    /// Writes a value with unchanged numbers and order of keys; an absent value writes nothing.
    mutating func tree(_ json: JSON) {
        guard let children = JSONChildren(json) else { return scalar(json) }
        if open() { write(children, isEnclosed: true) } else { null() }
    }

    /// Writes the members of an object into the open object.
    mutating func members(_ object: JSONObject) {
        if let members = JSONChildren(object.json) { write(members, isEnclosed: false) }
    }

    /// Writes the elements of an array or the members of an object that is open.
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

    /// Writes a string or number of a text.
    @inline(__always) fileprivate mutating func token(_ place: Int, of tokens: Tokens) {
        let token = tokens.token(place)
        if token.kind == .escapedString { return string(token.string(in: tokens.text)) }
        buffer.append(tokens.text + token.offset, token.length(in: tokens.text) + (token.isString ? 2 : 0))
    }
}

extension JSONChildren {
    /// Returns the next child, after writing the comma and its key.
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
