import ObjectMapping

/// The slots of one row by attribute; the memory belongs to the reader.
struct RowSlots {
    private let slots: Ref<Slot>
    private let first: Int

    @inline(__always) init(of row: Row, in element: ElementRows) {
        slots = element.slots
        first = Int(row.firstSlot)
    }

    @inline(__always) subscript(attribute: Int) -> Slot { slots[first + attribute] }
}
