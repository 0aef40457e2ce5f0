/// The rows of the element being read.
///
/// A row has no address while rows are added, so it goes by its number, dressed as memory where a plan wants a model.
struct RowBuffer {
    private var rows: UnsafeMutablePointer<Row>
    private var slots: UnsafeMutablePointer<Slot>
    private var rowCapacity = 16
    private var slotCapacity = 256
    private var slotCount = 0
    private(set) var count = 0
    /// The row whose object is being read, -1 for none.
    var open = -1
    /// Texts that do not stand in the window as they are stored.
    var scratch = ByteBuffer()

    /// The entity of a row that says: this relationship of the parent is null or empty.
    static var cleared: Int32 { -1 }

    init() {
        rows = .allocate(capacity: rowCapacity)
        slots = .allocate(capacity: slotCapacity)
    }

    func free() {
        rows.deallocate()
        slots.deallocate()
        scratch.free()
    }

    mutating func reset() {
        count = 0
        open = -1
        slotCount = 0
        scratch.removeAll()
    }

    /// What a plan takes for the model of a row; -1 stands for no row.
    static func base(_ row: Int) -> Memory { Memory(bitPattern: row + 2).unsafelyUnwrapped }
    static func row(_ base: Memory) -> Int { Int(bitPattern: base) - 2 }

    /// Rows and slots that one element may have, so that their numbers fit and memory is bounded.
    private static var limit: Int { 1 << 25 }

    /// Whether the element may have a further row.
    func hasRoom(forSlots more: Int) -> Bool {
        count < RowBuffer.limit && slotCount + more <= RowBuffer.limit
    }

    mutating func add(entity: Int32, slots more: Int, parent: Int, relationship: Int, offset: Int) -> Memory {
        if count == rowCapacity {
            rows = RowBuffer.grown(rows, count, to: rowCapacity * 2)
            rowCapacity *= 2
        }
        if slotCount + more > slotCapacity {
            let capacity = max(slotCapacity * 2, slotCount + more)
            slots = RowBuffer.grown(slots, slotCount, to: capacity)
            slotCapacity = capacity
        }
        (slots + slotCount).initialize(repeating: Slot(), count: more)
        (rows + count).initialize(
            to: Row(
                entity: entity, parent: Int32(parent), relationship: Int32(relationship), firstSlot: Int32(slotCount),
                offset: offset))
        slotCount += more
        count += 1
        return RowBuffer.base(count - 1)
    }

    @inline(__always) mutating func setSlot(_ index: Int, of base: Memory, _ slot: Slot) {
        slots[Int(rows[RowBuffer.row(base)].firstSlot) &+ index] = slot
    }

    func slot(_ index: Int, of base: Memory) -> Slot { slots[Int(rows[RowBuffer.row(base)].firstSlot) + index] }

    /// Takes away the rows of a relationship, with all below them; `isNull` leaves word that there are none.
    ///
    /// The parent is the last row that is open: those behind it may move.
    mutating func removeRows(of base: Memory, relationship: Int, isNull: Bool) {
        let parent = RowBuffer.row(base)
        // The rows of a relationship stand together, and from the end they are found at once where they stand again.
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
            _ = add(entity: RowBuffer.cleared, slots: 0, parent: parent, relationship: relationship, offset: 0)
        }
    }

    /// Closes the gap of removed rows; slots are given back at the end only, since they stay where they are.
    private mutating func remove(_ removed: Range<Int>) {
        if removed.upperBound == count { slotCount = Int(rows[removed.lowerBound].firstSlot) }
        for index in removed.upperBound..<count {
            rows[index - removed.count] = rows[index]
            if Int(rows[index].parent) >= removed.upperBound {
                rows[index - removed.count].parent -= Int32(removed.count)
            }
        }
        count -= removed.count
    }

    /// The rows as they are lent out.
    func finished() -> ElementRows {
        ElementRows(rows: UnsafeBufferPointer(start: rows, count: count), slots: slots, scratch: scratch.start)
    }

    private static func grown<Element>(
        _ memory: UnsafeMutablePointer<Element>, _ count: Int, to capacity: Int
    ) -> UnsafeMutablePointer<Element> {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.moveInitialize(from: memory, count: count)
        memory.deallocate()
        return larger
    }
}
