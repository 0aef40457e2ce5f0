/// The position of one row among the rows of an element.
package struct Row {
    /// The index of the entity in the plan; -1 if the parent's relationship is null or empty.
    package var entity: Int32
    /// The index of the parent row; -1 for the element itself.
    package var parent: Int32
    /// The index of the relationship in the parent's entity; negative for the element itself.
    package var relationship: Int32
    /// The index of the row's first slot; slot `i` is attribute `i` of the entity.
    package var firstSlot: Int32
    /// The offset of the row's object in the text, in bytes.
    package var offset: Int
}

/// The rows of one element of a dump, in order of appearance, with parents before their children.
///
/// The memory belongs to the reader; it is valid until the next element is read.
package struct ElementRows {
    package let rows: View<Row>
    package let slots: Ref<Slot>
    package let scratch: Bytes

    /// Returns the bytes of a text or blob.
    package func bytes(of slot: Slot) -> ByteView { slot.bytes(inScratch: scratch) }
}

/// An attribute of a row in storage form, 16 bytes; texts are not copied.
package struct Slot {
    package enum Tag: UInt8 { case absent, null, integer, real, text, blob }

    package var tag = Tag.absent
    /// Whether the bytes are in the element's scratch memory (`bits` is their offset) or in the window (`bits` is their
    /// address).
    package var isScratch = false
    /// The number of bytes in a text or blob.
    package var count: UInt32 = 0
    /// The bit pattern of an integer or a real, or the location of the bytes.
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
    /// Returns the bytes of a text or blob; only the reader creates such slots, with valid addresses and lengths.
    func bytes(inScratch scratch: Bytes) -> ByteView {
        (isScratch ? scratch + Int(bits) : Bytes(address: bits)).raw(Int(count))
    }
}

extension PlanReader {
    /// Reads the object or objects of a nested relationship as separate rows.
    mutating func rows(_ place: Bytes, _ entry: EntryRef, _ base: Memory) -> Bytes? {
        if place.isNull { return null(place, entry, nil, base) }
        guard entry.pointee.isList, place.pointee == .openBracket else {
            return rows(ofObject: place, entry, base, entry.pointee.isList ? "an array of objects" : "an object")
        }
        let before = rows.count
        let end = elements(place) { reader, place in
            place.isNull ? place + 4 : reader.rows(ofObject: place, entry, base, isElement: true, "an object")
        }
        if rows.count == before { rows.removeRows(relationship: entry.pointee.offset, isNull: true) }
        return end
    }

    @inline(__always) private mutating func rows(
        ofObject place: Bytes, _ entry: EntryRef, _ base: Memory, isElement: Bool = false,
        _ expected: @autoclosure () -> String
    ) -> Bytes? {
        guard let child = entry.pointee.child else {
            guard var box = entry.pointee.box?.object else { return skip(place) }
            if let flat = box as? FlattenedObjectBox {
                guard flat.accepts(place) else { return mismatch(place, entry.pointee.rule, expected()) }
                if isElement { box = flat.value }
            }
            return box.make(&self, place, entry, base).end
        }
        guard place.pointee == .openBrace || child.pointee.valueEntry != nil else {
            return mismatch(place, entry.pointee.rule, expected())
        }
        return row(place, child, base, relationship: entry.pointee.offset)
    }

    /// Reads one object as a row.
    ///
    /// - Parameter memberName: The key of the member that is the object. Defaults to `nil`.
    mutating func row(
        _ place: Bytes, _ node: NodeRef, _ base: Memory, relationship: Int, memberName: String? = nil
    ) -> Bytes? {
        guard rows.hasRoom(forSlots: Int(node.pointee.slotCount)) else {
            if findings.last?.kind != .outOfRange {
                note(.outOfRange, at: place, -1, "an element of at most 33,554,432 values", "an element of more values")
            }
            return skip(place)
        }
        let outer = rows.open(
            entity: node.pointee.entity, slots: Int(node.pointee.slotCount), relationship: relationship,
            offset: offset(place))
        if let memberName { node.pointee.completion?.with { $0.storeMemberName(memberName, &self, at: place) } }
        let end = object(place, node, base)
        rows.close(outer)
        return end
    }
}
