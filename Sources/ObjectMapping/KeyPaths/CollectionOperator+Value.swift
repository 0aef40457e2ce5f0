extension CollectionOperator {
    /// What the operator makes of the leaves of a collection, of which absent ones are nil.
    func value(of leaves: [JSON?]) throws(OperatorMismatch) -> JSON {
        switch self {
        case .count: return .integer(leaves.count)
        case .sum, .avg:
            var sum = NumberSum()
            for (index, leaf) in leaves.enumerated() where leaf?.isNull == false {
                guard let leaf, sum.add(leaf) else {
                    let isNumber = leaf?.isNumber ?? false
                    throw .of(leaf, at: index, expected: isNumber ? "a number within Double's range" : "a number")
                }
            }
            return self == .sum ? sum.json : sum.average(over: leaves.count)
        case .min, .max: return try extreme(of: leaves)
        case .unionOfObjects: return .array(leaves.compactMap(\.self).filter { !$0.isNull })
        case .distinctUnionOfObjects: return .array(Self.distinct(leaves.compactMap(\.self)))
        case .unionOfArrays, .unionOfSets: return .array(try Self.joined(leaves))
        case .distinctUnionOfArrays, .distinctUnionOfSets: return .array(Self.distinct(try Self.joined(leaves)))
        }
    }

    private func extreme(of leaves: [JSON?]) throws(OperatorMismatch) -> JSON {
        var best: JSON?
        for (index, leaf) in leaves.enumerated() {
            guard let leaf, !leaf.isNull else { continue }
            guard let current = best else {
                guard leaf.string != nil || leaf.isNumber else {
                    throw .of(leaf, at: index, expected: "a number or a string")
                }
                best = leaf
                continue
            }
            guard let isSmaller = leaf.isSmaller(than: current), let isLarger = current.isSmaller(than: leaf) else {
                throw .of(leaf, at: index, expected: "\(current.kindName), as before it")
            }
            if self == .min ? isSmaller : isLarger { best = leaf }
        }
        return best ?? .null
    }

    private static func distinct(_ values: [JSON]) -> [JSON] {
        var seen: Set<JSON> = []
        return values.filter { !$0.isNull && seen.insert($0).inserted }
    }

    private static func joined(_ leaves: [JSON?]) throws(OperatorMismatch) -> [JSON] {
        var all: [JSON] = []
        for (index, leaf) in leaves.enumerated() {
            guard let leaf, !leaf.isNull else { continue }
            guard let elements = leaf.array else { throw .of(leaf, at: index, expected: "an array") }
            all += elements.filter { !$0.isNull }
        }
        return all
    }
}

extension OperatorMismatch {
    static func of(_ leaf: JSON?, at index: Int, expected: String) -> OperatorMismatch {
        OperatorMismatch(at: index, expected: expected, found: leaf?.kindName ?? "nothing")
    }
}

extension JSON {
    /// Whether the value is a number.
    package var isNumber: Bool {
        switch content {
        case .integer, .number: true
        default: false
        }
    }

    /// The order of two numbers, by their exact values, or of two strings; nil if they have none.
    func isSmaller(than other: JSON) -> Bool? {
        switch (content, other.content) {
        case (.integer(let a), .integer(let b)): a < b
        case (.integer(let a), .number(let b)): NumberText(a) < NumberText(b)
        case (.number(let a), .integer(let b)): NumberText(a) < NumberText(b)
        case (.number(let a), .number(let b)): NumberText(a) < NumberText(b)
        case (.string(let a), .string(let b)): a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
        default: nil
        }
    }
}
