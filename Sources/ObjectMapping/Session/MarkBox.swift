/// Notes that the payload mentions a property, around the rule that sets it.
final class MarkBox: EntryBox {
    private let mark: UInt64

    init(_ entry: UnsafeMutablePointer<Entry>, mark: UInt64) {
        self.mark = mark
        super.init(entry)
    }

    override func read(
        _ reader: inout PlanReader, _ place: Bytes, _ node: UnsafeMutablePointer<Node>?, _ base: Memory
    ) -> Bytes? {
        if !place.isNull {
            reader.session?.give(mark)
        } else if entry.pointee.nullPolicy == .clear {
            reader.session?.clear(mark, isReset: !entry.pointee.acceptsNull)
        }
        return reader.field(place, entry, node, base)
    }

    override func clear(
        _ reader: inout PlanReader, _ node: UnsafeMutablePointer<Node>?, _ base: Memory, for cause: ClearingCause
    ) {
        if isCleared(for: cause) { reader.session?.clear(mark, isReset: !entry.pointee.acceptsNull) }
        reader.clear(entry, node, base, for: cause)
    }
}
