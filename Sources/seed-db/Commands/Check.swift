import Seeder

extension Command {
    static let check: Command = Command(
        "check", "Check a manifest and all of its dumps; write nothing.",
        notes: [
            """
            Every element is read, converted and connected as in a build, but goes to a nameless file among the system's \
            temporary ones. What is wrong goes to standard error and is exit status 65. Of keys that stand twice in an \
            object, mapped or not, the last one counts. Whether an output can be written is not checked.
            """
        ],
        arguments: [
            Argument(Value("manifest", .file(["json"])), help: "What to build from which dumps; '-' is standard input.")
        ],
        options: [
            Option(
                "--base", value: Value("dir", .folder),
                help: "The folder of the dumps; the manifest's own if not given."),
            Option("--limit", value: Value("count", .count, preset: "100"), help: "Findings told one by one."),
            Option(
                "--strict",
                help: "Exit with status 65 for duplicate keys, conflicting merges and unresolved connections too."),
            strictMerge,
            Option("--quiet", "-q", help: "Print nothing but what is wrong."),
        ],
        run: { arguments in
            var options = SeedOptions()
            options.basePath = arguments["--base"]
            let bar = arguments.has("--quiet") ? nil : ProgressBar()
            options.progress = bar?.show
            catchInterruptions()
            let manifest = arguments.operands[0]
            let limit = Int(arguments.value("--limit")) ?? 0
            let result = try bar.whileShown {
                try ObjectSeeder.check(manifestPath: manifest, options: options, limit: limit)
            }
            let isStrict = arguments.has("--strict")
            let rejectsMerges = arguments.has(strictMerge.name) && result.conflictCount > 0
            let isGood = (isStrict ? result.isClean : result.isSound) && !rejectsMerges
            let unresolved = unresolvedLines(result.unresolved)
            // What makes the status is told even by a quiet check.
            let findings = findings(of: result) + (isStrict ? unresolved : [])
            if !findings.isEmpty { printError(findings.joined(separator: "\n")) }
            if !arguments.has("--quiet") {
                let blocks = [["\(inputName(manifest)): \(isGood ? "sound" : "not sound")"]] + numbers(of: result)
                let shown = (blocks + [isStrict ? [] : unresolved]).filter { !$0.isEmpty }
                try print(shown.map { $0.joined(separator: "\n") }.joined(separator: "\n\n"))
            }
            return isGood ? 0 : SeedError.Kind.badData.exitStatus
        })
}

/// Everything that is wrong or odd, each with its place.
private func findings(of check: SeedCheck) -> [String] {
    var lines: [String] = []
    if !check.issues.isEmpty { lines.append(text(of: SeedError(.badData, issues: check.issues))) }
    if check.furtherIssues > 0 { lines.append("… and \(counted(check.furtherIssues, "more issue"))") }
    lines += check.failures.map(text)
    for issue in check.duplicateKeys { lines.append("warning: " + text(of: SeedError(.badData, issues: [issue]))) }
    if check.furtherDuplicateKeys > 0 {
        lines.append("… and \(counted(check.furtherDuplicateKeys, "more repeated key"))")
    }
    return lines + conflictLines(check.conflicts, of: check.conflictCount)
}

/// What there is, in numbers: the rows, then the elements that do not fit.
private func numbers(of check: SeedCheck) -> [[String]] {
    let rejected = check.sources.filter { $0.rejected > 0 }.map { source in
        let verb = source.rejected == 1 ? "does" : "do"
        return "\(grouped(source.rejected)) of \(counted(source.read, "element")) of \(source.file) \(verb) not fit"
    }
    return [rowLines(check.entities), rejected]
}
