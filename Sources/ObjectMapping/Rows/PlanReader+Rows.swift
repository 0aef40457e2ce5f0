extension PlanReader {
    /// Reads the object, or the objects, of a nested relationship as rows of their own.
    mutating func rows(_ place: Bytes, _ entry: EntryRef, _ base: Memory) -> Bytes? {
        guard let child = entry.pointee.child else { return skip(place) }
        switch place.pointee {
        case .openBrace: return row(place, child, base, relationship: entry.pointee.offset)
        case .openBracket where entry.pointee.isList:
            let before = rows.count
            let end = elements(place) { reader, place in
                if place.isNull { return place + 4 }
                guard place.pointee == .openBrace || child.pointee.whole != nil else {
                    return reader.mismatch(place, entry.pointee.rule, "an object")
                }
                return reader.row(place, child, base, relationship: entry.pointee.offset)
            }
            if rows.count == before { rows.removeRows(relationship: entry.pointee.offset, isNull: true) }
            return end
        default:
            if place.isNull { return null(place, entry, nil, base) }
            if child.pointee.whole != nil { return row(place, child, base, relationship: entry.pointee.offset) }
            return mismatch(place, entry.pointee.rule, entry.pointee.isList ? "an array of objects" : "an object")
        }
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
