extension JSON {
    /// A missing value; unlike null, it does not occur in text.
    static let absent = JSON(.absent)

    /// The value of a key; absent if the object does not contain the key, or if this is not an object.
    ///
    /// Setting adds or replaces a member, or removes it if the new value is absent. Null and absent values are replaced
    /// with an object; values of other kinds are unchanged.
    ///
    /// - Complexity: O(1) on average to read, O(*n*) in the number of members to set. The first read from an object of
    ///   more than 16 members is O(*n*).
    public subscript(key: String) -> JSON {
        get { object?[key] ?? .absent }
        set {
            guard object != nil || isNull || !exists else { return }
            var members = object.map(Array.init) ?? []
            let name = ExactText(text: key)
            switch (members.firstIndex { ExactText(text: $0.key) == name }, newValue.exists) {
            case (let position?, true): members[position].value = newValue
            case (let position?, false): members.remove(at: position)
            case (nil, true): members.append((key, newValue))
            case (nil, false): return
            }
            self = JSONObject(unique: members).json
        }
    }

    /// The element at an index; absent if the index is out of bounds, or if this is not an array.
    ///
    /// Setting replaces an element, appends one at the index after the last, or removes one if the new value is absent;
    /// at other indexes it has no effect.
    ///
    /// - Complexity: O(1) to read, O(*n*) in the number of elements to set. The first read from a parsed array of more
    ///   than 32 elements is O(*n*).
    public subscript(index: Int) -> JSON {
        get {
            switch storage {
            case .array(let tree) where tree.values.indices.contains(index): return tree.values[index]
            case .parsed(let tape, let place) where tape.tokens.token(place).kind == .array:
                guard 0..<tape.tokens.memberCount(place) ~= index else { return .absent }
                return tape.value(at: tape.child(index, of: place))
            default: return .absent
            }
        }
        set {
            guard var elements = array, 0...elements.count ~= index else { return }
            switch (index < elements.count, newValue.exists) {
            case (true, true): elements[index] = newValue
            case (true, false): elements.remove(at: index)
            case (false, true): elements.append(newValue)
            case (false, false): return
            }
            self = JSON(.array(JSONTree(elements)))
        }
    }

    /// The value at a key path; absent if the path is unresolved or invalid.
    ///
    /// `value(at:)` throws the reason.
    public subscript(at path: JSONKeyPath) -> JSON { (try? value(at: path)) ?? .absent }
}

/// Reads and writes single JSON tokens.
package enum JSONText {
    /// Returns a string in quotes, with the escapes required by RFC 8259: quotes, backslashes and control characters.
    package static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return writer.text
    }

    /// Returns an array of strings.
    package static func array(_ texts: [String]) -> String {
        var writer = JSONWriter()
        guard writer.open() else { return "[]" }
        for text in texts {
            writer.comma()
            writer.string(text)
        }
        writer.closeArray(from: 0)
        return writer.text
    }

    /// Appends a string in quotes.
    static func append(_ text: ByteView, to buffer: inout ByteBuffer) {
        var writer = JSONWriter()
        writer.string(text)
        writer.withBytes { buffer.append($0) }
    }

    /// Returns the text of a string without its quotes; invalid escapes and UTF-8 are replaced with U+FFFD.
    package static func unescaped(_ bytes: some Collection<UInt8>) -> String {
        guard bytes.contains(.backslash) else { return String(decoding: bytes, as: UTF8.self) }
        var buffer = ByteBuffer(capacity: bytes.count)
        ([UInt8](bytes) + [.quote] + Array(repeating: 0, count: Bytes.padding)).withView { padded in
            guard var place = Bytes(padded) else { return }
            let end = place + bytes.count
            while case let (error, stop) = unescapeContents(place, into: &buffer), error < end {
                switch stop {
                case .invalidUTF8, .invalidEscape: buffer.append("\u{FFFD}".utf8)
                case .quote, .control: buffer.append(error.pointee)
                }
                place = error + 1
            }
        }
        return makeString(buffer.text, buffer.count)
    }

    /// Returns a valid text without whitespace between its tokens.
    package static func withoutBlanks(_ text: [UInt8]) -> [UInt8] {
        var buffer = ByteBuffer(capacity: text.count)
        text.withView { buffer.append(withoutBlanks: $0) }
        return Array(buffer.text.raw(buffer.count))
    }
}
