extension PlanWriter {
    /// The maximum number of findings.
    private static var mostFindings: Int { 1000 }

    /// Adds an issue of a value that cannot be written, and writes null instead.
    @inline(never) mutating func note(_ kind: MappingIssue.Kind, _ expected: String, _ found: String) {
        remember(kind, expected, found, at: out.count)
        out.null()
    }

    /// Adds an issue of the value at an offset.
    ///
    /// - Parameter path: The path in the value, if the whole value is replaced with null.
    mutating func remember(
        _ kind: MappingIssue.Kind, _ expected: String, _ found: String, at offset: Int, _ path: [JSONPathStep] = []
    ) {
        guard findings.count < PlanWriter.mostFindings else { return }
        findings.append(
            Finding(kind: kind, offset: offset, rule: rule, expected: expected, found: found, below: path))
    }

    /// Adds the issue of an object that contains itself, which ends the serialization.
    mutating func noteCycle(from container: Int) -> OutputBox.Outcome {
        if !hasNotedDepth {
            hasNotedDepth = true
            remember(
                .invalidValue,
                "an object that does not contain itself (`.readOnly` excludes a relationship from writing)", "",
                at: out.count)
            cycle = (findings.count - 1, container)
            out.stop()
        }
        out.null()
        return .written
    }

    mutating func noteNotFinite(_ value: Double) {
        note(.outOfRange, "a finite number", value.isNaN ? "NaN" : "infinity")
    }

    /// Adds the issue of a value without members for the open object.
    mutating func noteNoMembers() {
        out.comma()
        note(.typeMismatch, "an object, whose members are written into the enclosing one", "another value")
    }

    /// Adds the issue of an object without a key.
    mutating func noteNoMemberKey() {
        out.string("?")
        out.buffer.append(.colon)
        remember(.mapping, "a rule with the source .key, to name the members", "no such rule", at: out.count)
    }

    /// Adds the issue of a failed conversion.
    mutating func note(_ error: any Error, expected: String) {
        guard let failure = error as? ConversionFailure else {
            return note(.invalidValue, expected, "a value that the conversion rejects")
        }
        remember(failure.kind, failure.expected, failure.found, at: out.count, failure.path)
        out.null()
    }

    /// Writes null for a value that is nested too deeply.
    @inline(never) mutating func tooDeep() -> OutputBox.Outcome {
        noteTooDeep(at: out.count)
        out.null()
        return .written
    }

    /// Adds the issue of a value that is nested too deeply, once; it ends the serialization.
    mutating func noteTooDeep(at offset: Int) {
        guard !hasNotedDepth else { return }
        hasNotedDepth = true
        if isStackFull { return remember(.limit, StackRoom.expected, StackRoom.found, at: offset) }
        remember(
            .limit, "at most \(out.maximumDepth) levels of objects",
            "more levels, possibly a reference cycle", at: offset)
    }

    /// Throws the findings.
    func check() throws(MappingError) {
        if !findings.isEmpty { throw MappingError(issues) }
    }

    private var issues: [MappingIssue] {
        out.withBytes { text in
            var findings = findings
            if let (finding, container) = cycle {
                let path = JSONTokenizer.places(offsets: [container], in: text).map(\.path.text).joined()
                findings[finding].found = "the object at \(path)"
            }
            return plan.rules.located(findings, in: text).map(\.withoutPlace)
        }
    }
}
