/// The place of one row among the rows of an element.
package struct Row {
    /// Index of the entity in the plan; -1 says that the parent's relationship is null or empty.
    package var entity: Int32
    /// Index of the row that holds this one, -1 for the element itself.
    package var parent: Int32
    /// Index of the relationship among those of the parent's entity, below 0 for the element itself.
    package var relationship: Int32
    /// Index of the row's first slot; slot `i` is attribute `i` of the entity.
    package var firstSlot: Int32
    /// Where the row's object begins, in bytes from the start of the text.
    package var offset: Int

    package init(entity: Int32, parent: Int32, relationship: Int32, firstSlot: Int32, offset: Int) {
        self.entity = entity
        self.parent = parent
        self.relationship = relationship
        self.firstSlot = firstSlot
        self.offset = offset
    }
}

/// The rows of one element of a dump, in order of appearance: a parent before its children.
///
/// Lent by the reader: valid until it reads the next element.
package struct ElementRows {
    package let rows: View<Row>
    package let slots: Ref<Slot>
    package let scratch: Bytes

    package init(rows: View<Row>, slots: Ref<Slot>, scratch: Bytes) {
        self.rows = rows
        self.slots = slots
        self.scratch = scratch
    }

    /// The bytes of a text or blob.
    package func bytes(of slot: Slot) -> ByteView { slot.bytes(inScratch: scratch) }
}

/// One attribute of one row in storage form, 16 bytes; texts stay where they are.
package struct Slot {
    package enum Tag: UInt8 { case absent, null, integer, real, text, blob }

    package var tag = Tag.absent
    /// Whether the bytes lie in the element's scratch memory (`bits` is their offset there) or in the window (`bits` is their address).
    package var isScratch = false
    /// Bytes of a text or blob.
    package var count: UInt32 = 0
    /// An integer's or a real's bit pattern, or the place of the bytes.
    package var bits: UInt64 = 0

    package init() {}

    package init(_ tag: Tag, bits: UInt64 = 0, count: Int = 0, isScratch: Bool = false) {
        self.tag = tag
        self.isScratch = isScratch
        self.count = UInt32(truncatingIfNeeded: count)
        self.bits = bits
    }

    package var integer: Int64 { Int64(bitPattern: bits) }
    package var real: Double { Double(bitPattern: bits) }
}

extension Slot {
    /// The bytes of a text or blob; only the reader makes such slots, and of addresses that hold as many bytes.
    func bytes(inScratch scratch: Bytes) -> ByteView {
        (isScratch ? scratch + Int(bits) : Bytes(address: bits)).raw(Int(count))
    }
}

extension PlanReader {
    /// Reads the object, or the objects, of a nested relationship as rows of their own.
    mutating func rows(_ place: Bytes, _ entry: EntryRef, _ base: Memory) -> Bytes? {
        if place.isNull { return null(place, entry, nil, base) }
        guard entry.pointee.isList, place.pointee == .openBracket else {
            return rows(ofObject: place, entry, base, entry.pointee.isList ? "an array of objects" : "an object")
        }
        let before = rows.count
        let end = elements(place) { reader, place in
            place.isNull ? place + 4 : reader.rows(ofObject: place, entry, base, "an object")
        }
        if rows.count == before { rows.removeRows(relationship: entry.pointee.offset, isNull: true) }
        return end
    }

    @inline(__always) private mutating func rows(
        ofObject place: Bytes, _ entry: EntryRef, _ base: Memory, _ expected: @autoclosure () -> String
    ) -> Bytes? {
        guard let child = entry.pointee.child else {
            guard let box = entry.pointee.box?.object else { return skip(place) }
            return box.make(&self, place, entry, base).end
        }
        guard place.pointee == .openBrace || child.pointee.whole != nil else {
            return mismatch(place, entry.pointee.rule, expected())
        }
        return row(place, child, base, relationship: entry.pointee.offset)
    }

    /// Reads one object as a row.
    mutating func row(_ place: Bytes, _ node: NodeRef, _ base: Memory, relationship: Int) -> Bytes? {
        guard rows.hasRoom(forSlots: Int(node.pointee.slotCount)) else {
            if findings.last?.kind != .outOfRange {
                note(.outOfRange, at: place, -1, "an element of at most 33,554,432 values", "one with more")
            }
            return skip(place)
        }
        let outer = rows.open(
            entity: node.pointee.entity, slots: Int(node.pointee.slotCount), relationship: relationship,
            offset: offset(place))
        let end = object(place, node, base)
        rows.close(outer)
        return end
    }
}
