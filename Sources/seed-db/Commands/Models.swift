import Seeder

extension Command {
    static let models: Command = Command(
        "models", "Write Swift models and mappings for a manifest.",
        notes: [
            """
            Each entity becomes a type in a separate file. Dumps.swift reads the sources of the manifest into classes or \
            structs. For managed classes, ObjectModel+Seed.swift has the model that opens the database built by 'seed-db \
            build'. The dumps are not read. Without --output, everything is printed to standard output. If an existing \
            file differs, nothing is written and the exit status is 73.
            """
        ],
        arguments: [
            Argument(Value("manifest", .file(["json"])), help: "The manifest, a JSON file; '-' for standard input.")
        ],
        options: [
            Option(
                "--output", "-o", value: Value("dir", .folder),
                help: "The folder for the files. It is created if its parent exists."),
            Option(
                "--kind",
                value: Value(
                    "kind", .choice(ModelSources.Kind.allCases.map(\.rawValue)),
                    preset: ModelSources.Kind.classes.rawValue),
                help: "Write plain classes, structs, or managed classes for ObjectStore."),
            Option("--force", help: "Replace existing files that differ."),
        ],
        run: { arguments in
            let kind = ModelSources.Kind(rawValue: arguments.value("--kind")) ?? .classes
            let sources = try ModelSources(manifestPath: arguments.operands[0], kind: kind)
            guard let folder = arguments["--output"] else {
                try print(String(sources.text.dropLast()))
                return 0
            }
            handleInterruptions()
            try sources.write(toPath: folder, replacing: arguments.has("--force"))
            return 0
        })
}
