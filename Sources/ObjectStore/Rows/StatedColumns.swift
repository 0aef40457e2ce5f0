/// The columns of rows that the elements of this build have set; one bit each, in groups of 64 rows.
struct StatedColumns {
    /// For each group with a row, one word per column.
    private var groups: [Int64: [UInt64]] = [:]
    private let width: Int

    /// - Parameter width: The number of columns.
    init(width: Int) { self.width = width }

    /// Adds a column of a row; returns `false` if it was added before.
    mutating func insert(_ column: Int, of row: Int64) -> Bool {
        let bit: UInt64 = 1 << UInt64(row & 63)
        return add(bit, to: &groups[row >> 6, default: Array(repeating: 0, count: width)][column])
    }

    private func add(_ bit: UInt64, to word: inout UInt64) -> Bool {
        defer { word |= bit }
        return word & bit == 0
    }
}
