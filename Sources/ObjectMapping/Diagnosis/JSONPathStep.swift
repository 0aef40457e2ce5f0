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

extension JSONPathStep {
    fileprivate var text: String {
        switch self {
        case .index(let index): "[\(index)]"
        case .key(let key) where 1...128 ~= key.unicodeScalars.count && key.unicodeScalars.allSatisfy(\.isPlain):
            ".\(key)"
        case .key(let key) where key.unicodeScalars.count > 128:
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
