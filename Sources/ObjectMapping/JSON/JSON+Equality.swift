extension JSON: Hashable {
    /// Whether the values are equal: numbers by value, strings by scalars, objects in any order.
    ///
    /// - Complexity: O(*n*).
    public static func == (a: JSON, b: JSON) -> Bool {
        guard let children = JSONChildren(a) else { return isSameScalar(a, b) }
        guard let pairs = ChildPairs(children, b) else { return false }
        // The remaining pairs of the open containers.
        var open = [pairs]
        while let last = open.indices.last {
            guard let (a, b) = open[last].next() else {
                open.removeLast()
                continue
            }
            guard let b else { return false }
            if let children = JSONChildren(a) {
                guard let pairs = ChildPairs(children, b) else { return false }
                open.append(pairs)
            } else if !isSameScalar(a, b) {
                return false
            }
        }
        return true
    }

    private static func isSameScalar(_ a: JSON, _ b: JSON) -> Bool {
        if let a = a.string { return b.string.map { ExactText(text: a) == ExactText(text: $0) } ?? false }
        return switch (a.storage, b.storage) {
        case (.absent, .absent), (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        default: a.number.map { $0 == b.number } ?? false
        }
    }

    /// Hashes the value.
    ///
    /// - Complexity: O(*n*).
    public func hash(into hasher: inout Hasher) {
        guard let children = JSONChildren(self) else { return hashScalar(into: &hasher) }
        // The sum of the hashes of all scalars with their paths, which does not depend on the order of keys.
        var sum = children.count
        var open: [(children: JSONChildren, way: Int, index: Int)] = [(children, 0, 0)]
        while !open.isEmpty {
            let last = open.count - 1
            var hasher = Hasher()
            hasher.combine(open[last].way)
            let isObject = open[last].children.isObject
            let member = isObject ? open[last].children.nextMember() : open[last].children.next().map { ("", $0) }
            guard let (key, value) = member else {
                open.removeLast()
                continue
            }
            if isObject { hasher.combine(ExactText(text: key)) } else { hasher.combine(open[last].index) }
            open[last].index += 1
            if let children = JSONChildren(value) {
                hasher.combine(children.count)
                let way = hasher.finalize()
                sum &+= way
                open.append((children, way, 0))
            } else {
                value.hashScalar(into: &hasher)
                sum &+= hasher.finalize()
            }
        }
        hasher.combine(sum)
    }

    private func hashScalar(into hasher: inout Hasher) {
        if let text = string { return hasher.combine(ExactText(text: text)) }
        switch storage {
        case .null: hasher.combine(1)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        default:
            guard let number else { return hasher.combine(0) }
            if let value = number.integer(Int64.self) { hasher.combine(value) } else { hasher.combine(number) }
        }
    }
}

/// The children of two arrays or objects, by index or key.
private struct ChildPairs {
    private var children: JSONChildren
    private var others: JSONChildren
    /// The second object.
    private let object: JSONObject?

    /// `nil` if the values have different kinds, or different numbers of children.
    init?(_ children: JSONChildren, _ json: JSON) {
        guard let others = JSONChildren(json), children.count == others.count, children.isObject == others.isObject
        else { return nil }
        self.children = children
        self.others = others
        object = json.object
    }

    /// Returns the next child and its counterpart, which is `nil` if it is missing; `nil` at the end.
    mutating func next() -> (JSON, JSON?)? {
        if let object { return children.nextMember().map { ($0.value, object[$0.key]) } }
        return children.next().map { ($0, others.next()) }
    }
}

/// The kind of a JSON value.
public enum JSONKind: String, Sendable, CaseIterable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean
    /// A number, with or without a fraction.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object.
    case object

    /// Creates the kind of a valid value from its first byte.
    init(of place: Bytes) {
        self =
            switch place.pointee {
            case .openBrace: .object
            case .openBracket: .array
            case .quote: .string
            case UInt8(ascii: "n"): .null
            case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
            default: .number
            }
    }

    /// Creates the kind of a value; an absent value counts as null.
    init(of json: JSON) { self = json.kind ?? .null }

    /// The kind with its article, for messages.
    var name: String {
        switch self {
        case .null: "null"
        case .array, .object: "an \(rawValue)"
        case .boolean, .number, .string: "a \(rawValue)"
        }
    }
}
