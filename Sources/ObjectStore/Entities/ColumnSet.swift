/// A set of column indexes; the first 64 use one word, so that most tables need no allocation.
struct ColumnSet: Hashable {
    private var first: UInt64 = 0
    private var others: [Int] = []

    /// Adds columns, which must be in ascending order.
    mutating func append(_ column: Int) {
        if column < 64 { first |= 1 << UInt64(column) } else { others.append(column) }
    }

    var isEmpty: Bool { first == 0 && others.isEmpty }

    /// The columns in ascending order.
    var columns: [Int] { (0..<64).filter { first & (1 << UInt64($0)) != 0 } + others }
}
