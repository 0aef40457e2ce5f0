import ObjectMapping
import Seeder

extension Command {
    static let build: Command = Command(
        "build", "Build a seed database from JSON dumps.",
        notes: [
            """
            A source with the file '-' in the manifest is read from standard input. With --update, elements are merged into \
            the rows with the same identity; elements of entities without an identity are added again.
            """
        ],
        arguments: [
            Argument(Value("manifest", .file(["json"])), help: "The manifest, a JSON file; '-' for standard input.")
        ],
        options: [
            Option(
                "--output", "-o", value: Value("file", .file(["sqlite"])), isRequired: true,
                help: "The database to write. It appears when it is complete."),
            Option(
                "--base", value: Value("dir", .folder),
                help: "The folder of the dumps. Defaults to the folder of the manifest."),
            Option(
                "--on-error",
                value: Value(
                    "policy", .choice(SeedOptions.ErrorPolicy.allCases.map(\.rawValue)),
                    preset: SeedOptions().onError.rawValue),
                help: "Stop at the first invalid element, or skip invalid elements."),
            Option(
                "--rejects", value: Value("file", .file(["ndjson"])),
                help: "The file for skipped elements. Defaults to OUTPUT.rejects.ndjson."),
            strictMerge,
            Option("--update", help: "Update an existing database instead of replacing it."),
            Option("--report", value: Value("file", .file(["json"])), help: "Write a report of the build as JSON."),
            Option("--quiet", "-q", help: "Print only errors."),
            Option("--verbose", "-v", help: "Print each step of the build."),
        ],
        run: { arguments in
            for option in ["--output", "--rejects", "--report"] where arguments[option] == "-" {
                throw UsageError(
                    "option '\(option)' needs a file, not standard output; for a file named '-' write './-'", build)
            }
            let output = arguments.value("--output")
            var options = SeedOptions()
            options.onError = SeedOptions.ErrorPolicy(rawValue: arguments.value("--on-error")) ?? options.onError
            options.rejectsPath = arguments["--rejects"]
            options.basePath = arguments["--base"]
            options.reportPath = arguments["--report"]
            options.updatesExisting = arguments.has("--update")
            options.rejectsConflictingMerges = arguments.has(strictMerge.name)
            let bar = arguments.has("--quiet") ? nil : ProgressBar()
            options.progress = bar?.show
            if arguments.has("--verbose"), !arguments.has("--quiet") {
                options.events = { event in bar.print(event.description) }
            }
            handleInterruptions()
            let seeder = try ObjectSeeder(
                manifestPath: arguments.operands[0], outputPath: output, options: options)
            let report = try bar.whileShown { try seeder.finish() }
            if let file = arguments["--report"] { try TextFile.write(report.json.prettyPrinted + "\n", to: file) }
            if !arguments.has("--quiet"), report.conflictCount > 0 {
                printError(conflictLines(report.conflicts, of: report.conflictCount).joined(separator: "\n"))
            }
            if !arguments.has("--quiet") { try print(outcome(of: report, at: output)) }
            return 0
        })
}

/// The option of `build` and `check` that reports conflicting merges as errors.
let strictMerge = Option(
    "--strict-merge", help: "Fail if an element replaces a value of another element with the same identity.")

/// The summary of a finished build.
private func outcome(of report: SeedReport, at output: String) -> String {
    var lines = ["\(output): \(sized(report.size)), built in \(decimal(report.seconds, places: 2)) s", ""]
    lines += rowLines(report.entities)
    if report.rejected > 0 {
        let file = report.rejectsPath ?? "no file"
        lines += ["", "\(counted(report.rejected, "invalid element")) skipped, written to \(file)"]
    }
    if !report.unresolved.isEmpty { lines += [""] + unresolvedLines(report.unresolved) }
    lines += ["", "Open it in Swift:", "", "  import ObjectStore"]
    lines.append("  let seed = try SeedDatabase(at: URL(filePath: \(JSONText.quoted(output))))")
    return lines.joined(separator: "\n")
}

/// Returns the rows of each entity, in columns.
func rowLines(_ entities: [SeedReport.Entity]) -> [String] {
    let width = entities.map(\.name.count).max() ?? 0
    let digits = entities.map { grouped($0.rows).count }.max() ?? 0
    return entities.map { entity in
        let conflicts = entity.conflicts > 0 ? ", \(grouped(entity.conflicts)) with conflicts" : ""
        let merged = entity.merged > 0 ? "  (\(grouped(entity.merged)) merged\(conflicts))" : ""
        let rows = grouped(entity.rows).paddingLeft(to: digits) + (entity.rows == 1 ? " row" : " rows")
        return "  \(entity.name.padding(to: width))  \(rows)\(merged)"
    }
}

/// Returns the first conflicting merges, as warnings.
func conflictLines(_ conflicts: [SeedIssue], of count: Int) -> [String] {
    let rest = count - conflicts.count
    return conflicts.map { "warning: " + text(of: SeedError(.badData, issues: [$0])) }
        + (rest > 0 ? ["… and \(counted(rest, "more conflicting merge"))"] : [])
}

/// Returns the unresolved connections.
func unresolvedLines(_ unresolved: [SeedReport.Unresolved]) -> [String] {
    guard !unresolved.isEmpty else { return [] }
    let total = unresolved.reduce(0) { $0 + $1.count }
    return ["\(counted(total, "unresolved connection")) (stored as NULL):"]
        + unresolved.map { unresolved in
            let samples = unresolved.samples.prefix(3)
            return "  \(unresolved.entity).\(unresolved.relationship) -> \(unresolved.destination): "
                + "\(grouped(unresolved.count)), for \(samples.count == 1 ? "key" : "keys") "
                + samples.joined(separator: ", ") + (unresolved.count > samples.count ? ", …" : "")
        }
}
