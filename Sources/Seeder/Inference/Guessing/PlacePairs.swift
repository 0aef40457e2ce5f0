/// Excludes pairs of places that cannot contain objects of the same entity, before their names and keys are compared.
///
/// There can be two million pairs, so only numbers are compared here.
struct PlacePairs {
    private let isSource: [Bool]
    private let lastWords: [Int]
    private let identityKeys: [Int?]
    private let parents: [Int?]
    private let keySets: [Int]
    private let distinctKeySets: [Set<String>]
    /// For each pair of key sets, whether one is a subset of the other; `nil` until they are compared.
    private var arePartsKnown: [Bool?]

    init(_ nodes: [ShapeNode]) {
        isSource = nodes.map(\.isSource)
        lastWords = PlacePairs.numbers(of: nodes.map(\.lastWord))
        identityKeys = zip(nodes, PlacePairs.numbers(of: nodes.map(\.identityKey))).map {
            $0.identityKey == nil ? nil : $1
        }
        parents = nodes.map(\.parent)
        keySets = PlacePairs.numbers(of: nodes.map(\.keys))
        var distinct: [Set<String>] = []
        for (node, number) in zip(nodes, keySets) where number == distinct.count { distinct.append(node.keys) }
        distinctKeySets = distinct
        arePartsKnown = Array(repeating: nil, count: distinct.count * distinct.count)
    }

    /// Whether two places, in order, can contain objects of the same entity.
    mutating func mayBeSame(_ one: Int, _ other: Int) -> Bool {
        if lastWords[one] == lastWords[other] { return true }
        if isSource[one], isSource[other] { return false }
        if let parent = parents[one], parent == parents[other] { return true }
        if let key = identityKeys[one], key == identityKeys[other], areParts(keySets[one], keySets[other]) {
            return true
        }
        return isAncestor(one, of: other)
    }

    /// Whether the objects of one place are nested in those of another one, at any depth.
    func isAncestor(_ one: Int, of other: Int) -> Bool {
        var index = parents[other]
        while let parent = index {
            if parent == one { return true }
            index = parents[parent]
        }
        return false
    }

    private mutating func areParts(_ one: Int, _ other: Int) -> Bool {
        let pair = one * distinctKeySets.count + other
        if let known = arePartsKnown[pair] { return known }
        let (first, second) = (distinctKeySets[one], distinctKeySets[other])
        let result = first.isSubset(of: second) || second.isSubset(of: first)
        arePartsKnown[pair] = result
        return result
    }

    /// Returns a number for each distinct value, in the order of appearance.
    private static func numbers<Value: Hashable>(of values: [Value]) -> [Int] {
        var known: [Value: Int] = [:]
        return values.map { value in
            let number = known[value, default: known.count]
            known[value] = number
            return number
        }
    }
}
