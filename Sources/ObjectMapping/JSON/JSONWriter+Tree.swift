extension JSONWriter {
    /// A tree: numbers as they stood, keys in their order, nothing for an absent value.
    mutating func tree(_ json: JSON) {
        switch json.content {
        case .absent, .document: break
        case .null: null()
        case .bool(let value): bool(value)
        case .integer(let value): integer(value)
        case .number(let text): raw(text)
        case .string(let text): string(text)
        case .array(let elements):
            guard open() else { return null() }
            let start = count
            for element in elements {
                comma()
                tree(element)
            }
            closeArray(from: start)
        case .object(let object):
            guard open() else { return null() }
            let start = count
            members(object)
            closeObject(from: start)
        }
    }

    /// The members of a tree, into the object that is open.
    mutating func members(_ object: JSONObject) {
        for (key, value) in object {
            self.key(key)
            tree(value)
        }
    }
}
