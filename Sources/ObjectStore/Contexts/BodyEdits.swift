import ObjectMapping

/// An edited property, with the value that the server has.
struct Edit {
    let object: ManagedObject
    let property: PropertyIndex
    let earlier: StoredValue

    private var type: ManagedClass? { object.core?.entity(of: object).type }

    /// Whether the property has another value now.
    var isChange: Bool {
        guard let type else { return false }
        switch property {
        case .attribute(let index): return type.attributes[index].storedValue(of: object) != earlier
        case .relationship(let index):
            let row = type.relationships[index].row(of: object)
            return row >= 0 && row != earlier.integer ?? 0
        }
    }

    /// Assigns the earlier value, and returns a closure that assigns the current one again.
    private func revert() -> () -> Void {
        guard let type else { return {} }
        switch property {
        case .attribute(let index):
            let restore = type.attributes[index].keep(object)
            _ = type.attributes[index].load(earlier, into: object)
            return restore
        case .relationship(let index):
            let (relationship, row) = (type.relationships[index], type.relationships[index].row(of: object))
            relationship.setRow(earlier.integer ?? 0, of: object)
            return { relationship.setRow(row, of: object) }
        }
    }

    private static func reverting<Result>(_ edits: some Sequence<Edit>, _ body: () -> Result) -> Result {
        let restorations = edits.map { $0.revert() }
        defer { for restore in restorations.reversed() { restore() } }
        return body()
    }

    /// Returns the edits that make a difference to a body.
    ///
    /// - Parameters:
    ///   - complete: The body with all of them.
    ///   - body: Returns the body with the current values.
    static func written(_ edits: [Edit], in complete: JSON, _ body: () -> JSON?) -> [Edit] {
        guard !edits.isEmpty, reverting(edits, body) != complete else { return [] }
        let known = edits.count > 16 ? located(edits, in: complete, body) : []
        let others = edits.indices.filter { !known.contains($0) }.map { edits[$0] }
        return known.sorted().map { edits[$0] } + searched(others[...]) { body() != complete }
    }

    /// Tries all edits together, and then the halves of those that make a difference.
    private static func searched(_ edits: ArraySlice<Edit>, _ isOther: () -> Bool) -> [Edit] {
        guard !edits.isEmpty, reverting(edits, isOther) else { return [] }
        guard edits.count > 1 else { return Array(edits) }
        let middle = edits.startIndex + edits.count / 2
        return searched(edits[..<middle], isOther) + searched(edits[middle...], isOther)
    }

    /// Returns the indexes of the edits that alone change a value of the body.
    ///
    /// A body for each edit would take a time that grows with the square of their number. Here, the body is written without
    /// the edits in whose index a bit is 1, and without those in which it is 0, for each bit: a value that only one edit changes
    /// has changed in one of the two, which is the bit of its index.
    private static func located(_ edits: [Edit], in complete: JSON, _ body: () -> JSON?) -> Set<Int> {
        var changed: [String: (ones: Int, zeros: Int)] = [:]
        let bits = Int.bitWidth - (edits.count - 1).leadingZeroBitCount
        for bit in 0..<bits {
            for isOne in [true, false] {
                let group = edits.indices.lazy.filter { ($0 >> bit & 1 == 1) == isOne }.map { edits[$0] }
                guard let other = reverting(group, body) else { return [] }
                complete.visitDifferences(from: other, at: "") { path in
                    if isOne {
                        changed[path, default: (0, 0)].ones |= 1 << bit
                    } else {
                        changed[path, default: (0, 0)].zeros |= 1 << bit
                    }
                }
            }
        }
        let all = (1 << bits) - 1
        return Set(
            changed.values.compactMap { bits in
                bits.ones & bits.zeros == 0 && bits.ones | bits.zeros == all && bits.ones < edits.count
                    ? bits.ones : nil
            })
    }
}

extension JSON {
    /// Calls a closure with the position of each value that differs.
    fileprivate func visitDifferences(from other: JSON, at path: String, _ visit: (String) -> Void) {
        if let (elements, others) = array.flatMap({ own in other.array.map { (own, $0) } }),
            elements.count == others.count
        {
            for (index, (element, other)) in zip(elements, others).enumerated() {
                element.visitDifferences(from: other, at: "\(path)/\(index)", visit)
            }
        } else if let (members, others) = object.flatMap({ own in other.object.map { (own, $0) } }),
            members.count == others.count, zip(members, others).allSatisfy({ $0.key == $1.key })
        {
            for (member, other) in zip(members, others) {
                member.value.visitDifferences(from: other.value, at: "\(path)/\(member.key)", visit)
            }
        } else if self != other {
            visit(path)
        }
    }
}
