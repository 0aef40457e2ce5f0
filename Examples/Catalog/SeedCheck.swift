import ExampleSupport
import Foundation
import Seeder

let seedCheck = Example(
    "seed-check", group: "Seeding", "All that is wrong with the dumps at once, and nothing is written"
) { story in
    let data = exampleData("broken")

    story.say("Dumps come from elsewhere. In this one somebody has spelt a number out:")
    story.show(
        try String(contentsOf: data.appending(path: "tasks.json"), encoding: .utf8)
            .trimmingCharacters(in: .newlines))

    story.say("A check does what a build does, and leaves no file. It goes on behind what is wrong:")
    story.showCode("check")

    story.say("It prints:")
    for line in try findings(in: data.appending(path: "seed.json")) {
        story.show(line.replacingOccurrences(of: data.path + "/", with: ""))
    }

    story.say(
        "On the command line the same is `seed-db check seed.json`. It also warns of keys that stand twice in an object."
    )
}

// snippet.check
func findings(in manifest: URL) throws -> [String] {
    let check = try ObjectSeeder.check(manifest: manifest)
    let rows = check.entities.map { "\($0.name): \($0.rows) rows would be stored" }
    return check.issues.map(\.description) + check.duplicateKeys.map { "warning: \($0)" } + rows
}
// snippet.end
