extension Plan {
    /// The findings in a text, or in one element of it, as issues: at most so many, and one that says how many more.
    ///
    /// - Parameters:
    ///   - text: the payload or element, in which the findings' offsets count from `base`.
    ///   - base: the place of its first byte in the payload.
    ///   - prefix: the element's path.
    ///   - limit: how many are told.
    func issues(
        _ findings: FindingList, in text: ByteView, at base: TextPosition = TextPosition(),
        under prefix: [JSONPathStep]? = nil, limit: Int
    ) -> [MappingIssue] {
        let steps = prefix ?? []
        guard findings.count > limit else { return located(findings.kept, in: text, at: base, under: steps) }
        // Warnings are left out first: then the issue of what was left out is an error only where others are.
        let ranked = findings.kept.sorted { ($0.isWarning ? 1 : 0, $0.offset) < ($1.isWarning ? 1 : 0, $1.offset) }
        let next = ranked[limit]
        let rest = Finding(
            kind: next.isWarning ? next.kind : .limit, offset: next.offset, rule: -1,
            expected: "at most \(limit) issues in one \(prefix == nil ? "payload" : "element")",
            found: "\(findings.count - limit) more")
        return located(Array(ranked.prefix(limit)), in: text, at: base, under: steps)
            + located([rest], in: text, at: base, under: steps)
    }

    private func located(
        _ findings: [Finding], in text: ByteView, at base: TextPosition, under prefix: [JSONPathStep]
    ) -> [MappingIssue] {
        let sorted = findings.sorted { $0.offset < $1.offset }
        let places = JSONTokenizer.places(
            offsets: sorted.map { $0.offset - base.offset }, in: text, origin: base, prefix: prefix)
        return zip(sorted, places).map { issue($0, at: $1.path, $1.position) }
    }

    /// A finding whose place is known as an issue.
    func issue(_ finding: Finding, at steps: [JSONPathStep], _ position: TextPosition) -> MappingIssue {
        let path = finding.missingKey.map { steps + [.key($0)] } ?? steps
        return MappingIssue(
            kind: finding.kind, path: path.text, position: position,
            rule: finding.rule >= 0 ? rules[Int(finding.rule)].description : finding.ruleName,
            expected: finding.expected,
            found: finding.found, suggestions: finding.suggestions, value: finding.value)
    }
}
