extension PlanWriter {
    /// The most that is noted: each of them would be read by someone.
    private static var mostFindings: Int { 1000 }

    /// Notes that a value cannot be written, and writes null in its place.
    @inline(never) mutating func note(_ kind: MappingIssue.Kind, _ expected: String, _ found: String) {
        remember(kind, expected, found, at: out.count)
        out.null()
    }

    /// Notes that the value at an offset is not what it should be.
    ///
    /// - Parameter path: Where in the value, if a null stands for all of it.
    mutating func remember(
        _ kind: MappingIssue.Kind, _ expected: String, _ found: String, at offset: Int, _ path: [JSONPathStep] = []
    ) {
        guard findings.count < PlanWriter.mostFindings else { return }
        findings.append(
            Finding(
                offset: offset, rule: rule,
                failure: ConversionFailure(kind, at: path, expected: expected, found: found)))
    }

    /// Notes that an object contains itself, which ends the serialization.
    mutating func noteCycle(from container: Int) -> OutputBox.Outcome {
        if !hasNotedDepth {
            hasNotedDepth = true
            remember(
                .invalidValue,
                "an object that does not contain itself (`.readOnly` excludes a relationship from writing)", "",
                at: out.count)
            findings[findings.count - 1].container = container
            out.stop()
        }
        out.null()
        return .written
    }

    mutating func noteNotFinite(_ value: Double) {
        note(.outOfRange, "a finite number", value.isNaN ? "NaN" : "infinity")
    }

    /// Notes that a value has no members to become those of the object that is open.
    mutating func noteNoMembers() {
        out.comma()
        note(.typeMismatch, "an object, whose members go into the one around it", "another value")
    }

    /// Notes that nothing says under which key an object is to stand.
    mutating func noteNoMemberKey() {
        out.string("?")
        out.buffer.append(.colon)
        remember(.mapping, "a rule with the source .key, to name the members", "none", at: out.count)
    }

    /// Notes why a value was not converted.
    mutating func note(_ error: any Error, expected: String) {
        guard let failure = error as? ConversionFailure else {
            return note(.invalidValue, expected, "a value that the conversion refuses")
        }
        remember(failure.kind, failure.expected, failure.found, at: out.count, failure.path)
        out.null()
    }

    /// Writes null for what nests too deep.
    @inline(never) mutating func tooDeep() -> OutputBox.Outcome {
        noteTooDeep(at: out.count)
        out.null()
        return .written
    }

    /// Notes, once, that something nests too deep, which ends the serialization.
    mutating func noteTooDeep(at offset: Int) {
        guard !hasNotedDepth else { return }
        hasNotedDepth = true
        if isStackFull { return remember(.limit, StackRoom.expected, StackRoom.found, at: offset) }
        remember(
            .limit, "objects that nest at most \(out.maximumDepth) deep",
            "deeper ones, as of objects that hold each other", at: offset)
    }

    /// Throws what could not be written.
    func check() throws(MappingError) {
        if findings.isEmpty { return }
        throw MappingError(issues)
    }

    private var issues: [MappingIssue] {
        let sorted = findings.sorted { $0.offset < $1.offset }
        let places = out.withBytes { JSONTokenizer.places(offsets: sorted.map(\.offset), in: $0) }
        return zip(sorted, places).map { finding, place in
            let rule = finding.rule >= 0 ? plan.rules[Int(finding.rule)].description : nil
            let container = finding.container.map { offset in
                out.withBytes { JSONTokenizer.places(offsets: [offset], in: $0) }.map(\.path.text)
            }
            return MappingIssue(
                kind: finding.failure.kind, path: (place.path + finding.failure.path).text, rule: rule,
                expected: finding.failure.expected,
                found: container.map { "the object at \($0.joined())" } ?? finding.failure.found)
        }
    }
}
