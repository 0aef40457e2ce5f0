/// A value of which the content says by what box it is read.
final class MatchingBox<Model>: TypedObjectBox<Model> {
    private var steps: [MatchStep] = []
    /// By their numbers; they may lead back to this box, so that only the plan keeps them.
    private var branches: [Borrowed<ObjectBox>] = []
    /// What chooses among those that notice when the value it goes by comes again.
    private var early: EarlyChoice?
    /// Those that read the value itself, not one of its members.
    private var outer: [Borrowed<ObjectBox>] = []
    private var isContextual = false

    /// Takes over the cases, whose targets may lead back to the box.
    func resolve(_ cases: [MatchCase<Model>], _ draft: PlanBuilder.Draft, _ builder: PlanBuilder) {
        branches = cases.map { Borrowed($0.target(builder)) }
        outer = zip(cases, branches).compactMap { if case .wrapper = $0.condition { nil } else { $1 } }
        let cases = MatchCases(cases, builder) { mapping in MatchingBox.reading(by: mapping) }
        steps = cases.steps
        isContextual = cases.isContextual
        early = (steps.first as? ValueStep).flatMap { EarlyChoice($0, branches, builder) }
        // The node has no rules; with one for the whole value it is known to read more than objects.
        if cases.readsAnyValue { draft.whole.append(.init(entry: Entry(operation: .value))) }
    }

    override var sameValueBoxes: [ObjectBox] { outer.map { $0.object } }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        var choice = MatchChoice(place)
        guard choose(&reader, place, entry.pointee.rule, memory, &choice) else { return .broken }
        guard let box = choice.box else { return MakeResult(end: choice.end, isMade: choice.isMade) }
        let result = box.with { $0.make(&reader, choice.place, entry, memory) }
        guard let end = result.end else { return .broken }
        return MakeResult(end: choice.close(&reader, end), isMade: result.isMade)
    }

    override func update(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        var choice = MatchChoice(place)
        guard choose(&reader, place, entry.pointee.rule, nil, &choice) else { return nil }
        guard let box = choice.box else { return choice.end }
        return box.with { $0.update(&reader, choice.place, entry, memory) }
            .map { choice.close(&reader, $0) }
    }

    // What is not inlined below has no part in the stack of the objects within the object.

    /// Finds the box that reads a value, and goes to where it begins to read; false for broken JSON.
    ///
    /// - Parameter memory: Where the model is made if a closure gives a mapping for it; nil if there is one already.
    @inline(never) private func choose(
        _ reader: inout PlanReader, _ place: Bytes, _ rule: Int32, _ memory: Memory?, _ choice: inout MatchChoice
    ) -> Bool {
        var state = MatchState(reader, place, rule: rule)
        if isContextual {
            choice.openContext(&reader, place)
        } else if reader.matching.takesValuesEarly, let branch = early?.branch(&reader, state) {
            (choice.box, choice.place) = (branches[branch], place)
            return true
        }
        for step in steps {
            switch step.match(&reader, &state) {
            case .none: continue
            case .broken: return false
            case .branch(let number):
                reader.rewind(to: state.fence)
                (choice.box, choice.place) = (branches[number], place)
                return true
            case .wrapped(let number, let member, let fence):
                choice.openContext(&reader, place)
                return choice.enter(&reader, branches[number], member, fence, state)
            case .mapping(let read):
                choice.isMade = read(&reader, state, memory)
                return choice.leave(&reader, state)
            }
        }
        guard state.passIfNeeded(&reader) else { return false }
        reader.noteUnmatched(&state, steps)
        return choice.leave(&reader, state)
    }
}
