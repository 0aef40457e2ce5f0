import Seeder

extension Command {
    static let infer: Command = Command(
        "infer", "Draft a manifest from JSON dumps.",
        notes: [
            """
            Every element counts for types, for what may be absent, for what tells objects apart and for what refers to \
            what. The draft builds as it is; what it is guessed from goes to standard error, a line a guess, and what \
            is worth a look is marked as uncertain or not taken.
            """
        ],
        arguments: [
            Argument(
                Value("dump", .file(["json", "ndjson", "jsonl", "gz"])), isRepeated: true,
                help: "What to read; '-' is standard input.")
        ],
        options: [
            Option(
                "--output", "-o", value: Value("file", .file(["json"])),
                help: "The manifest to write; standard output if not given."),
            Option(
                "--base", value: Value("dir", .folder),
                help: "The folder that the manifest names the dumps from; its own if not given."),
            Option("--force", help: "Replace a manifest that is there already."),
            Option("--report", value: Value("file", .file(["json"])), help: "Write the guesses as JSON."),
            Option("--quiet", "-q", help: "Print nothing but the manifest and errors."),
        ],
        run: { arguments in
            let dumps = arguments.operands
            let output = arguments["--output"]
            let files = try DraftFiles(
                manifest: output, report: arguments["--report"], inputs: dumps,
                replacesManifest: arguments.has("--force"))
            let bar = arguments.has("--quiet") ? nil : ProgressBar()
            var inference = ManifestInference(paths: dumps, base: arguments["--base"] ?? folder(of: output))
            inference.progress = bar?.show
            catchInterruptions()
            let draft = try bar.whileShown { try inference.run() }
            if output == nil { try print(String(draft.text.dropLast())) }
            try files.write(draft)
            if !arguments.has("--quiet"), !draft.findings.isEmpty {
                printError(draft.findings.map { $0.description.withoutControls }.joined(separator: "\n"))
            }
            return 0
        })
}

/// The folder of a file that is going to be there, or the current one for none.
private func folder(of file: String?) -> String {
    guard let file, let slash = file.lastIndex(of: "/") else { return "." }
    return slash == file.startIndex ? "/" : String(file[..<slash])
}
