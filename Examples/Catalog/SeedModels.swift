import ExampleSupport
import Foundation
import Seeder

let seedModels = Example("seed-models", group: "Seeding", "Swift models with their mappings, generated from a manifest")
{
    story in
    let manifest = exampleData("tracker").appending(path: "seed.json")

    story.say("A manifest describes the dumps of a task tracker:")
    story.show(
        try String(contentsOf: manifest, encoding: .utf8).split(separator: "\n")[15...26].joined(separator: "\n"))

    story.say("Models for an app are generated from it:")
    story.showCode("models")

    story.say("The class of the tasks, which reads the same dumps:")
    story.show(try model("Task", of: manifest.standardized))

    story.say(
        """
        On the command line the same is `seed-db models seed.json -o Models`. Dumps.swift, written with them, reads \
        all dumps of the manifest. `--kind structs` writes structs, `--kind managed` classes that open a seed database.
        """)
}

// snippet.models
func model(_ name: String, of manifest: URL) throws -> String {
    let sources = try ModelSources(manifest: manifest, kind: .classes)
    return sources.files.first { $0.name == "\(name).swift" }?.text ?? ""
}
// snippet.end
