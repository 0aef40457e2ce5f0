extension Command {
    /// What the tool is called.
    static let toolName = "seed-db"

    /// What there is to do.
    private static let works = [build, check, infer, inspect, diff, models, keyPath]

    /// The tool itself.
    static let tool: Command = Command(
        toolName, "Build the database that an app starts with from JSON dumps.",
        notes: ["A manifest says which entities there are and which file feeds them."],
        options: [
            Option(
                "--generate-completion-script", value: Value("shell", .choice(Shell.allCases.map(\.rawValue))),
                help: "Print the script that completes commands in a shell."),
            Option("--generate-man-page", isHidden: true, help: "Print the manual page."),
        ],
        subcommands: works + [help],
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
        "help", "Show help information of a subcommand.",
        arguments: [
            Argument(
                Value("subcommand", .choice(works.map(\.name) + ["help"])), isOptional: true,
                help: "The subcommand; the tool itself if there is none.")
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
                ("COLUMNS", "The width of help pages and of the progress bar; the terminal's own by default."),
                ("NO_COLOR", "If it is set and not empty, the progress bar has no colour."),
                ("TERM", "If it is dumb or not set, there is no progress bar."),
            ]),
        Section(
            "FILES",
            [
                ("OUTPUT.sha256", "The checksum of a database that was built, as sha256sum -c reads it."),
                ("OUTPUT.rejects.ndjson", "The elements that --on-error=skip left out, as they stood."),
                (
                    ".OUTPUT.*.tmp",
                    "A database that is being built. The next build removes what a killed one left behind."
                ),
            ]),
        Section(
            "EXIT STATUS", isInHelp: true,
            [
                ("0", "Done; for diff, the databases are equal."),
                ("1", "The databases that diff compares differ."),
                ("64", "The command line makes no sense."),
                ("65", "The manifest, a dump or a database is bad."),
                ("66", "A file to read is missing or unreadable."),
                ("73", "The output cannot be created."),
                ("74", "Reading or writing failed half-way."),
                ("130, 143", "Interrupted by SIGINT or SIGTERM; nothing is left behind."),
            ]),
        Section(
            "EXAMPLES",
            [
                ("seed-db build seed.json -o seed.sqlite", "Build a database from the dumps that a manifest names."),
                (
                    "seed-db build seed.json -o seed.sqlite --on-error skip --report report.json",
                    "Leave out what does not fit, and write down what was done."
                ),
                ("seed-db check seed.json", "Tell everything that is wrong with the dumps, and write nothing."),
                ("seed-db infer users.json tasks.json -o seed.json", "Draft a manifest, and read why it is so."),
                ("seed-db inspect seed.sqlite --rows 10", "Look at the first rows of every entity."),
                ("seed-db diff old.sqlite new.sqlite", "List the rows that were added, removed or changed."),
                ("seed-db models seed.json -o Models", "Write Swift models that read the same dumps."),
                ("seed-db keypath 'transactions.@avg.amount' account.json", "Try a key path."),
            ]),
    ]
}
