extension MatchingBox {
    /// Reads by a mapping that a closure gave: a decode of its own over the value, as its plan knows nothing of this one.
    static func reading(by mapping: Mapping<Model>) -> ChosenReading {
        { reader, state, memory in
            guard let memory else {
                return reader.note(
                    .mapping, reader.offset(state.place), "a mapping whose rules are known, to update by",
                    "one that a closure gives", rule: state.rule)
            }
            guard let end = state.end?.place else { return }
            do throws(MappingError) {
                let compiled = try mapping.storage.compiled(registering: reader.session != nil)
                reader.read(reader.stretch(state.place, end), reader.offset(state.place), compiled, memory)
            } catch {
                for issue in error.issues {
                    reader.findings.append(
                        Finding(
                            kind: issue.kind, offset: reader.offset(state.place), rule: state.rule,
                            expected: issue.expected, found: issue.found, suggestions: issue.suggestions))
                }
            }
        }
    }
}

extension PlanReader {
    /// Reads a value by another plan; its findings become those of this decode.
    fileprivate mutating func read(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ compiled: CompiledMapping, _ memory: Memory
    ) {
        var inner = PlanReader(
            plan: compiled.plan, window: Window(bytes), limits: MappingLimits(depth: maximumDepth),
            metadata: context?.metadata ?? [:])
        defer { inner.free() }
        inner.depth = depth
        // At its start a chosen mapping leaves the choice to the next one; anywhere else it goes deeper into the text.
        inner.choices = choices > 0 && offset == 0 ? choices + 1 : 1
        guard inner.choices <= PlanReader.mostBorrowings else { return noteEndless(offset) }
        // Without a session around it the value is one of its own.
        let own = compiled.isRegistering && session == nil ? SessionDecode(MappingSession()) : nil
        inner.session = session ?? own
        var entry = Entry(operation: .value)
        isMade =
            compiled.objects.make(&inner, inner.token(inner.window.start), &entry, memory) != nil && inner.isMade
        own?.commit()
        for finding in inner.findings.kept {
            var finding = finding
            finding.offset += offset
            if finding.rule >= 0 { finding.ruleName = compiled.plan.rules[Int(finding.rule)].description }
            finding.rule = -1
            findings.append(finding)
        }
    }
}
