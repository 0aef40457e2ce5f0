/// The rows of the current element, and the temporary memory of columns.
///
/// Memory is allocated with the first row.
struct RowBuffer: ~Copyable {
    /// The row whose object is being read.
    struct Current {
        /// Its index while it is open; -1 without an open row.
        fileprivate(set) var row = -1
        /// The unique serial number of the row; indexes are reused.
        ///
        /// 0 without an open row.
        fileprivate(set) var serial = 0
        fileprivate var firstSlot = 0
    }

    private var rows = GrowingMemory<Row>(capacity: 16)
    private var slots = GrowingMemory<Slot>(capacity: 256)
    private var serial = 0
    private var current = Current()
    /// Converted texts, which are not in the window in their storage form.
    var scratch = ByteBuffer()
    /// The list of a column that is being read, in its storage form.
    var listText = ByteBuffer()
    /// The plan's regular expressions by their text, compiled for this decode.
    var patterns: [String: TimedExpression] = [:]

    /// The entity of a row which represents a null or empty relationship of the parent.
    static var cleared: Int32 { -1 }

    /// The memory passed to the entries of rows, which do not use it.
    static var noModel: Memory { .none }

    var count: Int { rows.count }

    mutating func reset() {
        guard serial > 0 else { return }
        rows.truncate(to: 0)
        slots.truncate(to: 0)
        serial = 0
        current = Current()
        scratch.removeAll()
    }

    /// The maximum number of rows and slots per element, so that their numbers fit and memory is bounded.
    private static var limit: Int { 1 << 25 }

    /// Whether the element can have another row.
    func hasRoom(forSlots more: Int) -> Bool { count < RowBuffer.limit && slots.count + more <= RowBuffer.limit }

    /// The serial of the open row, 0 without an open row.
    var openSerial: Int { current.serial }

    /// Adds and opens a row below the open one; returns the outer row, to be passed to `close`.
    mutating func open(entity: Int32, slots more: Int, relationship: Int, offset: Int) -> Current {
        let outer = current
        let firstSlot = slots.count
        let row = add(entity: entity, slots: more, relationship: relationship, offset: offset)
        current = Current(row: row, serial: serial, firstSlot: firstSlot)
        return outer
    }

    mutating func close(_ outer: Current) { current = outer }

    private mutating func add(entity: Int32, slots more: Int, relationship: Int, offset: Int) -> Int {
        rows.append(
            Row(
                entity: entity, parent: Int32(current.row), relationship: Int32(relationship),
                firstSlot: Int32(slots.count), offset: offset))
        slots.append(repeating: Slot(), count: more)
        serial += 1
        return count - 1
    }

    /// Stores a value in a slot of the open row.
    @inline(__always) mutating func setSlot(_ index: Int, _ slot: Slot) {
        slots.start[current.firstSlot &+ index] = slot
    }

    /// The value in a slot of the open row.
    func slot(_ index: Int) -> Slot { slots.start[current.firstSlot + index] }

    /// Removes the rows of a relationship of the open row, including their children.
    ///
    /// Rows after the open one can move.
    ///
    /// - Parameter isNull: Whether to add a row that represents null.
    mutating func removeRows(relationship: Int, isNull: Bool) {
        let (rows, count, parent) = (rows.start, count, current.row)
        // The rows of a relationship are adjacent; searching from the end finds repeated ones immediately.
        var removed = count..<count
        var end = count
        for index in stride(from: count - 1, to: parent, by: -1) where rows[index].parent == parent {
            if rows[index].relationship == relationship {
                removed = index..<(removed.isEmpty ? end : removed.upperBound)
            } else if !removed.isEmpty {
                break
            }
            end = index
        }
        if !removed.isEmpty { remove(removed) }
        if isNull, parent >= 0 {
            _ = add(entity: RowBuffer.cleared, slots: 0, relationship: relationship, offset: 0)
        }
    }

    /// Closes the gap of removed rows; slots are released only at the end, because they do not move.
    mutating func remove(_ removed: Range<Int>) {
        let (rows, count) = (rows.start, count)
        if removed.upperBound == count { slots.truncate(to: Int(rows[removed.lowerBound].firstSlot)) }
        for index in removed.upperBound..<count {
            rows[index - removed.count] = rows[index]
            if Int(rows[index].parent) >= removed.upperBound {
                rows[index - removed.count].parent -= Int32(removed.count)
            }
        }
        self.rows.truncate(to: count - removed.count)
    }

    /// Returns the rows of the element, which are valid until the buffer changes.
    mutating func finished() -> ElementRows {
        ElementRows(rows: rows.start.view(count), slots: slots.start, scratch: Bytes(scratch.start))
    }
}
