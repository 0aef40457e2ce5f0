import Seeder

extension Command {
    static let models: Command = Command(
        "models", "Write Swift models with their mappings for a manifest.",
        notes: [
            """
            Each entity becomes a type in a file of its own; Dumps.swift reads the manifest's sources into them. The \
            dumps themselves are not read. Without --output everything goes to standard output. Files that stand in \
            the folder and differ are not replaced: exit status 73, and nothing is written.
            """
        ],
        arguments: [
            Argument(Value("manifest", .file(["json"])), help: "What to write models for; '-' is standard input.")
        ],
        options: [
            Option(
                "--output", "-o", value: Value("dir", .folder),
                help: "The folder for the files; made if need be, its parent is not."),
            Option("--structs", help: "Write structs instead of classes."),
            Option("--force", help: "Replace files that differ."),
        ],
        run: { arguments in
            let sources = try ModelSources(
                manifestPath: arguments.operands[0], kind: arguments.has("--structs") ? .structs : .classes)
            guard let folder = arguments["--output"] else {
                try print(String(sources.text.dropLast()))
                return 0
            }
            catchInterruptions()
            try sources.write(toPath: folder, replacing: arguments.has("--force"))
            return 0
        })
}
