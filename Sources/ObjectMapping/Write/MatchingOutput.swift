/// A value that is written by the first case that accepts it and would be selected for its output; the key or value of
/// the case's condition is written with it.
final class MatchingOutput<Model>: OutputBox {
    private struct Case {
        let condition: MatchCondition<Model>
        let output: MatchCase<Model>.Output
        /// The conditions of earlier cases that the output of the case may meet.
        let earlier: [MatchCondition<Model>]

        /// Whether the mapping is known to select the case for all of its output.
        var isAlwaysChosen: Bool {
            switch condition {
            case .value, .wrapper, .always: earlier.isEmpty
            case .kind, .predicate, .choice: false
            }
        }

        /// Whether the mapping would select the case for its output.
        func isChosen(for json: JSON) -> Bool {
            condition.matches(json) != false && !earlier.contains { $0.matches(json) == true }
        }

        /// Whether the case writes all models that a later one could.
        func hides(_ later: Case, _ builder: OutputBuilder) -> Bool {
            guard let type = output.type, type == later.output.type, output.mapping != later.output.mapping else {
                return false
            }
            switch condition {
            case .wrapper, .always: return true
            case .value(let source, _):
                guard case .path(let path) = source.kind, let keys = path.plainKeys, !keys.isEmpty else { return false }
                return !builder.writes(keys[...], in: output.node)
            case .kind, .predicate, .choice: return false
            }
        }
    }

    private var cases: [Case] = []

    override var nodes: [Ref<OutputNode>] { cases.compactMap(\.output.node) }

    /// Adds the cases, whose mappings can refer to the box.
    func resolve(_ cases: [MatchCase<Model>], _ builder: OutputBuilder) {
        self.cases = cases.enumerated().compactMap { index, match in
            match.output?(builder).map { output in
                Case(
                    condition: match.condition, output: output,
                    earlier: cases[..<index].map(\.condition).filter { $0.mayMeet(match.condition) })
            }
        }
        builder.check { [cases = self.cases] builder in
            let hasHidden = cases.indices.contains { index in
                cases[..<index].contains { $0.hides(cases[index], builder) }
            }
            guard hasHidden else { return nil }
            return .mapping(
                "cases of \(Model.self) that can be distinguished when writing; `values: { _ in nil }` excludes a case",
                "a case that is never used: an earlier one writes all models of its type")
        }
    }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        let mark = writer.out.count
        let before = writer.findings.count
        var first: JSON?
        for match in cases {
            if match.isAlwaysChosen || writer.trial != nil {
                guard let outcome = write(value, by: match, &writer) else { continue }
                if !match.isAlwaysChosen { writer.trial?.isFinal = false }
                return outcome
            }
            // Nested values are written by their first cases: nested trials would double the time with each level.
            writer.trial = PlanWriter.Trial()
            let outcome = write(value, by: match, &writer)
            let isFinal = writer.trial?.isFinal != false
            writer.trial = nil
            guard let outcome else { continue }
            guard case .written = outcome, writer.findings.count == before, let tree = writer.out.value(from: mark)
            else { return outcome }
            let isChosen = match.isChosen(for: tree)
            if isChosen, isFinal { return outcome }
            writer.out.truncate(to: mark)
            if isChosen { return write(value, by: match, &writer) ?? .absent }
            first = first ?? tree
        }
        if let first, writer.write(first) { return .written }
        writer.note(
            .invalidValue, "a \(Model.self) that matches a case of its mapping",
            "a value that does not match a case")
        return .written
    }

    override func writeMembers(_ value: Memory, _ writer: inout PlanWriter) {
        let mark = writer.out.count
        let before = writer.findings.count
        writer.out.comma()
        guard case .written = write(value, &writer), writer.findings.count == before,
            let tree = writer.out.value(from: mark + 1)
        else { return }
        writer.out.truncate(to: mark)
        writer.writeMembers(of: tree)
    }

    private func write(_ value: Memory, by match: Case, _ writer: inout PlanWriter) -> Outcome? {
        switch match.condition {
        case .wrapper(let key):
            let mark = writer.out.count
            guard writer.open() else { return writer.tooDeep() }
            writer.out.key(key)
            switch match.output.write(value, &writer) {
            case .written: break
            case .null, .absent: writer.out.null()
            case nil:
                writer.out.truncate(to: mark)
                writer.out.leave()
                return nil
            }
            writer.out.closeObject(from: mark)
            return .written
        case .value(let source, let wanted):
            guard case .path(let path) = source.kind, let keys = path.plainKeys, !keys.isEmpty else {
                return match.output.write(value, &writer)
            }
            return write(value, by: match, wanted.json, at: keys, path, &writer)
        case .kind, .predicate, .choice, .always: return match.output.write(value, &writer)
        }
    }

    /// Writes a value that is identified by a member, including that member; returns `nil` if the member has another
    /// value.
    private func write(
        _ value: Memory, by match: Case, _ wanted: JSON, at keys: [String], _ path: JSONKeyPath,
        _ writer: inout PlanWriter
    ) -> Outcome? {
        let mark = writer.out.count
        let before = writer.findings.count
        guard let outcome = match.output.write(value, &writer) else { return nil }
        // Findings refer to places in the text, which is unchanged then.
        guard case .written = outcome, writer.findings.count == before, let tree = writer.out.value(from: mark),
            let members = tree.object
        else { return outcome }
        let found = tree[at: path]
        if found == wanted { return .written }
        writer.out.truncate(to: mark)
        if found.exists { return nil }
        let inner = keys.dropFirst().reversed().reduce(wanted) { .object(JSONObject(unique: [($1, $0)])) }
        var merged = MergedObject.preferringFirst
        merged.add(JSONObject(unique: [(keys[0], inner)]))
        merged.add(members)
        return writer.write(.object(merged.object)) ? .written : .absent
    }
}

extension MatchCondition {
    /// Whether the value meets the condition; `nil` if it depends on the surroundings of the value.
    fileprivate func matches(_ json: JSON) -> Bool? {
        switch self {
        case .value(let source, let value): source.value(in: json).map { $0 == value.json }
        case .kind(let source, let kind): source.value(in: json).map { $0.exists && JSONKind(of: $0) == kind }
        case .wrapper(let key): json.object?[key] != nil
        case .predicate(let condition): condition(json)
        case .choice(let choose): choose(json) != nil
        case .always: true
        }
    }

    /// Whether the output of a case with another condition may meet this one.
    fileprivate func mayMeet(_ other: MatchCondition) -> Bool {
        switch (self, other) {
        case (.value(let source, _), .value(let other, _)): source != other
        case (.wrapper, .wrapper): false
        default: true
        }
    }
}

extension MappingSource {
    /// Returns the value of the source in a value, which may be absent; `nil` if the source is around the value.
    fileprivate func value(in json: JSON) -> JSON? {
        switch kind {
        case .path(let path): return json[at: path]
        case .first(let sources):
            let values = sources.map { $0.value(in: json) }
            if values.contains(nil) { return nil }
            return values.lazy.compactMap(\.self).first(where: \.exists) ?? .absent
        case .keyed, .key, .parent, .root, .metadata, .index, .propertyName: return nil
        }
    }
}
