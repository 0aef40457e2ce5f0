extension PlanReader {
    /// Notes an issue with the value at a place.
    @inline(never) mutating func note(
        _ kind: MappingIssue.Kind, at place: Bytes, _ rule: Int32, _ expected: String, _ found: String,
        _ suggestions: [String] = []
    ) {
        findings.append(
            Finding(
                kind: kind, offset: offset(place), rule: rule, expected: expected, found: found,
                suggestions: suggestions, value: excerpt(place), row: rows.open))
    }

    /// Notes an issue with what stands at an offset of the text.
    mutating func note(
        _ kind: MappingIssue.Kind, _ offset: Int, _ expected: String, _ found: String, rule: Int32 = -1
    ) {
        findings.append(
            Finding(kind: kind, offset: offset, rule: rule, expected: expected, found: found, row: rows.open))
    }

    /// Notes that a required member is absent from an object, with the keys that are there and near it.
    ///
    /// - Parameter keys: The object's first keys; nil until they are wanted.
    @inline(never) mutating func noteMissing(
        _ entry: UnsafePointer<Entry>, _ index: Int, _ node: UnsafeMutablePointer<Node>, _ start: Bytes, _ end: Bytes,
        _ keys: inout [String]?
    ) {
        let key = node.pointee.keys[index]
        let name = makeString(key.bytes, key.count)
        let known = keys ?? firstKeys(of: stretch(start, end))
        keys = known
        findings.append(
            Finding(
                kind: .missing, offset: offset(start), rule: entry.pointee.rule, expected: "the key '\(name)'",
                found: "no such key", missingKey: name, suggestions: nearestNames(to: name, among: known),
                row: rows.open))
    }

    /// The first keys of an object, to suggest one of them: 100 at most, of its first 64 KB, and no long ones.
    private func firstKeys(of text: UnsafeRawBufferPointer) -> [String] {
        let head = UnsafeRawBufferPointer(rebasing: text.prefix(64 * 1024))
        var walker = DocumentWalker(head, maximumDepth: maximumDepth)
        var keys: [String] = []
        var count = 0
        while count < 100 {
            switch walker.next() {
            case .key(let range) where walker.frames.count == 1:
                count += 1
                if range.count <= 512 { keys.append(JSONText.unescaped(head[range.dropFirst().dropLast()])) }
            case .end, .failure: return keys
            case .key, .scalar, .open, .close: continue
            }
        }
        return keys
    }

    /// The start of a value, for `debugDescription`.
    private func excerpt(_ place: Bytes) -> String {
        var count = 0
        while count < 60, place[count] >= 0x20 { count += 1 }
        var end = count
        let isString = place.pointee == .quote
        for index in 1..<max(2, count) {
            let byte = place[index]
            if isString ? byte == .quote && place[index - 1] != .backslash : byte == .comma || byte | 0x20 == 0x7D {
                end = isString ? index + 1 : index
                break
            }
        }
        return makeString(place, min(end, count)) + (end >= 60 ? "…" : "")
    }
}

extension Plan {
    /// The most findings of one element of a dump that become issues.
    private static var mostIssues: Int { 1000 }

    /// The findings of a decode as issues, with paths, lines and columns.
    func issues(_ findings: [Finding], in text: UnsafeRawBufferPointer) -> [MappingIssue] {
        located(findings, in: text, at: TextPosition(), under: [])
    }

    /// The findings in one element of a dump as issues: at most the first 1,000, and one that says how many more.
    ///
    /// - Parameters:
    ///   - text: the element, in which the findings' offsets count from `base`.
    ///   - base: the place of its first byte in the dump.
    ///   - prefix: the element's path.
    func issues(
        _ findings: [Finding], in text: UnsafeRawBufferPointer, at base: TextPosition, under prefix: [JSONPathStep]
    ) -> [MappingIssue] {
        guard findings.count > Plan.mostIssues else { return located(findings, in: text, at: base, under: prefix) }
        // Warnings are left out first: then the issue of what was left out is an error only where others are.
        let ranked = findings.sorted { ($0.isWarning ? 1 : 0, $0.offset) < ($1.isWarning ? 1 : 0, $1.offset) }
        let next = ranked[Plan.mostIssues]
        let rest = Finding(
            kind: next.kind, offset: next.offset, rule: -1,
            expected: "at most \(Plan.mostIssues) issues in one element",
            found: "\(findings.count - Plan.mostIssues) more")
        return located(Array(ranked.prefix(Plan.mostIssues)), in: text, at: base, under: prefix)
            + located([rest], in: text, at: base, under: prefix)
    }

    private func located(
        _ findings: [Finding], in text: UnsafeRawBufferPointer, at base: TextPosition, under prefix: [JSONPathStep]
    ) -> [MappingIssue] {
        let sorted = findings.sorted { $0.offset < $1.offset }
        let places = DocumentWalker.locate(
            offsets: sorted.map { $0.offset - base.offset }, in: text, origin: base, prefix: prefix)
        return zip(sorted, places).map { finding, place in
            let path = finding.missingKey.map { place.path + [.key($0)] } ?? place.path
            return MappingIssue(
                kind: finding.kind, path: path.text, position: place.position,
                rule: finding.rule >= 0 ? rules[Int(finding.rule)].description : nil, expected: finding.expected,
                found: finding.found, suggestions: finding.suggestions, value: finding.value)
        }
    }
}
