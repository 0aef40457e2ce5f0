import Seeder

extension Command {
    static let check: Command = Command(
        name: "check", synopsis: "MANIFEST [options]",
        summary: "Checks a manifest and all of its dumps; writes nothing.",
        operands: ["MANIFEST"],
        options: [
            Option("--base", value: "DIR", help: "The folder of the dumps; the manifest's own by default."),
            Option("--limit", value: "COUNT", help: "How many findings are told one by one; 100 by default."),
            Option("--strict", help: "Repeated keys and connections that lead nowhere are status 65, too."),
            Option("--quiet", "-q", help: "Print nothing but what is wrong."),
        ],
        notes: """
            Every element is read, converted and connected as in a build, but goes to a nameless file among the system's
            temporary ones. What is wrong with the data is status 65 and goes to standard error. Of repeated keys, mapped or
            not, the last one counts. Not checked: whether an output can be written.
            """,
        run: { arguments in
            guard let limit = Int(arguments["--limit"] ?? "100"), limit > 0 else {
                throw UsageError("option '--limit' needs a number from 1", check)
            }
            var options = SeedOptions()
            options.basePath = arguments["--base"]
            catchInterruptions()
            let manifest = arguments.operands[0]
            let result = try ObjectSeeder.check(manifestPath: manifest, options: options, limit: limit)
            let findings = findings(of: result)
            if !findings.isEmpty { printError(findings.joined(separator: "\n")) }
            if !arguments.has("--quiet") { try print(numbers(of: result, manifest)) }
            let isStrict = arguments.has("--strict")
            let isBad = !result.isSound || isStrict && !(result.duplicateKeys.isEmpty && result.unresolved.isEmpty)
            return isBad ? SeedError.Kind.badData.exitStatus : 0
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
    return lines
}

/// What there is, in numbers.
private func numbers(of check: SeedCheck, _ manifest: String) -> String {
    let name = manifest == "-" ? "standard input" : manifest
    var lines = [name + (check.isSound ? ": sound" : ": not sound"), ""]
    lines += rowLines(check.entities)
    for source in check.sources where source.rejected > 0 {
        let verb = source.rejected == 1 ? "does" : "do"
        lines += [
            "", "\(grouped(source.rejected)) of \(counted(source.read, "element")) of \(source.file) \(verb) not fit",
        ]
    }
    if !check.unresolved.isEmpty { lines += [""] + unresolvedLines(check.unresolved) }
    return lines.joined(separator: "\n")
}
