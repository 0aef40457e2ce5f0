/// What is left to do once the members of a row's object are read: columns put together, and required ones checked.
final class RowJoins {
    struct Join {
        var parts: [Int]
        var separator: String
        var entry: UnsafeMutablePointer<Entry>
    }

    struct Required {
        var slot: Int
        var name: String
        var rule: Int32
    }

    private let joins: [Join]
    private let required: [Required]

    init(joins: [Join], required: [Required]) {
        self.joins = joins
        self.required = required
    }

    func join(_ reader: inout PlanReader, _ base: Memory, at start: Bytes) {
        for join in joins {
            var text = ""
            var isWhole = true
            for (index, part) in join.parts.enumerated() {
                let slot = reader.rows.slot(part, of: base)
                guard slot.tag == .text else {
                    isWhole = false
                    break
                }
                let bytes =
                    slot.isScratch
                    ? Bytes(reader.rows.scratch.start) + Int(slot.bits)
                    : Bytes(bitPattern: UInt(slot.bits)).unsafelyUnwrapped
                text += (index > 0 ? join.separator : "") + makeString(bytes, Int(slot.count))
            }
            if isWhole { reader.store(text, join.entry, base, at: start) }
        }
        for column in required where reader.rows.slot(column.slot, of: base).tag == .absent {
            let offset = reader.offset(start)
            // A value that could not be converted was there.
            if reader.findings.contains(where: { $0.rule == column.rule && $0.offset >= offset }) { continue }
            reader.note(.missing, at: start, column.rule, "a value for '\(column.name)'", "none")
        }
    }
}
