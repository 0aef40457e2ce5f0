import ExampleSupport
import Foundation
import Seeder

let manifestDraft = Example(
    "manifest-draft", group: "Seeding", "A draft of a manifest, inferred from dumps, with the reasons"
) { story in
    let data = exampleData("tracker")

    story.say("Three dumps of an unknown tracker. This is one of them:")
    story.show(
        try String(contentsOf: data.appending(path: "projects.json"), encoding: .utf8)
            .trimmingCharacters(in: .newlines))

    story.say("The draft is inferred from file names, keys and values:")
    story.showCode("draft")
    let draft = try draft(of: ["users.json", "projects.json", "tasks.json"], in: data)

    story.say("The findings, one per line:")
    for finding in draft.findings { story.show(finding.description) }

    story.say("The manifest can be built without a change. Its entity of the projects:")
    let lines = draft.text.split(separator: "\n")
    let part = lines.drop { !$0.contains("\"Project\": {") }
    story.show(part.prefix { !$0.contains("\"Task\": {") }.joined(separator: "\n"))

    story.say("On the command line the same is `seed-db infer users.json projects.json tasks.json -o seed.json`.")
}

// snippet.draft
func draft(of files: [String], in folder: URL) throws -> ManifestDraft {
    try ManifestInference(dumps: files.map { folder.appending(path: $0) }, base: folder).run()
}
// snippet.end
