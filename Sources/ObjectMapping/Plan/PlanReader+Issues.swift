extension PlanReader {
    /// Notes an issue with the value at a place.
    @inline(never) mutating func note(
        _ kind: MappingIssue.Kind, at place: Bytes, _ rule: Int32, _ expected: String, _ found: String,
        _ suggestions: [String] = []
    ) {
        findings.append(
            Finding(
                kind: kind, offset: offset(place), rule: rule, expected: expected, found: found,
                suggestions: suggestions, value: excerpt(place)))
    }

    /// Notes an issue with what stands at an offset of the text.
    mutating func note(
        _ kind: MappingIssue.Kind, _ offset: Int, _ expected: String, _ found: String, rule: Int32 = -1
    ) {
        findings.append(Finding(kind: kind, offset: offset, rule: rule, expected: expected, found: found))
    }

    /// Notes that a required member is absent from an object, with the keys that are there and near it.
    @inline(never) mutating func noteMissing(
        _ entry: UnsafePointer<Entry>, _ index: Int, _ node: UnsafeMutablePointer<Node>, _ start: Bytes, _ end: Bytes
    ) {
        guard entry.pointee.isRequired else { return }
        let key = node.pointee.keys[index]
        let name = makeString(key.bytes, key.count)
        let keys = (try? JSON(stretch(start, end), maximumDepth: maximumDepth))?.object?.keys ?? []
        findings.append(
            Finding(
                kind: .missing, offset: offset(start), rule: entry.pointee.rule, expected: "the key '\(name)'",
                found: "no such key", missingKey: name, suggestions: nearestNames(to: name, among: keys)))
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
    /// The findings of a decode as issues, with paths, lines and columns.
    ///
    /// - Parameters:
    ///   - text: the text in which the findings' offsets count.
    ///   - base: the place of its first byte, and of that byte's value in the document.
    func issues(
        _ findings: [Finding], in text: UnsafeRawBufferPointer, at base: TextPosition = TextPosition(),
        under prefix: [JSONPathStep] = []
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
