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
    /// Runs the statement with arguments and returns its rows.
    func table(_ arguments: [StoredValue]) throws(StoreError) -> ReadTable {
        try bind(arguments)
        defer { reset() }
        let columns = columnNames.indices
        var values: [StoredValue] = []
        while try step() { for index in columns { values.append(value(at: index)) } }
        return ReadTable(width: columns.count, values: values)
    }

    @inline(__always)
    func load(_ coding: DirectCoding, at index: Int, into memory: ObjectMemory, at offset: Int) -> Bool {
        coding.load(column(at: index), into: memory, at: offset)
    }
}

/// The values of the rows of a statement, one row after the other.
struct ReadTable: Sendable {
    let width: Int
    let values: [StoredValue]

    static let empty = ReadTable(width: 0, values: [])

    /// All rows.
    var rows: [[StoredValue]] {
        width == 0 ? [] : stride(from: 0, to: values.count, by: width).map { Array(values[$0..<$0 + width]) }
    }
}

/// Rows that were read before.
final class BufferedRows: RowCursor {
    let table: ReadTable
    private var start: Int

    init(_ table: ReadTable) { (self.table, start) = (table, -table.width) }

    func step() -> Bool {
        start += table.width
        return start < table.values.count
    }

    func value(at index: Int) -> StoredValue { table.values[start + index] }

    func integer(at index: Int) -> Int64 { value(at: index).integer ?? 0 }

    func load(_ coding: DirectCoding, at index: Int, into memory: ObjectMemory, at offset: Int) -> Bool {
        coding.load(BufferedColumn(value: value(at: index)), into: memory, at: offset)
    }
}

/// A column of a row that was read before.
private struct BufferedColumn: ReadableColumn {
    let value: StoredValue

    var kind: SQLiteColumn.Kind {
        switch value {
        case .null: .null
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }

    var integer: Int64 { value.integer ?? 0 }
    var real: Double { value.double ?? 0 }
    var text: String { value.text ?? "" }
}

/// The rows of a read: those of a running statement, or rows read by another thread.
enum StatementRows {
    case statement(SQLiteStatement)
    case buffered(BufferedRows)

    /// All rows.
    func values() throws(StoreError) -> [[StoredValue]] {
        switch self {
        case .statement(let statement): try statement.remainingRows()
        case .buffered(let rows): rows.table.rows
        }
    }
}
