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
    private var hasRemoved = false
    /// Texts that do not stand in the window as they are stored.
    var scratch = ByteBuffer()

    private static var removed: Int32 { -2 }
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
        slotCount = 0
        hasRemoved = false
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
    mutating func removeRows(of base: Memory, relationship: Int, isNull: Bool) {
        let parent = RowBuffer.row(base)
        for index in max(0, parent + 1)..<max(0, parent + 1, count) {
            let row = rows[index]
            let isChild = row.parent == parent && row.relationship == relationship
            let isBelow = row.parent >= 0 && rows[Int(row.parent)].entity == RowBuffer.removed
            guard isChild || isBelow else { continue }
            rows[index].entity = RowBuffer.removed
            hasRemoved = true
        }
        if isNull, parent >= 0 {
            _ = add(entity: RowBuffer.cleared, slots: 0, parent: parent, relationship: relationship, offset: 0)
        }
    }

    /// The rows as they are lent out.
    mutating func finished() -> ElementRows {
        if hasRemoved { compact() }
        return ElementRows(
            rows: UnsafeBufferPointer(start: rows, count: count), slots: slots, scratch: scratch.start)
    }

    private mutating func compact() {
        var kept = 0
        var places: [Int32] = []
        for index in 0..<count {
            places.append(Int32(kept))
            guard rows[index].entity != RowBuffer.removed else { continue }
            rows[kept] = rows[index]
            if rows[kept].parent >= 0 { rows[kept].parent = places[Int(rows[kept].parent)] }
            kept += 1
        }
        count = kept
        hasRemoved = false
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
