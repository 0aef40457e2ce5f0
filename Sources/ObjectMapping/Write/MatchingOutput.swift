/// A value that is written by the first case that accepts it and would be selected for its output; the key or value of
/// the case's condition is written with it.
final class MatchingOutput<Model>: OutputBox {
    struct Case {
        let condition: MatchCondition<Model>
        let output: MatchCase<Model>.Output
        /// The name in messages: the number and the condition.
        let name: String
        /// The index of the first case of its table.
        let table: Int
        /// The conditions of earlier cases that the output of the case may meet.
        let earlier: [MatchCondition<Model>]
        /// Later cases that can write the same models.
        var rivals: [Rival] = []

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
    }

    private(set) var cases: [Case] = []

    override var nodes: [Ref<OutputNode>] { cases.compactMap(\.output.node) }

    /// Adds the cases, whose mappings can refer to the box.
    func resolve(_ cases: [MatchCase<Model>], _ builder: OutputBuilder) {
        for case .value(let source, _) in cases.map(\.condition) {
            guard let keys = source.writtenKeys, builder.omitted.contains(keys) else { continue }
            builder.note("an omitted member that does not select a case", "'\(source)', which is written for its case")
        }
        self.cases = cases.enumerated().compactMap { index, match in
            match.output?(builder).map { output in
                Case(
                    condition: match.condition, output: output, name: "case \(index + 1) (\(match.condition.name))",
                    table: index - match.tableIndex,
                    earlier: cases[..<index].map(\.condition).filter { $0.mayMeet(match.condition) })
            }
        }
        builder.check { [self] builder in
            for index in self.cases.indices { self.cases[index].rivals = rivals(ofCaseAt: index, builder) }
            return mistakes(builder)
        }
    }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        let mark = writer.out.count
        let before = writer.findings.count
        let rule = writer.rule
        var first: (match: Case, tree: JSON)?
        for match in cases {
            if match.isAlwaysChosen || writer.trial != nil {
                guard let outcome = write(value, by: match, &writer) else { continue }
                if !match.isAlwaysChosen { writer.trial?.isFinal = false }
                return checked(outcome, of: value, by: match, from: mark, rule, &writer)
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
            if isChosen, isFinal { return checked(outcome, of: value, by: match, from: mark, rule, &writer) }
            writer.out.truncate(to: mark)
            if isChosen {
                let outcome = write(value, by: match, &writer) ?? .absent
                return checked(outcome, of: value, by: match, from: mark, rule, &writer)
            }
            first = first ?? (match, tree)
        }
        if let (match, tree) = first {
            if let rival = rival(of: match, for: value, isChosen: false, &writer) {
                writer.continue(rule)
                note(match, rival, &writer)
                return .written
            }
            if writer.write(tree) { return .written }
        }
        writer.note(
            .invalidValue, "a \(Model.self) that matches a case of its mapping",
            "a value that does not match a case")
        return .written
    }

    /// Replaces the output of a case with an issue if another case writes a value of the model that it omits.
    private func checked(
        _ outcome: Outcome, of value: Memory, by match: Case, from mark: Int, _ rule: Int32,
        _ writer: inout PlanWriter
    ) -> Outcome {
        guard !match.rivals.isEmpty, writer.trial == nil,
            let rival = rival(of: match, for: value, isChosen: true, &writer)
        else { return outcome }
        writer.out.truncate(to: mark)
        writer.continue(rule)
        note(match, rival, &writer)
        return .written
    }

    /// Returns a later case that would write a value of the model that a case omits.
    ///
    /// - Parameter isChosen: Whether the case reads its own output, so that others have to do so, too.
    private func rival(
        of match: Case, for value: Memory, isChosen: Bool, _ writer: inout PlanWriter
    ) -> Case? {
        for rival in match.rivals {
            let other = cases[rival.index]
            guard other.output.accepts(value) else { continue }
            if rival.isLabelled { return other }
            if let tree = trial(value, by: other, &writer), !isChosen || other.isChosen(for: tree),
                rival.omitted.contains(where: { tree.holdsValue(at: $0) })
            {
                return other
            }
        }
        return nil
    }

    /// Returns what a case would write.
    private func trial(_ value: Memory, by match: Case, _ writer: inout PlanWriter) -> JSON? {
        let mark = writer.out.count
        let before = writer.findings.count
        let rule = writer.rule
        writer.trial = PlanWriter.Trial()
        let outcome = write(value, by: match, &writer)
        writer.trial = nil
        defer {
            writer.out.truncate(to: mark)
            writer.findings.removeSubrange(before...)
            writer.continue(rule)
        }
        guard case .written? = outcome, writer.findings.count == before else { return nil }
        return writer.out.value(from: mark)
    }

    private func note(_ match: Case, _ rival: Case, _ writer: inout PlanWriter) {
        writer.note(
            .invalidValue, "a \(Model.self) that only one case writes; `values:` selects the models of a case",
            "a model that \(match.name) and \(rival.name) write differently")
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

extension JSON {
    /// Whether there is a value at a path that is neither null nor an empty array or object.
    fileprivate func holdsValue(at keys: [String]) -> Bool {
        let value = keys.reduce(self) { $0[$1] }
        return value.isPresent && value.array?.isEmpty != true && value.object?.isEmpty != true
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
