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

    private var rows: Ref<Row>?
    private var slots: Ref<Slot>?
    private var rowCapacity = 0
    private var slotCapacity = 0
    private var slotCount = 0
    private(set) var count = 0
    private var serial = 0
    private var current = Current()
    /// Converted texts, which are not in the window in their storage form.
    var scratch = ByteBuffer()
    /// The list of a column that is being read, in its storage form.
    var listText = ByteBuffer()
    /// The plan's regular expressions by their text, compiled for this decode.
    var patterns: [String: Regex<AnyRegexOutput>] = [:]

    /// The entity of a row which represents a null or empty relationship of the parent.
    static var cleared: Int32 { -1 }

    /// The memory passed to the entries of rows, which do not use it.
    static var noModel: Memory { .none }

    deinit {
        rows?.deallocate()
        slots?.deallocate()
    }

    mutating func reset() {
        guard rows != nil else { return }
        (count, slotCount, serial) = (0, 0, 0)
        current = Current()
        scratch.removeAll()
    }

    /// The maximum number of rows and slots per element, so that their numbers fit and memory is bounded.
    private static var limit: Int { 1 << 25 }

    /// Whether the element can have another row.
    func hasRoom(forSlots more: Int) -> Bool { count < RowBuffer.limit && slotCount + more <= RowBuffer.limit }

    /// The serial of the open row, 0 without an open row.
    var openSerial: Int { current.serial }

    /// Adds and opens a row below the open one; returns the outer row, to be passed to `close`.
    mutating func open(entity: Int32, slots more: Int, relationship: Int, offset: Int) -> Current {
        let outer = current
        let firstSlot = slotCount
        let row = add(entity: entity, slots: more, relationship: relationship, offset: offset)
        current = Current(row: row, serial: serial, firstSlot: firstSlot)
        return outer
    }

    mutating func close(_ outer: Current) { current = outer }

    private mutating func add(entity: Int32, slots more: Int, relationship: Int, offset: Int) -> Int {
        let rows = count == rowCapacity ? growRows() : rows
        let slots = slotCount + more > slotCapacity ? growSlots(more) : slots
        slots.map { ($0 + slotCount).initialize(repeating: Slot(), count: more) }
        let row = Row(
            entity: entity, parent: Int32(current.row), relationship: Int32(relationship),
            firstSlot: Int32(slotCount), offset: offset)
        rows.map { ($0 + count).initialize(to: row) }
        slotCount += more
        count += 1
        serial += 1
        return count - 1
    }

    /// Stores a value in a slot of the open row.
    @inline(__always) mutating func setSlot(_ index: Int, _ slot: Slot) { slots?[current.firstSlot &+ index] = slot }

    /// The value in a slot of the open row.
    func slot(_ index: Int) -> Slot { slots?[current.firstSlot + index] ?? Slot() }

    /// Removes the rows of a relationship of the open row, including their children.
    ///
    /// Rows after the open one can move.
    ///
    /// - Parameter isNull: Whether to add a row that represents null.
    mutating func removeRows(relationship: Int, isNull: Bool) {
        guard let rows else { return }
        let parent = current.row
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
        guard let rows else { return }
        if removed.upperBound == count { slotCount = Int(rows[removed.lowerBound].firstSlot) }
        for index in removed.upperBound..<count {
            rows[index - removed.count] = rows[index]
            if Int(rows[index].parent) >= removed.upperBound {
                rows[index - removed.count].parent -= Int32(removed.count)
            }
        }
        count -= removed.count
    }

    /// Returns the rows of the element, which are valid until the buffer changes.
    mutating func finished() -> ElementRows {
        let slots = slots ?? growSlots(1)
        return ElementRows(rows: rows?.view(count) ?? .empty, slots: slots, scratch: Bytes(scratch.start))
    }

    @inline(never) private mutating func growRows() -> Ref<Row> {
        rowCapacity = max(16, rowCapacity * 2)
        let larger = rows?.grown(count, to: rowCapacity) ?? .allocate(capacity: rowCapacity)
        rows = larger
        return larger
    }

    @inline(never) private mutating func growSlots(_ more: Int) -> Ref<Slot> {
        slotCapacity = max(256, slotCapacity * 2, slotCount + more)
        let larger = slots?.grown(slotCount, to: slotCapacity) ?? .allocate(capacity: slotCapacity)
        slots = larger
        return larger
    }
}
