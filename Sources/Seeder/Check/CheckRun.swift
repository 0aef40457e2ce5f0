import ObjectMapping
import ObjectStore

/// Checks all sources, with the rows in an unnamed file.
struct CheckRun {
    private let seeder: ObjectSeeder
    private let plan: RowPlan
    private let entities: [RowEntity]
    private let limit: Int
    private var options: SeedOptions
    private let meter: ProgressMeter?

    init(_ seeder: ObjectSeeder, entities: [RowEntity], limit: Int) throws(SeedError) {
        self.seeder = seeder
        self.entities = entities
        self.limit = limit
        options = seeder.options
        options.onError = .skip
        meter = ProgressMeter(options.progress)
        do { plan = try RowPlan(entities: entities) } catch { throw SeedError(.badData, error.description) }
    }

    func run() throws(SeedError) -> SeedCheck {
        try seeder.checkInputs()
        let folder = FileManager.default.temporaryDirectory.path
        let spoolPath = "\(folder)/.seed-db-\(String(UInt64.random(in: .min ... .max), radix: 16))"
        var inputs: [InputFile] = []
        for source in seeder.sources {
            do {
                inputs.append(try source.open(spoolPath: spoolPath, meter: meter))
            } catch {
                guard error.kind == .cannotCreateOutput else { throw error }
                throw SeedError(error.kind, error.message, advice: "TMPDIR names the folder for temporary files.")
            }
        }
        do {
            return try check(inputs, blind: seeder.blindEntities(among: entities))
        } catch {
            guard case .needsLookups = error else { throw error.seedError(doing: "cannot check the dumps") }
        }
        do { return try check(inputs, blind: []) } catch {
            throw error.seedError(doing: "cannot check the dumps")
        }
    }

    private func check(_ inputs: [InputFile], blind: Set<Int>) throws(BuildFailure) -> SeedCheck {
        var result = SeedCheck()
        var isComplete = true
        let use = RuleUse(entities)
        let store = try BuildFailure.wrap { () throws(StoreError) in
            // An unnamed database of SQLite, which is deleted when it is closed or the process ends.
            try RowStore(at: "", model: seeder.model, blind: blind, shouldStop: isInterrupted)
        }
        meter?.begin(.reading, of: seeder.sources, inputs)
        for (source, input) in zip(seeder.sources, inputs) {
            options.report(.reading(source.name))
            meter?.begin(file: source.name)
            let failure = try read(source, input, into: store, use, &result)
            input.close()
            isComplete = isComplete && failure == nil
        }
        options.report(.finishing)
        let summary = try BuildFailure.wrap { () throws(StoreError) in
            try store.finish { meter?.begin($0) }
        }
        result.entities = summary.entities.map(SeedReport.Entity.init)
        if isComplete {
            result.unresolved = summary.unresolved.map(SeedReport.Unresolved.init)
            result.unusedRules = use.unused
        }
        return result
    }

    /// Reads one source; returns the reason why reading ended early.
    private func read(
        _ source: SeedSource, _ input: InputFile, into store: RowStore, _ use: RuleUse, _ result: inout SeedCheck
    ) throws(BuildFailure) -> SeedError? {
        let scanner = DuplicateKeyObserver(
            isLines: source.shape == .line, limit: limit - result.duplicateKeys.count)
        let rejected = RejectedIssues(limit: limit - result.issues.count)
        let digits = LostDigits(entities)
        var (lost, lostCount) = ([MappingIssue](), 0)
        let lostLimit = limit - result.lostDigits.count
        var reading = SourceReading(
            source, input, plan: plan, options: options, meter: meter, scanner: scanner,
            conflictLimit: limit - result.conflicts.count
        ) { element, reader in
            let position = reader.position(of: element)
            use.observe(element.rows, element.raw, at: position.offset)
            for number in digits.find(in: element.raw, of: source.entity) {
                lostCount += 1
                guard lost.count < lostLimit else { continue }
                var place = position
                place.advance(over: element.raw, from: 0, to: number.offset)
                lost.append(
                    MappingIssue(
                        kind: .invalidValue, path: (reader.steps + number.path).text, position: place,
                        expected: "the type decimal or string for \(number.attribute)",
                        found: "a number with more digits than a double keeps"))
            }
        }
        var failure: SeedError?
        do {
            try reading.run(into: store, rejectingTo: rejected)
        } catch {
            guard case .seed(let error) = error, error.kind == .badData else { throw error }
            failure = error
        }
        result.sources.append(reading.count)
        options.report(.read(reading.count))
        result.add(input.seedIssues(rejected.issues), of: rejected.count)
        result.conflicts += reading.conflicts
        result.lostDigits += input.seedIssues(lost)
        result.furtherLostDigits += lostCount - lost.count
        result.add(failure, limit: limit)
        let keys = scanner.keys
        result.duplicateKeys += input.seedIssues(keys.issues)
        result.furtherDuplicateKeys += keys.count - keys.issues.count
        return failure
    }
}

extension SeedCheck {
    /// Adds some of a number of issues.
    fileprivate mutating func add(_ issues: [SeedIssue], of count: Int) {
        self.issues += issues
        furtherIssues += count - issues.count
    }

    /// Adds the reason why reading a dump ended.
    fileprivate mutating func add(_ failure: SeedError?, limit: Int) {
        guard let failure else { return }
        add(Array(failure.issues.prefix(max(limit - issues.count, 0))), of: failure.issues.count)
        if !failure.message.isEmpty { failures.append(failure) }
    }
}

/// Collects the issues of rejected elements, without the elements.
private final class RejectedIssues: ElementRejecting {
    private(set) var issues: [MappingIssue] = []
    private(set) var count = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    func reject(_ element: @autoclosure () -> RejectRecord, for issues: [MappingIssue]) {
        count += issues.count
        self.issues += issues.prefix(max(limit - self.issues.count, 0))
    }
}
