import ObjectMapping

/// The result of the engine for a case, compared with that of the reference.
struct ReferenceOutcome {
    /// Whether `map` returned a model.
    private(set) var isSound = false
    /// The difference; nil if they agree.
    private(set) var difference: String?

    init(_ example: ReferenceCase) {
        let targets = TypedTargets(example)
        defer { targets.clear() }
        if let mapping = targets.wide[0] { compare(mapping, example) }
        if let mapping = targets.knot[0] { compare(mapping, example) }
    }

    private mutating func compare<Model: Canonical>(_ mapping: Mapping<Model>, _ example: ReferenceCase) {
        guard let text = try? GuardedText(example.document) else { return }
        let options = MappingOptions(requiresMappedKey: false)
        let one = Self.outcome { report throws(MappingError) in
            try mapping.map(text, options: options, report: &report).canonical
        }
        let all = Self.outcome { report throws(MappingError) in
            try mapping.mapAll(text, options: options, report: &report).canonical
        }
        isSound = one.value != nil
        let expected = Self.expectation(example) { reader, tree in reader.map(tree) }
        let expectedAll = Self.expectation(example) { reader, tree in reader.mapAll(tree) }
        difference =
            Self.difference("map", one, expected, example) ?? Self.difference("mapAll", all, expectedAll, example)
    }

    // MARK: Sides

    /// A value or issues, and warnings.
    private struct Side {
        var value: String?
        var issues: [MappingIssue]
    }

    private static func outcome(_ read: (inout MappingReport) throws(MappingError) -> String) -> Side {
        var report = MappingReport()
        do throws(MappingError) {
            let value = try read(&report)
            return Side(value: value, issues: report.issues)
        } catch { return Side(issues: error.issues) }
    }

    private enum Expectation {
        case syntax(offset: Int)
        case value(String?, [ReferenceIssue])
    }

    private static func expectation(
        _ example: ReferenceCase, _ read: (inout ReferenceReader, PlainNode) -> String
    ) -> Expectation {
        do throws(PlainReader.Failure) {
            let tree = try PlainReader.read(example.document)
            var reader = ReferenceReader(example.mappings)
            let value = read(&reader, tree)
            let isSound = reader.issues.allSatisfy { $0.kind == .duplicateKey }
            return .value(isSound ? value : nil, reader.issues)
        } catch {
            return .syntax(offset: error.offset)
        }
    }

    private static func difference(
        _ name: String, _ side: Side, _ expected: Expectation, _ example: ReferenceCase
    ) -> String? {
        for issue in side.issues {
            let place = place(of: issue.offset, in: example.document)
            if place != (issue.line, issue.column) { return "\(name): \(issue), but that byte is at \(place)" }
        }
        switch expected {
        case .syntax(let offset):
            let issue = side.issues.last
            if side.value == nil, issue?.kind == .syntax, issue?.offset == offset { return nil }
            return "\(name): no JSON at byte \(offset), but \(side.value ?? "") \(side.issues)"
        case .value(let value, let issues):
            let found = side.issues.map { ReferenceIssue(kind: $0.kind, path: $0.path, offset: $0.offset) }.map(
                \.description)
            let wanted = issues.map(\.description)
            if value == side.value, found.sorted() == wanted.sorted() { return nil }
            return """
                \(name), the reference: \(value ?? "no value") \(wanted.sorted())
                \(name), the engine:    \(side.value ?? "no value") \(found.sorted()) \(side.issues)
                """
        }
    }

    /// Line and column of a byte, counted one by one.
    static func place(of offset: Int, in document: [UInt8]) -> (Int, Int) {
        var (line, column) = (1, 1)
        for byte in document.prefix(offset).dropFirst(document.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0) {
            if byte == 0x0A { (line, column) = (line + 1, 1) } else if byte & 0xC0 != 0x80 { column += 1 }
        }
        return (line, column)
    }
}
