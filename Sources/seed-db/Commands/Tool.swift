extension Command {
    /// The name of the tool.
    static let toolName = "seed-db"

    /// The subcommands except `help`.
    private static let subcommands = [build, check, infer, inspect, diff, models, keyPath]

    /// The tool itself.
    static let tool: Command = Command(
        toolName, "Build the seed database of an app from JSON dumps.",
        notes: ["A manifest, a JSON file, describes the entities and lists the dumps."],
        options: [
            Option(
                "--generate-completion-script", value: Value("shell", .choice(Shell.allCases.map(\.rawValue))),
                help: "Print the completion script for a shell."),
            Option("--generate-man-page", isHidden: true, help: "Print the manual page."),
        ],
        subcommands: subcommands + [help],
        sections: manual,
        run: { arguments in
            if let shell = arguments["--generate-completion-script"].flatMap(Shell.init) {
                try print(shell.script(for: tool))
            } else if arguments.has("--generate-man-page") {
                try print(ManualPage(tool).text)
            } else {
                throw UsageError("a subcommand is missing", tool)
            }
            return 0
        })

    private static let help = Command(
        "help", "Show help for a subcommand.",
        arguments: [
            Argument(
                Value("subcommand", .choice(subcommands.map(\.name) + ["help"])), isOptional: true,
                help: "The subcommand. Defaults to the tool itself.")
        ],
        run: { arguments in
            let command = arguments.operands.first.flatMap(tool.subcommand) ?? tool
            try printHelp(of: command)
            return 0
        })

    private static let manual = [
        Section(
            "ENVIRONMENT",
            [
                ("COLUMNS", "The width of help pages and of the progress bar. Defaults to the width of the terminal."),
                ("NO_COLOR", "If set and not empty, the progress bar has no colour."),
                ("TERM", "If 'dumb' or not set, there is no progress bar."),
            ]),
        Section(
            "FILES",
            [
                ("OUTPUT.sha256", "The checksum of the database, in the format of sha256sum -c."),
                ("OUTPUT.rejects.ndjson", "The elements that were skipped with --on-error skip, verbatim."),
                (
                    ".OUTPUT.*.tmp",
                    "A database that is being built. The next build removes files of a killed one."
                ),
            ]),
        Section(
            "EXIT STATUS", isInHelp: true,
            [
                ("0", "Success; for diff, the databases are equal."),
                ("1", "For diff, the databases differ."),
                ("64", "Invalid command line."),
                ("65", "Invalid manifest, dump or database."),
                ("66", "An input file is missing or cannot be read."),
                ("73", "The output cannot be created."),
                ("74", "Reading or writing failed partway."),
                ("130, 143", "Interrupted by SIGINT or SIGTERM; no output is left behind."),
            ]),
        Section(
            "EXAMPLES",
            [
                ("seed-db build seed.json -o seed.sqlite", "Build a database from the dumps of a manifest."),
                (
                    "seed-db build seed.json -o seed.sqlite --on-error skip --report report.json",
                    "Skip invalid elements, and write a report."
                ),
                ("seed-db check seed.json", "Print all problems of the dumps without writing a database."),
                (
                    "seed-db infer users.json tasks.json -o seed.json",
                    "Draft a manifest, and print the reasons for each guess."
                ),
                ("seed-db inspect seed.sqlite --rows 10", "Show the first rows of every entity."),
                ("seed-db diff old.sqlite new.sqlite", "List added, removed and changed rows."),
                ("seed-db models seed.json -o Models", "Write Swift models for the same dumps."),
                ("seed-db keypath 'transactions.@avg.amount' account.json", "Evaluate a key path."),
            ]),
    ]
}
