/// Combines the cases of a mapping that selects by content to steps.
struct MatchCases<Model> {
    private(set) var steps: [MatchStep] = []
    /// Whether a condition tests the value itself, which may not be an object.
    private(set) var readsAnyValue = false
    /// Whether sources require the surroundings of the value.
    private(set) var isContextual = false
    private let builder: PlanBuilder
    /// Consecutive cases that compare the value of the same source.
    private var values: [(value: MatchValue, branch: Int)] = []
    private var source: MappingSource?
    private var wrappers: [(key: String, branch: Int)] = []
    private var known: Set<Known> = []
    private var isComplete = false

    /// The condition of a case; a second case with the same condition is never reached.
    private enum Known: Hashable {
        case value(MappingSource, JSON)
        case kind(MappingSource, JSONKind)
        case wrapper(String)
    }

    /// - Parameter reading: Reads with a mapping returned by a closure.
    init(_ cases: [MatchCase<Model>], _ builder: PlanBuilder, reading: @escaping (Mapping<Model>) -> ChosenReading) {
        self.builder = builder
        if cases.isEmpty { mistake("a Match or an Otherwise", "no cases") }
        for (branch, match) in cases.enumerated() {
            if isComplete {
                mistake("no case after one that accepts every value", "\(cases.count - branch) unreachable")
            }
            isComplete = false
            add(match.condition, branch, reading)
        }
        close()
    }

    private mutating func add(
        _ condition: MatchCondition<Model>, _ branch: Int, _ reading: @escaping (Mapping<Model>) -> ChosenReading
    ) {
        switch condition {
        case .value(let source, let value):
            note(.value(source, value.json), "\(value.name) of '\(source)'")
            if self.source != source { close() }
            self.source = source
            values.append((value, branch))
            return
        case .wrapper(let key):
            note(.wrapper(key), "'\(key)'")
            if wrappers.isEmpty { close() }
            return wrappers.append((key, branch))
        default: close()
        }
        switch condition {
        case .kind(let source, let kind):
            note(.kind(source, kind), "\(kind.name) at '\(source)'")
            steps.append(.kind(matchSource(source), kind, branch: branch))
        case .predicate(let condition): steps.append(.condition { condition($0) ? .branch(branch) : .none })
        case .choice(let choose):
            if builder.rows != nil {
                mistake("a case with a fixed mapping, for rows", "a closure that returns a mapping")
            }
            // A mapping returned by a closure has a separate plan, which receives the context of this decode.
            builder.contextPaths.isNeeded = true
            steps.append(.condition { choose($0).map { .mapping(reading($0)) } ?? .none })
        default:
            isComplete = true
            steps.append(.otherwise(branch: branch))
        }
    }

    /// Ends the cases of one step.
    private mutating func close() {
        if let source {
            steps.append(.value(matchSource(source), MatchTable(values, builder)))
            (values, self.source) = ([], nil)
        }
        if !wrappers.isEmpty {
            steps.append(.wrapper(keys: wrappers.map(\.key), builder.table(wrappers.map { ($0.key, $0.branch) })))
            wrappers = []
        }
    }

    private mutating func matchSource(_ source: MappingSource) -> MatchSource {
        let rule = builder.rule(source) { "a case of \(Model.self)" }
        let found = MatchSource(source, rule: rule, builder)
        readsAnyValue = readsAnyValue || found.isCurrentValue
        isContextual = isContextual || found.isContextual
        return found
    }

    private mutating func note(_ new: Known, _ name: String) {
        if !known.insert(new).inserted { mistake("one case for each value", "two cases for \(name)", isFatal: false) }
    }

    private func mistake(_ expected: String, _ found: String, isFatal: Bool = true) {
        builder.mistake(expected: "\(expected) in the mapping of \(Model.self)", found: found, isFatal: isFatal)
    }
}
