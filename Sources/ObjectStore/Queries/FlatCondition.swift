/// A condition in preorder: each group is followed by its members, so that readers loop instead of recursing.
///
/// Chains of one connective are balanced: a group has at most sixteen members.
struct FlatCondition {
    struct Step {
        let kind: QueryNode.Kind
        /// The index after the last step of a group, or after a test.
        fileprivate(set) var end: Int
    }

    private(set) var steps: [Step] = []
    /// The number of values that the tests compare with.
    private(set) var valueCount = 0

    private static let groupSize = 16
    private static let maximumOfTests = 1_000_000
    /// The parser of SQLite has a stack of 100 entries in versions before 3.46, of which a statement needs some.
    private static let maximumDepth = 86

    private enum Work {
        case node(QueryNode, depth: Int)
        case group(QueryNode.Kind, ArraySlice<QueryNode>, depth: Int)
        case end(of: Int)
    }

    /// Flattens a condition.
    ///
    /// - Throws: `StoreError`, if the condition is invalid, or if it is too long or too deep for SQLite.
    init(_ condition: QueryNode) throws(StoreError) {
        guard condition.count <= Self.maximumOfTests else {
            throw StoreError(
                .misuse, "the query has more than \(Self.maximumOfTests) conditions",
                advice: "compare with lists of values by isIn")
        }
        var work = [Work.node(condition, depth: 0)]
        while let next = work.popLast() {
            switch next {
            case .end(let index): steps[index].end = steps.count
            case .node(let node, let depth): try add(node, depth, &work)
            case .group(let kind, let members, let depth):
                work.append(.end(of: add(kind)))
                var size = 1
                while size * Self.groupSize < members.count { size *= Self.groupSize }
                for start in stride(from: members.startIndex, to: members.endIndex, by: size).reversed() {
                    let part = members[start..<min(start + size, members.endIndex)]
                    // The parser keeps an earlier member and its connective.
                    let depth = depth + (start == members.startIndex ? 1 : 3)
                    work.append(size == 1 ? .node(part[start], depth: depth) : .group(kind, part, depth: depth))
                }
            }
        }
    }

    private mutating func add(_ node: QueryNode, _ depth: Int, _ work: inout [Work]) throws(StoreError) {
        guard depth <= Self.maximumDepth else {
            throw StoreError(
                .misuse,
                "the conditions of the query are nested too deeply: SQLite supports about \(Self.maximumDepth) levels "
                    + "of parentheses, of which a condition for a to-many relationship needs ten",
                advice: "join conditions of one kind by && or || before they are joined with others")
        }
        switch node.kind {
        case .test(let test):
            if case .invalid(let problem) = test { throw problem }
            valueCount += test.valueCount
            _ = add(node.kind)
        case .not, .any:
            let isNot = if case .not = node.kind { true } else { false }
            work.append(.end(of: add(node.kind)))
            for operand in node.operands { work.append(.node(operand, depth: depth + (isNot ? 1 : 10))) }
        case .every, .some:
            work.append(.group(node.kind, Self.members(of: node)[...], depth: depth))
        }
    }

    private mutating func add(_ kind: QueryNode.Kind) -> Int {
        steps.append(Step(kind: kind, end: steps.count + 1))
        return steps.count - 1
    }

    /// Returns the conditions that a chain of one connective joins, in order.
    private static func members(of chain: QueryNode) -> [QueryNode] {
        var members: [QueryNode] = []
        var rest = [chain]
        while let node = rest.popLast() {
            switch (chain.kind, node.kind) {
            case (.every, .every), (.some, .some): rest += node.operands.reversed()
            default: members.append(node)
            }
        }
        return members
    }

    /// A search of the objects of a query.
    struct Search {
        let step: Int
        let attribute: String?
        let text: SearchText
    }

    /// The searches of the objects of the query that all of its results match.
    var searches: [Search] {
        var (index, found) = (0, [Search]())
        while index < steps.count {
            switch steps[index].kind {
            case .every: index += 1
            case .test(.search(let path, let attribute, let text)) where path.hops.isEmpty:
                found.append(Search(step: index, attribute: attribute, text: text))
                index += 1
            case .test, .some, .not, .any: index = steps[index].end
            }
        }
        return found
    }

    /// The search by which the objects of the query are ranked; `nil` without one.
    var rankedSearch: Search? { searches.first { $0.text.ranked != nil } }

    /// The search that is the whole condition, and by which its results are ranked; `nil` for another condition.
    var onlyRankedSearch: Search? { steps.count == 1 ? rankedSearch : nil }

    /// Whether all objects meet the condition.
    var isConstantTrue: Bool {
        if steps.count == 1, case .test(.constant(true)) = steps[0].kind { true } else { false }
    }
}
