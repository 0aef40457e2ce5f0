import ObjectMapping

/// The rows and the models that the same mapping creates for a case, compared.
struct MappedRowsOutcome {
    /// Whether every element became a row.
    private(set) var isSound = false
    /// The difference; nil if they agree.
    private(set) var difference: String?

    init(_ example: ReferenceCase) {
        // A column cannot hold unsigned integers beyond the signed range of 64 bits.
        let targets = TypedTargets(example) { $0.name != "maybeUnsigned" }
        defer { targets.clear() }
        guard let tree = try? PlainReader.read(example.document), !tree.isNull else { return }
        if let mapping = targets.wide[0] { compare(mapping, example) }
        if let mapping = targets.knot[0] { compare(mapping, example) }
    }

    private mutating func compare<Model>(_ mapping: Mapping<Model>, _ example: ReferenceCase) {
        var report = MappingReport(policy: .collect)
        do {
            let options = MappingOptions(requiresMappedKey: false)
            _ = try mapping.mapAll(example.document, options: options, report: &report)
            let plan = try mapping.rowPlan()
            for (window, chunk) in [(64, 7), (4096, 4096)] {
                let reader = try RowReader(
                    source: ByteChunks(example.document, by: chunk), plan: plan, at: "", shape: .element,
                    windowSize: window)
                var issues: [MappingIssue] = []
                while let element = try reader.next() { issues += element.issues }
                isSound = issues.isEmpty
                let expected = report.issues.map(\.description).sorted()
                // A column cannot hold dates after the year 9999.
                let found = issues.map(\.description).sorted().filter {
                    expected.contains($0) || !$0.contains("1970, found a number out of its range")
                }
                if found == expected { continue }
                difference = "window \(window)\nmodels: \(expected)\nrows:   \(found)"
                return
            }
        } catch {
            difference = "\(error)"
        }
    }
}

extension Wide: PropertyNaming {
    static func name(of property: AnyKeyPath) -> String? { property == \Wide.observed ? "observed" : nil }
}

extension Knot: PropertyNaming {
    static func name(of property: AnyKeyPath) -> String? { property == \Knot.alias ? "alias" : nil }
}
