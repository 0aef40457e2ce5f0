import ObjectMapping

/// A value of a document as a plain tree: every member in order, with its position.
struct PlainNode {
    indirect enum Kind {
        case null
        case bool(Bool)
        case number(String)
        case string(String)
        case array([PlainNode])
        case object([Member])
    }

    struct Member {
        var key: String
        var keyOffset: Int
        var value: PlainNode
    }

    /// The start of a value, and its path.
    struct Place: Equatable {
        var offset: Int
        var path: [JSONPathStep]
    }

    var kind: Kind
    /// nil for values that are not in a document, such as the list that a key path makes of an array's elements.
    var place: Place?

    var isNull: Bool { if case .null = kind { true } else { false } }
    var isObject: Bool { if case .object = kind { true } else { false } }
    var array: [PlainNode]? { if case .array(let elements) = kind { elements } else { nil } }
    var number: PlainNumber? { if case .number(let text) = kind { PlainNumber(text) } else { nil } }

    /// The same with each key once: the last value of a repeated key at the position of the first.
    var deduplicated: PlainNode {
        switch kind {
        case .array(let elements): return PlainNode(kind: .array(elements.map(\.deduplicated)), place: place)
        case .object(let members):
            var kept: [Member] = []
            for member in members {
                if let index = kept.firstIndex(where: { $0.key.utf8.elementsEqual(member.key.utf8) }) {
                    kept[index].value = member.value.deduplicated
                } else {
                    kept.append(Member(key: member.key, keyOffset: member.keyOffset, value: member.value.deduplicated))
                }
            }
            return PlainNode(kind: .object(kept), place: place)
        default: return self
        }
    }

    /// The value as text without whitespace.
    var text: String {
        switch kind {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let text): text
        case .string(let text): JSONText.quoted(text)
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONText.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
        }
    }

    /// The same text for equal values: numbers by value, objects in any order.
    var identity: String {
        switch kind {
        case .number(let text): PlainNumber(text).description
        case .array(let elements): "[" + elements.map(\.identity).joined(separator: ",") + "]"
        case .object(let members):
            // By bytes: for Swift, keys with canonically equivalent characters are equal and have no order.
            "{"
                + members.map { JSONText.quoted($0.key) + ":" + $0.value.identity }
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: ",") + "}"
        default: text
        }
    }
}
