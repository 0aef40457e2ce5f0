/// The rows of a statement, in order.
protocol RowCursor: AnyObject {
    /// Advances to the next row; returns false after the last one.
    func step() throws(StoreError) -> Bool

    /// The value of a column of the current row.
    func value(at index: Int) -> StoredValue

    /// The integer in a column of the current row; 0 for null.
    func integer(at index: Int) -> Int64

    /// Sets a property to the value of a column of the current row.
    ///
    /// - Returns: Whether that is possible without the attribute's coding.
    func load(_ coding: DirectCoding, at index: Int, into memory: ObjectMemory, at offset: Int) -> Bool
}

extension SQLiteStatement: RowCursor {
    @inline(__always)
    func load(_ coding: DirectCoding, at index: Int, into memory: ObjectMemory, at offset: Int) -> Bool {
        coding.load(column(at: index), into: memory, at: offset)
    }
}

/// Rows that were read before.
final class BufferedRows: RowCursor {
    let rows: [[StoredValue]]
    private var next = 0

    init(_ rows: [[StoredValue]]) { self.rows = rows }

    func step() -> Bool {
        next += 1
        return next <= rows.count
    }

    func value(at index: Int) -> StoredValue { rows[next - 1][index] }

    func integer(at index: Int) -> Int64 { value(at: index).integer ?? 0 }

    func load(_ coding: DirectCoding, at index: Int, into memory: ObjectMemory, at offset: Int) -> Bool {
        guard coding == .row else { return false }
        switch value(at: index) {
        case .null: memory[offset, as: Int64.self] = 0
        case .integer(let row) where row > 0: memory[offset, as: Int64.self] = row
        default: return false
        }
        return true
    }
}

/// The rows of a read: those of a running statement, or rows read by another thread.
enum StatementRows {
    case statement(SQLiteStatement)
    case buffered(BufferedRows)

    /// All rows.
    func values() throws(StoreError) -> [[StoredValue]] {
        switch self {
        case .statement(let statement): try statement.remainingRows()
        case .buffered(let rows): rows.rows
        }
    }
}
