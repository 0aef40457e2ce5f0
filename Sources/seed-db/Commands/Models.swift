import Seeder

extension Command {
    static let models: Command = Command(
        "models", "Write Swift models with their mappings for a manifest.",
        notes: [
            """
            Each entity becomes a type in a file of its own. Classes and structs come with Dumps.swift, which reads the \
            manifest's sources into them; managed classes come with ObjectModel+Seed.swift, the model that opens the \
            database that 'seed-db build' makes of the manifest. The dumps themselves are not read. Without --output \
            everything goes to standard output. Existing files that differ are not replaced: exit status 73, and \
            nothing is written.
            """
        ],
        arguments: [
            Argument(Value("manifest", .file(["json"])), help: "What to write models for; '-' is standard input.")
        ],
        options: [
            Option(
                "--output", "-o", value: Value("dir", .folder),
                help: "The folder for the files; made if need be, its parent is not."),
            Option(
                "--kind",
                value: Value(
                    "kind", .choice(ModelSources.Kind.allCases.map(\.rawValue)),
                    preset: ModelSources.Kind.classes.rawValue),
                help: "Write plain classes, structs, or managed classes of ObjectStore."),
            Option("--force", help: "Replace files that differ."),
        ],
        run: { arguments in
            let kind = ModelSources.Kind(rawValue: arguments.value("--kind")) ?? .classes
            let sources = try ModelSources(manifestPath: arguments.operands[0], kind: kind)
            guard let folder = arguments["--output"] else {
                try print(String(sources.text.dropLast()))
                return 0
            }
            catchInterruptions()
            try sources.write(toPath: folder, replacing: arguments.has("--force"))
            return 0
        })
}
