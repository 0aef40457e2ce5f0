/// What is left to do once the members of a row's object are read: columns put together, and required ones checked.
final class RowCompletion {
    struct Join {
        var parts: [Int]
        var separator: String
        var entry: EntryRef
    }

    struct Required {
        var slot: Int
        var name: String
        var rule: Int32
    }

    private let joins: [Join]
    private let required: [Required]
    private let memberNames: [EntryRef]

    init(joins: [Join], required: [Required], memberNames: [EntryRef]) {
        self.joins = joins
        self.required = required
        self.memberNames = memberNames
    }

    /// Stores the name of the member that the row's object is.
    func storeMemberName(_ name: String, _ reader: inout PlanReader, at start: Bytes) {
        for entry in memberNames { reader.storeMade(name, entry, at: start) }
    }

    func join(_ reader: inout PlanReader, at start: Bytes) {
        for join in joins {
            var text = ""
            var isWhole = true
            for (index, part) in join.parts.enumerated() {
                let slot = reader.rows.slot(part)
                guard slot.tag == .text else {
                    isWhole = false
                    break
                }
                let bytes = slot.bytes(inScratch: Bytes(reader.rows.scratch.start))
                text += (index > 0 ? join.separator : "") + String(decoding: bytes, as: UTF8.self)
            }
            if isWhole { reader.storeMade(text, join.entry, at: start) }
        }
        let offset = reader.offset(start)
        for column in required where [.absent, .null].contains(reader.rows.slot(column.slot).tag) {
            // A value that is there and wrong is an issue already. What was found in this object stands at the end.
            let own = reader.findings.kept.reversed().prefix { $0.offset >= offset }
            let isKnown = own.contains {
                $0.rule == column.rule && $0.row == reader.rows.openSerial && $0.kind != .duplicateKey
            }
            // Of an element with more findings than are kept it does not matter any more.
            if isKnown || reader.findings.isOverflowing { continue }
            reader.note(.missing, at: start, column.rule, "a value for '\(column.name)'", "none")
        }
    }
}
