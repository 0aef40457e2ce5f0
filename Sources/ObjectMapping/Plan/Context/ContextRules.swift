/// The rules of a node for what stands around the object, run once the object is read.
final class ContextRules {
    final class Rule {
        let source: ContextSource
        /// The sources in turn.
        let alternatives: [ContextSource]
        let entry: UnsafeMutablePointer<Entry>

        init(_ source: ContextSource, _ entry: UnsafeMutablePointer<Entry>) {
            self.source = source
            alternatives = source.alternatives
            self.entry = entry
        }
    }

    private let rules: [Rule]

    init(_ rules: [Rule]) { self.rules = rules }

    /// Reads by each of the rules; false if the text is broken further on.
    func read(
        _ reader: inout PlanReader, _ start: Bytes, _ node: UnsafeMutablePointer<Node>, _ base: Memory
    ) -> Bool {
        rules.allSatisfy { read($0, &reader, start, node, base) }
    }

    /// Whether a rule reads from an object that holds the model.
    var readsParents: Bool {
        rules.flatMap(\.alternatives).contains { if case .parent = $0 { true } else { false } }
    }

    /// Whether there is anything in the object itself that the rules read.
    func findsAny(_ reader: inout PlanReader) -> Bool {
        rules.flatMap(\.alternatives).contains { source in
            guard case .object(levels: 0, _) = source else { return false }
            // An operator over wrong values found them.
            do { return try reader.value(of: source) != nil } catch { return true }
        }
    }

    private func read(
        _ rule: Rule, _ reader: inout PlanReader, _ start: Bytes, _ node: UnsafeMutablePointer<Node>, _ base: Memory
    ) -> Bool {
        for source in rule.alternatives {
            do {
                guard let value = try reader.value(of: source) else { continue }
                set(value, from: source, rule, &reader, start, node, base)
            } catch {
                reader.note(
                    .typeMismatch, reader.offset(of: source, error.path) ?? reader.offset(start), error.expected,
                    error.found, rule: rule.entry.pointee.rule)
            }
            return true
        }
        if reader.context?.isBroken == true { return false }
        if reader.context?.lacksPayload == true {
            reader.note(
                .mapping, at: start, rule.entry.pointee.rule, "a source in the element, which alone is in memory",
                "one outside of it")
            return true
        }
        if rule.entry.pointee.isRequired { reader.noteMissing(rule.source, rule.entry.pointee.rule, start) }
        reader.clear(rule.entry, node, base, for: .absence)
        return true
    }

    private func set(
        _ value: ContextValue, from source: ContextSource, _ rule: Rule, _ reader: inout PlanReader, _ start: Bytes,
        _ node: UnsafeMutablePointer<Node>, _ base: Memory
    ) {
        let before = reader.findings.kept.count
        let frames = reader.context?.frames.count ?? 0
        let offset = reader.offset(start)
        let read: (inout PlanReader, Bytes) -> Bytes? = { $0.field($1, rule.entry, node, base) }
        let inPlace =
            rule.entry.pointee.operation.isScalar ? reader.borrowingInPlace(value, offset, read) : nil
        let isRead = inPlace ?? reader.borrowing(value, offset, read)
        if !isRead {
            // The value is sound, so it can only lie too deep for where it is read.
            reader.context?.close(to: frames)
            reader.note(
                .outOfRange, reader.offset(start), "at most \(reader.maximumDepth) levels of arrays and objects",
                "more of them with those of the value", rule: rule.entry.pointee.rule)
        }
        guard reader.findings.kept.count > before, let offset = reader.offset(of: source) else { return }
        reader.findings.move(from: before, to: offset)
    }
}
