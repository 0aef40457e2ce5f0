/// Finds the values of a payload from which a key path computed a value, to locate findings in the result.
struct ValueOrigin {
    private let tape: TokenTape
    private let root: Int
    private let keys: [String]
    /// The first steps to each value that an operator collected or selected; `nil` without an operator.
    private let operands: [[JSONPathStep]]?
    /// Whether the operator selected one of its values.
    private let isChoice: Bool

    /// - Parameters:
    ///   - tree: The value of the payload.
    ///   - path: A key path below it, with at most one operator.
    ///   - value: The computed value.
    /// - Returns: `nil` if the parts of the value have no positions.
    init?(_ tree: JSON, _ path: JSONKeyPath, _ value: JSON) {
        guard case .parsed(let tape, let root) = tree.storage else { return nil }
        (self.tape, self.root) = (tape, root)
        keys = path.components.compactMap(\.key)
        guard keys.count < path.components.count else {
            (operands, isChoice) = (nil, false)
            return
        }
        let first = path.components.prefix { $0.key != nil }
        guard keys.count == path.components.count - 1, case .collection(let collection) = path.components[first.count],
            let collected = try? tree.value(at: first)
        else { return nil }
        isChoice = collection == .min || collection == .max
        operands = collected.operands(of: collection, at: path.components[(first.count + 1)...], value)
    }

    /// Moves a finding in the computed value to the value of the payload.
    ///
    /// - Parameters:
    ///   - steps: The path of the finding in the computed value.
    ///   - hasPlaces: Whether the payload's value, where the finding is, has positions.
    ///   - source: The key path of the rule that reads the computed value, if the finding belongs to that rule.
    func locate(
        _ finding: inout Finding, at steps: [JSONPathStep], hasPlaces: Bool, source: JSONKeyPath?
    ) {
        guard let steps = original(steps) else { return }
        let origin = follow(steps)
        finding.move(
            by: tape.tokens.token(origin.place).offset - tape.tokens.token(root).offset, hasPlaces: hasPlaces)
        guard finding.found == "null" else { return }
        if let key = origin.missingKey { (finding.found, finding.below) = ("no such key", [.key(key)]) }
        guard let source, source.components.count >= keys.count, operands == nil, steps.count == 1,
            let array = origin.keysBeforeArray
        else { return }
        var union = source.components
        union.insert(.collection(.unionOfObjects), at: union.count - keys.count + array)
        finding.suggestions = [JSONKeyPath(union).description]
    }

    /// Returns the indexes of a part of the computed value, and the steps after the key path.
    private func original(_ steps: [JSONPathStep]) -> [JSONPathStep]? {
        guard let operands else { return steps }
        if isChoice { return operands.first.map { $0 + steps } }
        guard case .index(let index)? = steps.first else { return nil }
        return operands.indices.contains(index) ? operands[index] + steps.dropFirst() : nil
    }

    /// Follows the key path, with the indexes of arrays in it, as far as it is resolved.
    private func follow(
        _ steps: [JSONPathStep]
    ) -> (place: Int, missingKey: String?, keysBeforeArray: Int?) {
        var (keys, steps) = (keys[...], steps[...])
        var (place, keysBeforeArray) = (root, Int?.none)
        while true {
            switch (tape.tokens.token(place).kind, steps.first) {
            case (.array, .index(let index)?) where index < tape.tokens.memberCount(place):
                keysBeforeArray = keysBeforeArray ?? self.keys.count - keys.count
                steps.removeFirst()
                place = tape.child(index, of: place)
            case (.object, let step):
                let isInside = keys.isEmpty
                guard let key = isInside ? step?.key : keys.removeFirst() else { return (place, nil, keysBeforeArray) }
                if isInside { steps.removeFirst() }
                guard let member = tape.member(key, of: place) else { return (place, key, keysBeforeArray) }
                place = member
            default: return (place, nil, keysBeforeArray)
            }
        }
    }
}

extension JSON {
    /// Returns the steps to the elements that an operator collected or selected.
    fileprivate func operands(
        of collection: CollectionOperator, at path: ArraySlice<JSONKeyPath.Component>, _ result: JSON
    ) -> [[JSONPathStep]] {
        var operands: [[JSONPathStep]] = []
        var seen: Set<JSON> = []
        for (index, element) in (array ?? []).enumerated() {
            guard let leaf = try? element.value(at: path), leaf.isPresent else { continue }
            switch collection {
            case .count, .sum, .avg: return []
            case .min, .max: if leaf == result { return [[.index(index)]] }
            case .unionOfObjects: operands.append([.index(index)])
            case .distinctUnionOfObjects: if seen.insert(leaf).inserted { operands.append([.index(index)]) }
            case .unionOfArrays, .unionOfSets, .distinctUnionOfArrays, .distinctUnionOfSets:
                let isDistinct = collection == .distinctUnionOfArrays || collection == .distinctUnionOfSets
                for (inner, value) in (leaf.array ?? []).enumerated() where value.isPresent {
                    if !isDistinct || seen.insert(value).inserted { operands.append([.index(index), .index(inner)]) }
                }
            }
        }
        return operands
    }
}
