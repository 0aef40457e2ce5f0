/// A place in a text.
package struct TextPosition: Sendable, Hashable {
    /// From 1.
    package var line: Int
    /// From 1, in Unicode scalars.
    package var column: Int
    /// In bytes from the start of the text.
    package var offset: Int

    package init(line: Int = 1, column: Int = 1, offset: Int = 0) {
        self.line = line
        self.column = column
        self.offset = offset
    }
}

/// One step of a path through a document.
package enum JSONPathStep: Sendable, Hashable {
    case key(String)
    case index(Int)
}

extension [JSONPathStep] {
    /// The path as it is written in messages: `$.tasks[3].name`, with quotes around keys that are no plain names.
    package var text: String {
        reduce(into: "$") { text, step in
            switch step {
            case .index(let index): text += "[\(index)]"
            case .key(let key) where !key.isEmpty && key.utf8.allSatisfy(isPlain): text += ".\(key)"
            case .key(let key): text += "[\(JSONText.quoted(key))]"
            }
        }
    }
}

private func isPlain(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "@") || byte >= 0x80
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
}
