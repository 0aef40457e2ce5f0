import ObjectMapping
import Seeder

extension Command {
    static let build: Command = Command(
        name: "build", synopsis: "MANIFEST -o FILE [options]", summary: "Builds a seed database from JSON dumps.",
        operands: ["MANIFEST"],
        options: [
            Option("--output", "-o", value: "FILE", help: "The database to write; it appears only when complete."),
            Option("--base", value: "DIR", help: "The folder of the dumps; the manifest's own by default."),
            Option("--on-error", value: "fail|skip", help: "Stop at the first bad element (default), or leave it out."),
            Option("--rejects", value: "FILE", help: "Where left-out elements go; OUTPUT.rejects.ndjson by default."),
            Option("--update", help: "Bring an existing database up to date instead of replacing it."),
            Option("--report", value: "FILE", help: "Write what was done as JSON."),
            Option("--quiet", "-q", help: "Print nothing but errors."),
            Option("--verbose", "-v", help: "Tell what happens on the way."),
        ],
        notes: """
            In a manifest the file '-' is standard input. An update merges elements into the rows of their identity; elements
            of an entity without one are added again.
            """,
        run: { arguments in
            guard let output = arguments["--output"] else { throw UsageError("missing option --output FILE", build) }
            var options = SeedOptions()
            options.onError = try policy(arguments["--on-error"])
            options.rejectsPath = arguments["--rejects"]
            options.basePath = arguments["--base"]
            options.reportPath = arguments["--report"]
            options.updatesExisting = arguments.has("--update")
            if arguments.has("--verbose"), !arguments.has("--quiet") { options.progress = { printError("\($0)") } }
            catchInterruptions()
            let seeder = try ObjectSeeder(
                manifestPath: arguments.operands[0], outputPath: output, options: options)
            let report = try seeder.finish()
            if let file = arguments["--report"] { try ReportFile.write(report, to: file) }
            if !arguments.has("--quiet") { try print(outcome(of: report, at: output)) }
            return 0
        })

    private static func policy(_ name: String?) throws -> SeedOptions.ErrorPolicy {
        guard let name else { return .fail }
        guard let policy = SeedOptions.ErrorPolicy(rawValue: name) else {
            throw UsageError("option '--on-error' is 'fail' or 'skip', not '\(name)'", build)
        }
        return policy
    }
}

/// What a finished build tells.
private func outcome(of report: SeedReport, at output: String) -> String {
    var lines = ["\(output): \(sized(report.size)), built in \(decimal(report.seconds, places: 2)) s", ""]
    lines += rowLines(report.entities)
    if report.rejected > 0 {
        let file = report.rejectsPath ?? "no file"
        lines += ["", "\(counted(report.rejected, "element")) left out, kept in \(file)"]
    }
    if !report.unresolved.isEmpty { lines += [""] + unresolvedLines(report.unresolved) }
    lines += ["", "Open it in Swift:", "", "  import ObjectStore"]
    lines.append("  let seed = try SeedDatabase(at: URL(filePath: \(JSONText.quoted(output))))")
    return lines.joined(separator: "\n")
}

/// The rows of each entity, in columns.
func rowLines(_ entities: [SeedReport.Entity]) -> [String] {
    let width = entities.map(\.name.count).max() ?? 0
    let digits = entities.map { grouped($0.rows).count }.max() ?? 0
    return entities.map { entity in
        let merged = entity.merged > 0 ? "  (\(grouped(entity.merged)) merged)" : ""
        let rows = grouped(entity.rows).paddingLeft(to: digits) + (entity.rows == 1 ? " row" : " rows")
        return "  \(entity.name.padding(to: width))  \(rows)\(merged)"
    }
}

/// The connections whose target is missing.
func unresolvedLines(_ unresolved: [SeedReport.Unresolved]) -> [String] {
    let total = unresolved.reduce(0) { $0 + $1.count }
    return ["\(counted(total, "connection leads", "connections lead")) nowhere and \(total == 1 ? "is" : "are") null:"]
        + unresolved.map { unresolved in
            let samples = unresolved.samples.prefix(3)
            return "  \(unresolved.entity).\(unresolved.relationship) -> \(unresolved.destination): "
                + "\(grouped(unresolved.count)), for \(samples.count == 1 ? "key" : "keys") "
                + samples.joined(separator: ", ") + (unresolved.count > samples.count ? ", …" : "")
        }
}
