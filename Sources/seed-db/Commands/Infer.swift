import Seeder

extension Command {
    static let infer: Command = Command(
        "infer", "Draft a manifest from JSON dumps.",
        notes: [
            """
            Types, optional attributes, identities and relationships are inferred from all elements. The draft can be \
            built unchanged. The evidence of each guess is printed to standard error; guesses to review are marked as \
            uncertain or rejected.
            """
        ],
        arguments: [
            Argument(
                Value("dump", .file(["json", "ndjson", "jsonl", "gz"])), isRepeated: true,
                help: "A JSON or NDJSON file, plain or gzip; '-' for standard input.")
        ],
        options: [
            Option(
                "--output", "-o", value: Value("file", .file(["json"])),
                help: "The manifest to write. Defaults to standard output."),
            Option(
                "--base", value: Value("dir", .folder),
                help:
                    "The folder that the manifest's file names are relative to. Defaults to the folder of the manifest."
            ),
            Option("--force", help: "Replace an existing manifest."),
            Option("--report", value: Value("file", .file(["json"])), help: "Write the guesses as JSON."),
            Option("--quiet", "-q", help: "Print only the manifest and errors."),
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
            handleInterruptions()
            let draft = try bar.whileShown { try inference.run() }
            if output == nil { try print(String(draft.text.dropLast())) }
            try files.write(draft)
            if !arguments.has("--quiet"), !draft.findings.isEmpty {
                printError(draft.findings.map { $0.description.withoutControls }.joined(separator: "\n"))
            }
            return 0
        })
}

/// Returns the folder of an output file, or the current folder for standard output.
private func folder(of file: String?) -> String {
    guard let file, let slash = file.lastIndex(of: "/") else { return "." }
    return slash == file.startIndex ? "/" : String(file[..<slash])
}
