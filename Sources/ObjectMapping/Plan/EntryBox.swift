/// A box laid around a rule's entry: it does something of its own, and what the rule does.
class EntryBox: ValueBox {
    final let entry: UnsafeMutablePointer<Entry>

    init(_ entry: UnsafeMutablePointer<Entry>) {
        self.entry = entry
        super.init(size: 0, alignment: 1)
    }

    /// Whether the rule clears its property, now that there is no value for it.
    final func isCleared(for cause: ClearingCause) -> Bool {
        cause == .null ? entry.pointee.nullPolicy == .clear : entry.pointee.isClearedWhenAbsent
    }

    override final var valueType: Any.Type? {
        entry.pointee.operation.valueType ?? entry.pointee.box?.takeUnretainedValue().valueType
    }

    override final func each(_ body: (UnsafeMutablePointer<Entry>) -> Void) { body(entry) }

    override final func isAbsent(_ reader: inout PlanReader, _ place: Bytes, nesting: Int) -> Bool {
        entry.pointee.box?.takeUnretainedValue().isAbsent(&reader, place, nesting: nesting) ?? false
    }
}
