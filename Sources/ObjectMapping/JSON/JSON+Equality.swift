extension JSON: Hashable {
    /// Whether the values are the same: numbers by value, strings by scalars, objects in whatever order.
    public static func == (a: JSON, b: JSON) -> Bool {
        // The most frequent case of keys and of values that are told apart.
        if case .string(let a) = a.storage, case .string(let b) = b.storage {
            return ExactText(text: a) == ExactText(text: b)
        }
        return switch (a.content, b.content) {
        case (.absent, .absent), (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.integer(let a), .number(let b)), (.number(let b), .integer(let a)): NumberText(b).integer() == a
        case (.number(let a), .number(let b)): a == b || NumberText(a) == NumberText(b)
        case (.string(let a), .string(let b)): ExactText(text: a) == ExactText(text: b)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }

    /// Feeds the value to a hasher.
    public func hash(into hasher: inout Hasher) {
        switch content {
        case .absent, .document: hasher.combine(0)
        case .null: hasher.combine(1)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .number(let text):
            let number = NumberText(text)
            if let value = number.integer(Int64.self) { hasher.combine(value) } else { hasher.combine(number) }
        case .string(let text): hasher.combine(ExactText(text: text))
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }
}
