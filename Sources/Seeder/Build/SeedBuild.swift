import ObjectMapping
import ObjectStore

/// One run over all sources, from reading to moving the files to their paths.
final class SeedBuild {
    private let seeder: ObjectSeeder
    private let plan: RowPlan
    private let entities: [RowEntity]
    private let meter: ProgressMeter?
    private let start = ContinuousClock.now
    private var sources: [SeedReport.Source] = []
    /// The issues of the last element of the first source without a valid element.
    private var lastRejected: [SeedIssue] = []
    /// The first conflicting merges.
    private var conflicts: [SeedIssue] = []
    private static let mostConflicts = 10

    init(_ seeder: ObjectSeeder, entities: [RowEntity]) throws(SeedError) {
        self.seeder = seeder
        self.entities = entities
        meter = ProgressMeter(seeder.options.progress)
        do { plan = try RowPlan(entities: entities) } catch { throw SeedError(.badData, error.description) }
    }

    func run() throws(SeedError) -> SeedReport {
        try seeder.checkInputs()
        let output = try SeedOutput(seeder.output, rejects: options.rejectsPath, report: options.reportPath)
        try output.protect([seeder.manifest].compactMap(\.self) + seeder.sources.map(\.file))
        var inputs: [InputFile] = []
        for source in seeder.sources {
            inputs.append(try source.open(spoolPath: output.database.path + "-input", meter: meter))
        }
        let isUpdate = options.updatesExisting ? try output.copyExisting() : false
        let result = try store(inputs, output, blind: isUpdate ? [] : seeder.blindEntities(among: entities), isUpdate)
        if let empty = sources.first(where: { $0.read > 0 && $0.kept == 0 }) {
            try output.commitRejects()
            throw SeedError(
                .badData, "no element of \(empty.file) is valid: \(empty.rejected) of \(empty.read) rejected",
                issues: lastRejected, advice: output.rejectsName.map { "The rejected elements are in \($0)." })
        }
        let report = report(result, output)
        if options.rejectsConflictingMerges, report.conflictCount > 0 { throw .conflicts(report) }
        meter?.begin(.checksum)
        try output.commit()
        return self.report(result, output)
    }

    private var options: SeedOptions { seeder.options }

    /// Stores all elements; starts again with lookups if an entity stored without them has a repeated identity.
    private func store(
        _ inputs: [InputFile], _ output: SeedOutput, blind: Set<Int>, _ isUpdate: Bool
    ) throws(SeedError) -> StoreSummary {
        do {
            return try storeOnce(inputs, output, blind: blind, isUpdate)
        } catch {
            guard case .needsLookups(let entity) = error else { throw error.seedError(output.database) }
            options.report(.readingAgain(entity: entity))
        }
        try output.restart(updating: isUpdate)
        do { return try storeOnce(inputs, output, blind: [], isUpdate) } catch {
            throw error.seedError(output.database)
        }
    }

    private func storeOnce(
        _ inputs: [InputFile], _ output: SeedOutput, blind: Set<Int>, _ isUpdate: Bool
    ) throws(BuildFailure) -> StoreSummary {
        (sources, lastRejected, conflicts) = ([], [], [])
        let store = try BuildFailure.wrap { () throws(StoreError) in
            try RowStore(
                at: output.database.path, model: seeder.model, blind: blind, updating: isUpdate,
                shouldStop: isInterrupted)
        }
        meter?.begin(.reading, of: seeder.sources, inputs)
        for (source, input) in zip(seeder.sources, inputs) {
            options.report(.reading(source.name))
            meter?.begin(file: source.name)
            var reading = SourceReading(
                source, input, plan: plan, options: options, meter: meter,
                conflictLimit: Self.mostConflicts - conflicts.count)
            try reading.run(into: store, rejectingTo: output)
            conflicts += reading.conflicts
            input.close()
            sources.append(reading.count)
            if reading.count.kept == 0, lastRejected.isEmpty { lastRejected = reading.issues }
            options.report(.read(reading.count))
        }
        options.report(.finishing)
        return try BuildFailure.wrap { () throws(StoreError) in
            try store.finish { meter?.begin($0) }
        }
    }

    private func report(_ result: StoreSummary, _ output: SeedOutput) -> SeedReport {
        let elapsed = start.duration(to: .now).components
        return SeedReport(
            path: seeder.output, size: output.database.descriptor.size,
            seconds: Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18, peakMemory: peakMemory(),
            rejectsPath: output.rejectsName, entities: result.entities.map(SeedReport.Entity.init), sources: sources,
            unresolved: result.unresolved.map(SeedReport.Unresolved.init), conflicts: conflicts)
    }
}

extension SeedError {
    /// Returns the error of a build with conflicting merges.
    fileprivate static func conflicts(_ report: SeedReport) -> Self {
        let places = report.conflicts.count < report.conflictCount ? "; the first ones are shown" : ""
        return SeedError(
            .badData, "\(counted(report.conflictCount, "conflicting merge"))\(places)", issues: report.conflicts,
            advice: "Correct the dumps, or choose an identity that is unique.")
    }
}
