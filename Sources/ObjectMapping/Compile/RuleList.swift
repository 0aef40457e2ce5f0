/// Several rules for one value: they read the same bytes one after the other, or the value's tree if they have
/// operators.
final class RuleList: ValueBox {
    struct Rule {
        /// The rest of the key path below the value; `nil` for the value itself.
        var path: JSONKeyPath?
        var entry: EntryRef
        /// The node whose properties the entry sets.
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

    // Reads with the rules that require the value's tree. Not inlined: nested objects would need more stack.
    @inline(never) private func evaluate(
        _ reader: inout PlanReader, _ place: Bytes, _ end: Bytes, _ node: NodeRef?, _ base: Memory
    ) -> Bool {
        // The value was just validated: only operators can fail.
        guard let tree = try? JSON(reader.stretch(place, end), maximumDepth: reader.nesting.limit) else { return false }
        for rule in rules {
            guard let path = rule.path else { continue }
            do {
                try evaluate(rule, path, tree, &reader, place, rule.node ?? node, base)
            } catch {
                var issue = reader.finding(
                    .typeMismatch, at: place, rule.entry.pointee.rule, error.expected, error.found)
                issue.move(
                    by: JSONTokenizer.offset(ofNearest: error.path, in: reader.stretch(place, end)),
                    hasPlaces: reader.hasPlaces)
                reader.findings.append(issue)
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
                reader.note(.missing, at: place, rule.entry.pointee.rule, "a value at '\(path)'", "no value")
            }
            return reader.clear(rule.entry, place, node, base, for: .absence)
        }
        let before = reader.findings.kept.count
        let text = Array(value.text.utf8)
        text.withView { bytes in
            _ = reader.borrowing(bytes, reader.offset(place), computedOffset: 0) { reader, place in
                reader.field(place, rule.entry, node, base)
            }
            if reader.findings.kept.count > before {
                locateFindings(&reader, from: before, in: bytes, ValueOrigin(tree, path, value), place, rule)
            }
        }
    }

    /// Moves findings in a computed text to the values from which it was computed.
    private func locateFindings(
        _ reader: inout PlanReader, from first: Int, in text: ByteView, _ origin: ValueOrigin?, _ place: Bytes,
        _ rule: Rule
    ) {
        let offsets = Set(reader.findings.kept[first...].compactMap(\.computedOffset)).sorted()
        let paths = JSONTokenizer.places(offsets: offsets, in: text).map(\.path)
        let steps = Dictionary(uniqueKeysWithValues: zip(offsets, paths))
        let (hasPlaces, base) = (reader.hasPlaces, reader.borrowed.computedOffset(place))
        let number = rule.entry.pointee.rule
        let source = number < 0 ? nil : JSONKeyPath(reader.plan.rules[Int(number)].source.description)
        reader.findings.change(from: first) { finding in
            guard let offset = finding.computedOffset else { return }
            // An operator's result may have no positions; then the finding is at the operator's operand.
            finding.computedOffset = base
            guard let steps = steps[offset] else { return }
            let source = finding.rule == number ? source : nil
            origin?.locate(&finding, at: steps, hasPlaces: hasPlaces, source: source)
        }
    }

    override func clear(
        _ reader: inout PlanReader, _ place: Bytes, _ node: NodeRef?, _ base: Memory, for cause: ClearingCause
    ) {
        for rule in rules { reader.clear(rule.entry, place, rule.node ?? node, base, for: cause) }
    }

    override func isAbsent(_ reader: inout PlanReader, _ place: Bytes, nesting: Int) -> Bool {
        rules.allSatisfy { rule in
            rule.path == nil && rule.entry.pointee.box?.object.isAbsent(&reader, place, nesting: nesting) == true
        }
    }

    override var holdsIdentities: Bool {
        rules.contains { $0.path == nil && $0.entry.pointee.box?.object.holdsIdentities == true }
    }

    override func collect(_ identities: IdentityCollection, _ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
        let fence = reader.fence
        for rule in rules where rule.path == nil {
            _ = rule.entry.collect(identities, &reader, place)
            reader.rewind(to: fence)
        }
        return reader.skip(place)
    }

    override func each(_ body: (EntryRef) -> Void) {
        for rule in rules { body(rule.entry) }
    }
}
