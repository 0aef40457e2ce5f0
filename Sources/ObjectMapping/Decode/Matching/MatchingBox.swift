/// A value whose content selects its box.
final class MatchingBox<Model>: TypedObjectBox<Model> {
    private var steps: [MatchStep] = []
    /// The branches by number; only the plan retains them, because they can refer to this box.
    private var branches: [Borrowed<ObjectBox>] = []
    /// Selects among the branches that detect a repeated key.
    private var early: EarlyChoice?
    /// The branches that read the value itself, and not a member.
    private var outer: [Borrowed<ObjectBox>] = []
    private var isContextual = false

    /// Adds the cases, whose targets can refer to the box.
    func resolve(_ cases: [MatchCase<Model>], _ draft: PlanBuilder.Draft, _ builder: PlanBuilder) {
        branches = cases.map { Borrowed($0.target(builder)) }
        outer = zip(cases, branches).compactMap { if case .wrapper = $0.condition { nil } else { $1 } }
        let cases = MatchCases(cases, builder) { mapping in MatchingBox.reading(by: mapping) }
        steps = cases.steps
        isContextual = cases.isContextual
        early = EarlyChoice(steps.first, branches, builder)
        // The node has no rules; an entry for the whole value marks it as reading other values than objects.
        if cases.readsAnyValue { draft.valueActions.append(.init(entry: Entry(operation: .value))) }
    }

    override var sameValueBoxes: [ObjectBox] { outer.map { $0.object } }

    override func collect(_ identities: IdentityCollection, _ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
        // Closures are called once per value, when it is read.
        if steps.contains(where: { if case .condition = $0 { true } else { false } }) {
            identities.skipObjects()
            return reader.skip(place)
        }
        var choice = MatchChoice(place)
        guard choose(&reader, place, -1, nil, &choice) else { return nil }
        guard let box = choice.box else { return choice.end }
        return box.with { $0.collect(identities, &reader, choice.place) }.map { choice.close(&reader, $0) }
    }

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
        return box.with { $0.update(&reader, choice.place, entry, memory) }.map { choice.close(&reader, $0) }
    }

    /// Selects the box of a value, and moves to its start; returns false for invalid JSON.
    ///
    /// Not inlined: nested objects would need more stack.
    ///
    /// - Parameter memory: The memory of the model if a closure returns its mapping; `nil` if a model exists.
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
                return choice.leave(&reader, state) && reader.failure == nil
            }
        }
        guard state.passIfNeeded(&reader) else { return false }
        reader.noteUnmatched(&state, steps)
        return choice.leave(&reader, state)
    }
}

extension MatchingBox {
    /// Reads with a mapping returned by a closure: a separate decode, because it has a separate plan.
    static func reading(by mapping: Mapping<Model>) -> ChosenReading {
        { reader, state, memory in
            guard let memory else {
                reader.note(
                    .mapping, at: state.place, state.rule, "a mapping with known rules, for `update`",
                    "a mapping returned by a closure")
                return false
            }
            guard let end = state.end?.place else { return false }
            guard reader.matching.mayNest else {
                reader.note(
                    .limit, at: state.place, state.rule,
                    "at most \(MatchingProgress.mostDepth) nested mappings from closures",
                    "more of them")
                return false
            }
            guard reader.hasStack(for: state.place), let compiled = reader.compiled(mapping, state) else {
                return false
            }
            return reader.read(reader.stretch(state.place, end), reader.offset(state.place), compiled, memory)
        }
    }
}

// Not inlined below: nested objects would need more stack.
extension PlanReader {
    /// Returns the plan of a mapping; `nil` if the mapping is invalid.
    @inline(never)
    fileprivate mutating func compiled<Model>(_ mapping: Mapping<Model>, _ state: MatchState) -> CompiledMapping? {
        do throws(MappingError) {
            let compiled = try mapping.storage.compiled(registering: source != nil)
            if source?.source.requiresIdentity == true { try compiled.checkIdentities() }
            return compiled
        } catch {
            for issue in error.issues {
                note(issue.kind, at: state.place, state.rule, issue.expected, issue.found, issue.suggestions)
            }
            return nil
        }
    }

    /// Reads a value with another plan, and adds its findings to this decode; returns whether a model was created.
    @inline(never) fileprivate mutating func read(
        _ bytes: ByteView, _ offset: Int, _ compiled: CompiledMapping, _ memory: Memory
    ) -> Bool {
        // Allocated on the heap, because nested objects would need more stack.
        let inner = Ref<PlanReader>.allocate(capacity: 1)
        // Without a data source, the value has a separate session.
        let own = compiled.isRegistering && source == nil ? SourceDecode(MappingSession()) : nil
        prepare(inner, bytes, compiled, source ?? own)
        let first = source?.pendingCount ?? 0
        let result = compiled.objects.make(
            &inner.pointee, inner.pointee.token(inner.pointee.window.start), compiled.plan.wholeValue, memory)
        _ = own?.commit()
        source?.move(from: first, by: offset)
        take(inner, offset, compiled.plan)
        inner.deallocate()
        return result.isMade
    }

    /// Creates a reader of another plan in empty memory.
    @inline(never) private func prepare(
        _ inner: Ref<PlanReader>, _ bytes: ByteView, _ compiled: CompiledMapping, _ source: SourceDecode?
    ) {
        inner.initialize(
            to: PlanReader(
                plan: compiled.plan, window: Window(bytes), limits: MappingLimits(depth: nesting.limit),
                metadata: context?.metadata ?? [:]))
        inner.pointee.nesting = nesting
        inner.pointee.matching = matching.nested
        inner.pointee.source = source
    }

    /// Adds the findings of another reader for the value at an offset, and empties its memory.
    @inline(never) private mutating func take(_ inner: Ref<PlanReader>, _ offset: Int, _ plan: Plan) {
        for finding in inner.pointee.findings.kept {
            var finding = finding
            finding.offset += offset
            if finding.rule >= 0 { finding.ruleName = plan.rules[Int(finding.rule)].description }
            finding.rule = -1
            findings.append(finding)
        }
        if var failure = inner.pointee.stackFailure {
            failure.offset += offset
            stackFailure = failure
        }
        inner.deinitialize(count: 1)
    }
}
