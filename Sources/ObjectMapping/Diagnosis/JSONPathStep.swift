/// One step of a path through a document.
package enum JSONPathStep: Sendable, Hashable {
    case key(String)
    case index(Int)
}

extension [JSONPathStep] {
    /// The path as it is written in messages: `$.tasks[3].name`, with quotes around keys that are no plain names.
    ///
    /// Of a path of more than 64 steps the middle is left out, and of a key of more than 128 scalars the end.
    package var text: String {
        guard count > 64 else { return "$" + map(\.text).joined() }
        return "$" + prefix(24).map(\.text).joined() + "…" + suffix(24).map(\.text).joined()
    }
}

extension [JSONPathStep] {
    /// The path of all elements of the arrays on its way: `$.tasks[*].name`.
    var generalText: String {
        "$" + map { if case .index = $0 { "[*]" } else { $0.text } }.joined()
    }
}

extension JSONPathStep {
    /// The longest key that is written whole, in scalars.
    private static var longestKey: Int { 128 }
    /// Bytes of a string that hold one scalar more, however it is escaped.
    static var bytesOfKey: Int { (longestKey + 1) * 12 }

    /// The same step in a path's text, without what is not written of its key.
    var shortened: JSONPathStep {
        guard case .key(let key) = self, key.utf8.count > JSONPathStep.bytesOfKey else { return self }
        return .key(String(key.unicodeScalars.prefix(JSONPathStep.longestKey + 1)))
    }

    fileprivate var text: String {
        switch self {
        case .index(let index): "[\(index)]"
        case .key(let key)
        where 1...JSONPathStep.longestKey ~= key.unicodeScalars.count && key.unicodeScalars.allSatisfy(\.isPlain):
            ".\(key)"
        case .key(let key) where key.unicodeScalars.count > JSONPathStep.longestKey:
            "[\(JSONText.quoted(String(key.unicodeScalars.prefix(96)) + "…"))]"
        case .key(let key): "[\(JSONText.quoted(key))]"
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isPlain: Bool {
        switch self {
        case "_", "-", "@", "0"..."9", "a"..."z", "A"..."Z": true
        default: value >= 0x80 && properties.isAlphabetic
        }
    }
}
