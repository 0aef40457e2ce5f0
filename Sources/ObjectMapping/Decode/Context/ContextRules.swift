/// The rules of a node that read values around the object; they run after the object is read.
final class ContextRules {
    final class Rule {
        let source: ContextSource
        /// The sources in order.
        let alternatives: [ContextSource]
        let entry: EntryRef

        init(_ source: ContextSource, _ entry: EntryRef) {
            self.source = source
            alternatives = source.alternatives
            self.entry = entry
        }

        /// Reads the value with a closure before the object is read; a missing value is reported with the object.
        func readAhead(
            _ reader: inout PlanReader, _ start: Bytes, _ read: (inout PlanReader, Bytes) -> Bytes?
        ) {
            for source in alternatives {
                guard let value = (try? reader.value(of: source)) ?? nil else { continue }
                let before = reader.findings.kept.count
                let frames = reader.context?.frames.count ?? 0
                let isRead = reader.borrowing(value, reader.offset(start), read)
                if !isRead { reader.context?.close(to: frames) }
                settle(source, &reader, start, before, isRead)
                return
            }
        }

        /// Sets the locations of findings in a value.
        ///
        /// - Parameter before: The number of findings before the value was read.
        fileprivate func settle(
            _ source: ContextSource, _ reader: inout PlanReader, _ start: Bytes, _ before: Int, _ isRead: Bool
        ) {
            if !isRead {
                // The value is valid, so its only possible error is its depth.
                reader.note(
                    .outOfRange, at: start, entry.pointee.rule, "at most \(reader.nesting.limit) levels of nesting",
                    "more levels, including those in the value")
            }
            guard reader.findings.kept.count > before, let offset = reader.offset(of: source) else { return }
            reader.findings.move(from: before, to: offset)
        }

        /// The single member of a surrounding object that is read, if it is a scalar.
        fileprivate var member: Member? {
            guard case .parent(let parent, let path) = source, path.path.components.count == 1,
                let number = path.firstKey, entry.pointee.operation.isScalar
            else { return nil }
            return Member(parent: parent, number: number, entry: entry)
        }
    }

    /// The data of such a rule, without references to count for each object.
    fileprivate struct Member {
        let parent: Int
        let number: Int
        let entry: EntryRef
    }

    private let rules: [Rule]
    /// One entry per rule.
    private let members: [Member?]

    init(_ rules: [Rule]) {
        self.rules = rules
        members = rules.map(\.member)
    }

    /// Reads by each of the rules; returns false if later text is invalid.
    func read(_ reader: inout PlanReader, _ start: Bytes, _ node: NodeRef, _ base: Memory) -> Bool {
        for index in members.indices {
            if let member = members[index], read(member, index, &reader, start, node, base) { continue }
            guard read(rules[index], &reader, start, node, base) else { return false }
        }
        return true
    }

    /// Reads a member of a surrounding object; returns false if its location is not known.
    private func read(
        _ member: Member, _ index: Int, _ reader: inout PlanReader, _ start: Bytes, _ node: NodeRef, _ base: Memory
    ) -> Bool {
        guard let text = reader.earlyMember(member.number, ofParent: member.parent) else { return false }
        let before = reader.findings.kept.count
        let isRead = reader.scalar(lyingAt: text, reader.offset(start), member.entry, node, base)
        if !isRead || reader.findings.kept.count > before {
            rules[index].settle(rules[index].source, &reader, start, before, isRead)
        }
        return true
    }

    /// Whether a rule reads from an enclosing object.
    var readsParents: Bool {
        rules.flatMap(\.alternatives).contains { if case .parent = $0 { true } else { false } }
    }

    /// Whether the object itself contains a value for the rules.
    func findsAny(_ reader: inout PlanReader) -> Bool {
        rules.flatMap(\.alternatives).contains { source in
            guard case .object(levels: 0, _) = source else { return false }
            // If an operator fails, its values exist.
            do { return try reader.value(of: source) != nil } catch { return true }
        }
    }

    private func read(
        _ rule: Rule, _ reader: inout PlanReader, _ start: Bytes, _ node: NodeRef, _ base: Memory
    ) -> Bool {
        // The keys of the object itself are reported, because they are not in its node.
        if let trace = reader.trace {
            for source in rule.alternatives { source.report(to: trace, reader.offset(start)) }
        }
        for source in rule.alternatives {
            do {
                guard let value = try reader.value(of: source) else { continue }
                if let trace = reader.trace { source.report(to: trace, reader.offset(start), isRead: true) }
                set(value, from: source, rule, &reader, start, node, base)
            } catch {
                let before = reader.findings.kept.count
                reader.findings.append(
                    reader.finding(.typeMismatch, at: start, rule.entry.pointee.rule, error.expected, error.found))
                if let offset = reader.offset(of: source, error.path) { reader.findings.move(from: before, to: offset) }
            }
            return true
        }
        if reader.context?.isBroken == true { return false }
        if reader.context?.lacksPayload == true {
            reader.note(
                .mapping, at: start, rule.entry.pointee.rule,
                "a source in the element (a stream keeps only the element in memory)",
                "a source outside of it")
            return true
        }
        if rule.entry.pointee.isRequired { reader.noteMissing(rule.source, rule.entry.pointee.rule, start) }
        reader.clear(rule.entry, start, node, base, for: .absence)
        return true
    }

    private func set(
        _ value: ContextValue, from source: ContextSource, _ rule: Rule, _ reader: inout PlanReader, _ start: Bytes,
        _ node: NodeRef, _ base: Memory
    ) {
        let before = reader.findings.kept.count
        let frames = reader.context?.frames.count ?? 0
        let offset = reader.offset(start)
        let isRead: Bool
        if rule.entry.pointee.operation.isScalar, let text = reader.placeInText(value) {
            isRead = reader.scalar(lyingAt: text, offset, rule.entry, node, base)
        } else {
            isRead = reader.borrowing(value, offset) { $0.field($1, rule.entry, node, base) }
        }
        if !isRead { reader.context?.close(to: frames) }
        rule.settle(source, &reader, start, before, isRead)
    }
}
