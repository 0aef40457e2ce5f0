import ObjectMapping
import ObjectStore

/// Reads one source: its elements are stored or rejected.
struct SourceReading {
    private let source: SeedSource
    private let input: InputFile
    private let plan: RowPlan
    private let options: SeedOptions
    private let scanner: DuplicateKeyObserver?
    private let meter: ProgressMeter?
    private(set) var count: SeedReport.Source
    private var lastRejected: [MappingIssue] = []
    private var firstConflicts: [MappingIssue] = []
    /// The maximum number of reported conflicts.
    private let conflictLimit: Int
    /// Receives each element that is stored.
    private let observer: ((RowReader.Element, RowReader) -> Void)?

    /// - Parameters:
    ///   - scanner: Receives the whole text as it is read.
    ///   - conflictLimit: The maximum number of reported conflicting merges.
    ///   - observer: Receives each element that is stored. Defaults to `nil`.
    init(
        _ source: SeedSource, _ input: InputFile, plan: RowPlan, options: SeedOptions,
        meter: ProgressMeter? = nil, scanner: DuplicateKeyObserver? = nil, conflictLimit: Int,
        observer: ((RowReader.Element, RowReader) -> Void)? = nil
    ) {
        self.source = source
        self.input = input
        self.plan = plan
        self.options = options
        self.scanner = scanner
        self.conflictLimit = conflictLimit
        self.meter = meter
        self.observer = observer
        count = SeedReport.Source(file: source.name)
    }

    /// The issues of the last rejected element.
    var issues: [SeedIssue] { seedIssues(lastRejected) }

    /// The first elements that replaced values of earlier ones.
    var conflicts: [SeedIssue] { seedIssues(firstConflicts) }

    /// Reads the source to its end.
    mutating func run(into store: RowStore, rejectingTo output: some ElementRejecting) throws(BuildFailure) {
        let reader = try seeding { () throws in
            let unseen = try input.text(meter: meter)
            let text: any ByteSource = scanner?.watching(unseen) ?? unseen
            return try RowReader(
                source: text, plan: plan, entity: source.entity, at: source.keyPath, shape: source.shape)
        }
        while true {
            try seeding { () throws in try checkInterruption() }
            let element: RowReader.Element?
            do {
                element = try reader.next()
            } catch let error as MappingError {
                try reject(brokenBy: error, reader, output)
                continue
            } catch {
                throw failure(error)
            }
            guard let element else { return }
            count.read += 1
            if !element.isSound {
                try reject(element, reader, output)
            } else {
                try BuildFailure.wrap { () throws(StoreError) in try store.insert(element.rows) }
                count.kept += 1
                observer?(element, reader)
                for conflict in store.conflicts where firstConflicts.count < conflictLimit {
                    firstConflicts.append(issue(conflict, element, reader))
                }
            }
        }
    }

    private func issue(_ conflict: MergeConflict, _ element: RowReader.Element, _ reader: RowReader) -> MappingIssue {
        var position = reader.position(of: element)
        position.advance(over: element.raw, from: 0, to: conflict.offset - position.offset)
        return MappingIssue(
            kind: .invalidValue, path: reader.steps.text, position: position,
            expected: "the same values as the earlier \(conflict.entity) with the same identity",
            found: "different values of \(conflict.names.map { "'\($0)'" }.joined(separator: ", "))")
    }

    /// Rejects an invalid element, or ends the build.
    private mutating func reject(
        _ element: RowReader.Element, _ reader: RowReader, _ output: some ElementRejecting
    ) throws(BuildFailure) {
        let issues = element.issues.filter { !$0.isWarning }
        guard options.onError == .skip else { throw failure(MappingError(issues)) }
        let (file, position) = (source.name, input.reported(reader.position(of: element)))
        try reject(
            RejectRecord(
                file: file, line: position.line, column: position.column, path: reader.steps.text,
                issues: issues, Array(element.raw), isJSON: true), issues, output)
    }

    /// Rejects a line that is not JSON; in other texts, the start of the next element is unknown.
    private mutating func reject(
        brokenBy error: MappingError, _ reader: RowReader, _ output: some ElementRejecting
    ) throws(BuildFailure) {
        guard options.onError == .skip, source.shape == .line, let issue = error.issues.first, issue.kind == .syntax
        else { throw failure(error) }
        count.read += 1
        let (file, line) = (source.name, reader.skipBadLine())
        try reject(
            RejectRecord(
                file: file, line: issue.line, column: issue.column, path: issue.path, issues: error.issues,
                line, isJSON: false), error.issues, output)
    }

    private mutating func reject(
        _ element: @autoclosure () -> RejectRecord, _ issues: [MappingIssue], _ output: some ElementRejecting
    ) throws(BuildFailure) {
        count.rejected += 1
        lastRejected = issues
        options.report(.rejected(input.seedIssues(issues, withExcerpts: false)))
        do { try output.reject(element(), for: issues) } catch { throw .seed(error) }
    }

    private func seedIssues(_ issues: [MappingIssue]) -> [SeedIssue] { input.seedIssues(issues) }

    private func seeding<Result>(_ body: () throws -> Result) throws(BuildFailure) -> Result {
        do { return try body() } catch { throw failure(error) }
    }

    private func failure(_ error: any Error) -> BuildFailure {
        switch error {
        case let error as SeedError: .seed(error)
        case let error as MappingError:
            .seed(
                input.damage()
                    ?? SeedError(
                        .badData, issues: seedIssues(error.issues),
                        advice: error.issues.first?.adviceOnShape(source.shape)))
        default: .seed(SeedError(.inputOutput, "cannot read \(input.name): \(error)"))
        }
    }
}
