extension MatchingBox {
    /// Reads by a mapping that a closure gave: a decode of its own over the value, as its plan knows nothing of this one.
    static func reading(by mapping: Mapping<Model>) -> ChosenReading {
        { reader, state, memory in
            guard let memory else {
                reader.note(
                    .mapping, reader.offset(state.place), "a mapping whose rules are known, to update by",
                    "one that a closure gives", rule: state.rule)
                return false
            }
            guard let end = state.end?.place else { return false }
            guard reader.matching.mayNest else {
                reader.note(
                    .limit, at: state.place, state.rule,
                    "at most \(MatchingProgress.mostDepth) mappings that closures give, one within the other",
                    "more of them")
                return false
            }
            guard let compiled = reader.compiled(mapping, state) else { return false }
            return reader.read(reader.stretch(state.place, end), reader.offset(state.place), compiled, memory)
        }
    }
}

// What is not inlined below has no part in the stack of the objects within the object.
extension PlanReader {
    /// The plan of a mapping; nil if there are mistakes in it.
    @inline(never)
    fileprivate mutating func compiled<Model>(_ mapping: Mapping<Model>, _ state: MatchState) -> CompiledMapping? {
        do throws(MappingError) {
            return try mapping.storage.compiled(registering: session != nil)
        } catch {
            for issue in error.issues {
                findings.append(
                    Finding(
                        kind: issue.kind, offset: offset(state.place), rule: state.rule, expected: issue.expected,
                        found: issue.found, suggestions: issue.suggestions))
            }
            return nil
        }
    }

    /// Reads a value by another plan, whose findings become those of this decode; whether a model was made.
    @inline(never) fileprivate mutating func read(
        _ bytes: ByteView, _ offset: Int, _ compiled: CompiledMapping, _ memory: Memory
    ) -> Bool {
        // Not on the stack, where each of the objects in each other would have one.
        let inner = Ref<PlanReader>.allocate(capacity: 1)
        // Without a session around it the value is one of its own.
        let own = compiled.isRegistering && session == nil ? SessionDecode(MappingSession()) : nil
        prepare(inner, bytes, compiled, session ?? own)
        let result = compiled.objects.make(
            &inner.pointee, inner.pointee.token(inner.pointee.window.start), compiled.plan.wholeValue, memory)
        own?.commit()
        take(inner, offset, compiled.plan)
        inner.deallocate()
        return result.isMade
    }

    /// Puts a reader of another plan into empty memory.
    @inline(never) private func prepare(
        _ inner: Ref<PlanReader>, _ bytes: ByteView, _ compiled: CompiledMapping,
        _ session: SessionDecode?
    ) {
        inner.initialize(
            to: PlanReader(
                plan: compiled.plan, window: Window(bytes), limits: MappingLimits(depth: nesting.limit),
                metadata: context?.metadata ?? [:]))
        inner.pointee.nesting = nesting
        inner.pointee.matching = matching.nested
        inner.pointee.session = session
    }

    /// Takes over what another reader found in the value at an offset, and empties its memory.
    @inline(never) private mutating func take(_ inner: Ref<PlanReader>, _ offset: Int, _ plan: Plan) {
        for finding in inner.pointee.findings.kept {
            var finding = finding
            finding.offset += offset
            if finding.rule >= 0 { finding.ruleName = plan.rules[Int(finding.rule)].description }
            finding.rule = -1
            findings.append(finding)
        }
        inner.deinitialize(count: 1)
    }
}
