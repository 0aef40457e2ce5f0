import Seeder

extension Command {
    static let check: Command = Command(
        "check", "Check a manifest and its dumps without writing a database.",
        notes: [
            """
            All elements are read, converted and connected as by build, in a temporary file. Problems are printed to \
            standard error, and the exit status is 65. If an object contains a key twice, the last value is used. Whether \
            an output can be written is not checked.
            """
        ],
        arguments: [
            Argument(Value("manifest", .file(["json"])), help: "The manifest, a JSON file; '-' for standard input.")
        ],
        options: [
            Option(
                "--base", value: Value("dir", .folder),
                help: "The folder of the dumps. Defaults to the folder of the manifest."),
            Option(
                "--limit", value: Value("count", .count, preset: "100"),
                help: "The maximum number of problems to print."),
            Option(
                "--strict",
                help:
                    "Exit with status 65 also for duplicate keys, conflicting merges, lost digits and unresolved connections."
            ),
            strictMerge,
            Option("--quiet", "-q", help: "Print only problems."),
        ],
        run: { arguments in
            var options = SeedOptions()
            options.basePath = arguments["--base"]
            let bar = arguments.has("--quiet") ? nil : ProgressBar()
            options.progress = bar?.show
            handleInterruptions()
            let manifest = arguments.operands[0]
            let limit = Int(arguments.value("--limit")) ?? 0
            let result = try bar.whileShown {
                try ObjectSeeder.check(manifestPath: manifest, options: options, limit: limit)
            }
            let isStrict = arguments.has("--strict")
            let rejectsMerges = arguments.has(strictMerge.name) && result.conflictCount > 0
            let isAccepted = (isStrict ? result.isClean : result.isValid) && !rejectsMerges
            let unresolved = unresolvedLines(result.unresolved)
            // Warnings that affect the exit status are printed even with `--quiet`.
            let findings = findings(of: result) + (isStrict ? unresolved : [])
            if !findings.isEmpty { printError(findings.joined(separator: "\n")) }
            if !arguments.has("--quiet") {
                let blocks = [["\(inputName(manifest)): \(isAccepted ? "valid" : "invalid")"]] + numbers(of: result)
                let shown = (blocks + [isStrict ? [] : unresolved]).filter { !$0.isEmpty }
                try print(shown.map { $0.joined(separator: "\n") }.joined(separator: "\n\n"))
            }
            return isAccepted ? 0 : SeedError.Kind.badData.exitStatus
        })
}

/// Returns all errors and warnings with their positions.
private func findings(of check: SeedCheck) -> [String] {
    var lines: [String] = []
    if !check.issues.isEmpty { lines.append(text(of: SeedError(.badData, issues: check.issues))) }
    if check.furtherIssues > 0 { lines.append("… and \(counted(check.furtherIssues, "more issue"))") }
    lines += check.failures.map(text)
    for issue in check.duplicateKeys { lines.append("warning: " + text(of: SeedError(.badData, issues: [issue]))) }
    if check.furtherDuplicateKeys > 0 {
        lines.append("… and \(counted(check.furtherDuplicateKeys, "more duplicate key"))")
    }
    for issue in check.lostDigits { lines.append("warning: " + text(of: SeedError(.badData, issues: [issue]))) }
    if check.furtherLostDigits > 0 {
        lines.append("… and \(counted(check.furtherLostDigits, "more number")) with lost digits")
    }
    return lines + conflictLines(check.conflicts, of: check.conflictCount)
        + check.unusedRules.map { "warning: " + $0.description.withoutControls }
}

/// Returns the numbers of rows and of invalid elements.
private func numbers(of check: SeedCheck) -> [[String]] {
    let rejected = check.sources.filter { $0.rejected > 0 }.map { source in
        let verb = source.rejected == 1 ? "is" : "are"
        return "\(source.file): \(grouped(source.rejected)) of \(counted(source.read, "element")) \(verb) invalid"
    }
    return [rowLines(check.entities), rejected]
}
