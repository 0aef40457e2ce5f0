/// A comparison of two values, with its operator in SQL.
public enum QueryComparison: String, Sendable, Hashable {
    /// Equal values; `nil` is equal to `nil`.
    case equal = "="
    /// The opposite of `equal`.
    case notEqual = "IS NOT"
    /// Less than the value.
    case less = "<"
    /// Less than the value, or equal.
    case lessOrEqual = "<="
    /// Greater than the value.
    case greater = ">"
    /// Greater than the value, or equal.
    case greaterOrEqual = ">="
}

/// A test of a text.
public enum QueryTextTest: String, Sendable, Hashable {
    /// The text begins with another one.
    case prefix
    /// The text ends with another one.
    case suffix
    /// The text contains another one.
    case contains
    /// The text matches a pattern with `%` and `_`.
    case like
    /// The complete text matches a regular expression.
    case matches
}

/// A condition without further conditions in it.
///
/// Every test is true or false, also for values that are `nil`: `nil` is equal only to `nil` and has no order.
indirect enum QueryTest: Sendable {
    case constant(Bool)
    case comparison(QueryOperand, QueryComparison, StoredValue)
    case operands(QueryOperand, QueryComparison, QueryOperand)
    case membership(QueryOperand, [StoredValue])
    case text(QueryOperand, QueryTextTest, String)
    /// The list contains the element of another list, which is the text of a JSON array.
    case element(QueryOperand, String)
    /// The object at the end of the path is one of these.
    case objects(QueryPath, [ObjectID])
    /// There is no object at the end of the path.
    case missing(QueryPath)
    /// The texts of the object at the end of the path match a search, all of them or one attribute.
    case search(QueryPath, attribute: String?, SearchText)
    case invalid(StoreError)

    /// The number of its values in SQL, approximately.
    var valueCount: Int {
        if case .membership(_, let values) = self, Self.integers(values) == nil { values.count } else { 1 }
    }

    /// Returns the integers, if all values are integers; they are one value in SQL.
    static func integers(_ values: [StoredValue]) -> [Int64]? {
        let integers = values.compactMap(\.integer)
        return integers.isEmpty || integers.count < values.count ? nil : integers
    }
}

/// A condition of a query: a tree whose nodes are shared by all conditions that are made of them.
///
/// Two conditions are joined in constant time. Nothing that reads or releases the tree recurses over it, because loops
/// can build trees of any depth; readers use ``FlatCondition``.
final class QueryNode: @unchecked Sendable {  // immutable, except for `operands` in the deinit of the last owner
    enum Kind: Sendable {
        case test(QueryTest)
        case every
        case some
        case not
        /// The operand is true for an object at the end of the path.
        case any(QueryPath)
    }

    let kind: Kind
    private(set) var operands: [QueryNode]
    /// The number of tests, each counted for each of its uses, or `Int.max` if there are more.
    let count: Int

    /// The condition that all objects meet.
    static let always = QueryNode(.constant(true))

    init(_ test: QueryTest) { (kind, operands, count) = (.test(test), [], 1) }

    init(_ kind: Kind, _ operands: [QueryNode]) {
        self.kind = kind
        self.operands = operands
        count = operands.reduce(0) { sum, node in
            let (sum, overflow) = sum.addingReportingOverflow(node.count)
            return overflow ? .max : sum
        }
    }

    /// The opposite condition.
    var negated: QueryNode {
        if case .not = kind { operands[0] } else { QueryNode(.not, [self]) }
    }

    deinit {
        var released: [QueryNode] = []
        swap(&released, &operands)
        while var node = released.popLast() {
            // A node with other owners keeps its operands.
            guard isKnownUniquelyReferenced(&node) else { continue }
            released += node.operands
            node.operands = []
        }
    }
}
