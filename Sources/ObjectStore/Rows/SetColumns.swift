/// The columns of rows that the elements of this build have set; one bit each, in groups of 64 rows.
struct SetColumns {
    /// For each group with a row, one word per column.
    private var groups: [Int64: [UInt64]] = [:]
    private let width: Int

    /// - Parameter width: The number of columns.
    init(width: Int) { self.width = width }

    /// Adds columns of a row; returns those that were added before.
    mutating func insert(_ columns: [Int], of row: Int64) -> [Int] {
        let (bit, width): (UInt64, Int) = (1 << UInt64(row & 63), width)
        // Without `self`, of which a copy would copy the groups when they change.
        return Self.add(columns, bit, to: &groups[row >> 6, default: Array(repeating: 0, count: width)])
    }

    private static func add(_ columns: [Int], _ bit: UInt64, to words: inout [UInt64]) -> [Int] {
        var known: [Int] = []
        for column in columns {
            if words[column] & bit != 0 { known.append(column) }
            words[column] |= bit
        }
        return known
    }
}
