/// Notes that the payload mentions a property, around the rule that sets it.
final class MarkBox: ValueBox {
    private let entry: UnsafeMutablePointer<Entry>
    private let mark: UInt64

    init(_ entry: UnsafeMutablePointer<Entry>, mark: UInt64) {
        self.entry = entry
        self.mark = mark
        super.init(size: 0, alignment: 1)
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
        let isCleared = cause == .null ? entry.pointee.nullPolicy == .clear : entry.pointee.isClearedWhenAbsent
        if isCleared { reader.session?.clear(mark, isReset: !entry.pointee.acceptsNull) }
        reader.clear(entry, node, base, for: cause)
    }

    override var valueType: Any.Type? {
        entry.pointee.operation.valueType ?? entry.pointee.box?.takeUnretainedValue().valueType
    }

    override func isAbsent(_ reader: inout PlanReader, _ place: Bytes, nesting: Int) -> Bool {
        entry.pointee.box?.takeUnretainedValue().isAbsent(&reader, place, nesting: nesting) ?? false
    }

    override func each(_ body: (UnsafeMutablePointer<Entry>) -> Void) { body(entry) }
}
