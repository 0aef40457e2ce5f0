/// A value that is written by the first case that it fits; what the case would look for is written with it.
final class MatchingOutput<Model>: OutputBox {
    private struct Case {
        let condition: MatchCondition<Model>
        /// Writes the value; nil if it is none of the case's.
        let write: (Memory, inout PlanWriter) -> Outcome?
    }

    private var cases: [Case] = []

    /// Takes over the cases, whose mappings may lead back to the box.
    func resolve(_ cases: [MatchCase<Model>], _ builder: OutputBuilder) {
        self.cases = cases.compactMap { match in
            match.output?(builder).map { Case(condition: match.condition, write: $0) }
        }
    }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        for match in cases {
            if let outcome = write(value, by: match, &writer) { return outcome }
        }
        writer.note(.invalidValue, "a \(Model.self) that one of the cases of its mapping writes", "one that none does")
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
            guard writer.out.open() else { return writer.tooDeep() }
            writer.out.key(key)
            switch match.write(value, &writer) {
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
                return match.write(value, &writer)
            }
            return write(value, by: match, wanted.json, at: keys, path, &writer)
        case .kind, .predicate, .choice, .always: return match.write(value, &writer)
        }
    }

    /// Writes a value that is told by one of its members, and that member with it; nil if the member has another value.
    private func write(
        _ value: Memory, by match: Case, _ wanted: JSON, at keys: [String], _ path: JSONKeyPath,
        _ writer: inout PlanWriter
    ) -> Outcome? {
        let mark = writer.out.count
        let before = writer.findings.count
        guard let outcome = match.write(value, &writer) else { return nil }
        // What was noted has its place in the text, which stays as it is then.
        guard case .written = outcome, writer.findings.count == before, let tree = writer.out.value(from: mark),
            tree.object != nil
        else { return outcome }
        let found = tree[at: path]
        if found == wanted { return .written }
        writer.out.truncate(to: mark)
        if found.exists { return nil }
        let told = keys.reversed().reduce(wanted) { value, key in .object(JSONObject([(key: key, value: value)])) }
        return writer.write(told.merged(with: tree)) ? .written : .absent
    }
}
