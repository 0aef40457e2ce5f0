/// Several rules for one value: read in turn over the same bytes, or over the value's tree where they have operators.
final class RuleList: ValueBox {
    struct Rule {
        /// What is left of the key path below the value; nil for the value itself.
        var path: JSONKeyPath?
        var entry: EntryRef
        /// Whose properties the entry sets.
        var node: NodeRef?
    }

    private let rules: [Rule]

    init(_ rules: [Rule]) {
        self.rules = rules
        super.init(size: 0, alignment: 1)
    }

    override func read(_ reader: inout PlanReader, _ place: Bytes, _ node: NodeRef?, _ base: Memory) -> Bytes? {
        var end: Bytes?
        let fence = reader.fence
        for rule in rules where rule.path == nil {
            reader.rewind(to: fence)
            end = reader.field(place, rule.entry, node, base)
            if end == nil { return nil }
        }
        guard rules.contains(where: { $0.path != nil }) else { return end }
        guard let end = end ?? reader.skip(place) else { return nil }
        return evaluate(&reader, place, end, node, base) ? end : nil
    }

    // Not inlined: it has no part in the stack of the objects within the object.
    /// Reads by the rules that want the value's tree.
    @inline(never) private func evaluate(
        _ reader: inout PlanReader, _ place: Bytes, _ end: Bytes, _ node: NodeRef?, _ base: Memory
    ) -> Bool {
        // The value was checked just now: what is left to fail are the operators.
        guard let tree = try? JSON(reader.stretch(place, end), maximumDepth: reader.nesting.limit) else { return false }
        for rule in rules {
            guard let path = rule.path else { continue }
            do {
                try evaluate(rule, path, tree, &reader, place, rule.node ?? node, base)
            } catch {
                // Bytes that were made, not read, have no places of their own.
                let inside =
                    reader.hasPlaces ? JSONTokenizer.offset(ofNearest: error.path, in: reader.stretch(place, end)) : 0
                reader.note(
                    .typeMismatch, reader.offset(place) + inside, error.expected, error.found,
                    rule: rule.entry.pointee.rule)
            }
        }
        return true
    }

    private func evaluate(
        _ rule: Rule, _ path: JSONKeyPath, _ tree: JSON, _ reader: inout PlanReader, _ place: Bytes,
        _ node: NodeRef?, _ base: Memory
    ) throws(OperatorMismatch) {
        guard let value = try tree.value(at: path.components[...]) else {
            if rule.entry.pointee.isRequired {
                reader.note(.missing, at: place, rule.entry.pointee.rule, "a value at '\(path)'", "none")
            }
            return reader.clear(rule.entry, node, base, for: .absence)
        }
        let text = Array(value.text.utf8)
        text.withView { bytes in
            _ = reader.borrowing(bytes, reader.offset(place)) { reader, place in
                reader.field(place, rule.entry, node, base)
            }
        }
    }

    override func clear(_ reader: inout PlanReader, _ node: NodeRef?, _ base: Memory, for cause: ClearingCause) {
        for rule in rules { reader.clear(rule.entry, rule.node ?? node, base, for: cause) }
    }

    override func isAbsent(_ reader: inout PlanReader, _ place: Bytes, nesting: Int) -> Bool {
        rules.allSatisfy { rule in
            rule.path == nil && rule.entry.pointee.box?.object.isAbsent(&reader, place, nesting: nesting) == true
        }
    }

    override func each(_ body: (EntryRef) -> Void) {
        for rule in rules { body(rule.entry) }
    }
}
