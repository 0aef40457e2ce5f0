import ObjectMapping

/// A value that an operator cannot use.
struct ReferenceMismatch: Error {
    /// Its position; nil for a value that is not in a document.
    var place: PlainNode.Place?
}

extension PlainNode {
    /// The value at a key path; nil if it is absent.
    func value(at path: ArraySlice<JSONKeyPath.Component>) throws(ReferenceMismatch) -> PlainNode? {
        switch path.first {
        case nil: return self
        case .key(let key)?: return try member(key)?.value(at: path.dropFirst())
        case .collection(let operation)?: return try result(of: operation, path.dropFirst())
        }
    }

    private func member(_ key: String) -> PlainNode? {
        switch kind {
        case .null: return self
        case .object(let members): return members.last { $0.key.utf8.elementsEqual(key.utf8) }?.value
        case .array(let elements):
            let found = elements.map { $0.member(key) }
            if !elements.isEmpty, found.allSatisfy({ $0 == nil }) { return nil }
            let members = zip(elements, found).map { $1 ?? $0.absent(key) }
            return PlainNode(kind: .array(members), place: place)
        default: return nil
        }
    }

    /// The null for an absent member, with the position of its object.
    private func absent(_ key: String) -> PlainNode {
        let place = place.map { Place(offset: $0.offset, path: isObject ? $0.path + [.key(key)] : $0.path) }
        return PlainNode(kind: .null, place: place)
    }

    private func result(
        of operation: CollectionOperator, _ rest: ArraySlice<JSONKeyPath.Component>
    ) throws(ReferenceMismatch) -> PlainNode? {
        func made(_ kind: Kind) -> PlainNode { PlainNode(kind: kind, place: nil) }
        func integer(_ value: Int128) -> PlainNode { made(.number("\(value)")) }
        if isNull { return self }
        if operation == .count {
            if case .object(let members) = kind { return integer(Int128(members.count)) }
            return array.map { integer(Int128($0.count)) }
        }
        guard let array else { return nil }
        var all: [PlainNode?] = []
        for element in array { all.append(try element.value(at: rest)) }
        let leaves = all.compactMap { $0 }.filter { !$0.isNull }
        switch operation {
        case .count: return integer(Int128(all.count))
        case .sum, .avg:
            var integers: Int128 = 0
            var others: Double?
            for leaf in leaves {
                guard case .number(let text) = leaf.kind, let double = Double(text) else {
                    throw ReferenceMismatch(place: leaf.place)
                }
                if let value = PlainNumber(text).integer {
                    // Exact in 128 bits, what does not fit any more as Double.
                    let (sum, isOver) = integers.addingReportingOverflow(value)
                    if isOver { others = (others ?? 0) + Double(value) } else { integers = sum }
                } else if double.isFinite {
                    others = (others ?? 0) + double
                } else {
                    throw ReferenceMismatch(place: leaf.place)
                }
                if others?.isFinite == false { throw ReferenceMismatch(place: leaf.place) }
            }
            let divisor = operation == .sum ? 1 : Int128(all.count)
            if divisor == 0 { return integer(0) }
            if others == nil, integers % divisor == 0 { return integer(integers / divisor) }
            return made(.number("\((Double(integers) + (others ?? 0)) / Double(divisor))"))
        case .min, .max:
            var best: PlainNode?
            for leaf in leaves {
                let isBetter: Bool
                switch (leaf.kind, best?.kind) {
                case (.number, nil), (.string, nil): isBetter = true
                case (.number(let a), .number(let b)?):
                    let (a, b) = (PlainNumber(a), PlainNumber(b))
                    isBetter = operation == .min ? a < b : b < a
                case (.string(let a), .string(let b)?):
                    let (a, b) = (Array(a.unicodeScalars), Array(b.unicodeScalars))
                    isBetter =
                        operation == .min ? a.lexicographicallyPrecedes(b) : b.lexicographicallyPrecedes(a)
                default: throw ReferenceMismatch(place: leaf.place)
                }
                if isBetter { best = leaf }
            }
            return best ?? made(.null)
        case .unionOfObjects: return made(.array(leaves))
        case .distinctUnionOfObjects: return made(.array(Self.distinct(leaves)))
        case .unionOfArrays, .unionOfSets: return made(.array(try Self.joined(leaves)))
        case .distinctUnionOfArrays, .distinctUnionOfSets:
            return made(.array(Self.distinct(try Self.joined(leaves))))
        }
    }

    private static func distinct(_ values: [PlainNode]) -> [PlainNode] {
        // Texts are equal if their scalars are, other than those of Swift.
        var seen: Set<[UInt8]> = []
        return values.filter { seen.insert(Array($0.identity.utf8)).inserted }
    }

    private static func joined(_ leaves: [PlainNode]) throws(ReferenceMismatch) -> [PlainNode] {
        var all: [PlainNode] = []
        for leaf in leaves {
            guard let elements = leaf.array else { throw ReferenceMismatch(place: leaf.place) }
            all += elements.filter { !$0.isNull }
        }
        return all
    }
}
