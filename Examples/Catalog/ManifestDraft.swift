import ExampleSupport
import Foundation
import Seeder

let manifestDraft = Example(
    "manifest-draft", group: "Seeding", "A first manifest from dumps, and what it is guessed from"
) { story in
    let data = exampleData("tracker")

    story.say("Three dumps of somebody else's tracker. This is one of them:")
    story.show(
        try String(contentsOf: data.appending(path: "projects.json"), encoding: .utf8)
            .trimmingCharacters(in: .newlines))

    story.say("Nobody has said what is in them. Their names, keys and values do:")
    story.showCode("draft")
    let draft = try draft(of: ["users.json", "projects.json", "tasks.json"], in: data)

    story.say("What was found, a line each:")
    for finding in draft.findings { story.show(finding.description) }

    story.say("The manifest builds as it is. Its part about projects:")
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
