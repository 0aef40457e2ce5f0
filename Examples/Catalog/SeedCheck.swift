import ExampleSupport
import Foundation
import Seeder

let seedCheck = Example(
    "seed-check", group: "Seeding", "All mistakes of dumps in one report, without writing a file"
) { story in
    let data = exampleData("broken")

    story.say("In this dump a number is written as a word:")
    story.show(
        try String(contentsOf: data.appending(path: "tasks.json"), encoding: .utf8)
            .trimmingCharacters(in: .newlines))

    story.say("A check reads the dumps like a build, but writes no file. It continues after a mistake:")
    story.showCode("check")

    story.say("It prints:")
    for line in try findings(in: data.appending(path: "seed.json")) {
        story.show(line.replacingOccurrences(of: data.path + "/", with: ""))
    }

    story.say(
        "On the command line the same is `seed-db check seed.json`. It also warns about duplicate keys in an object."
    )
}

// snippet.check
func findings(in manifest: URL) throws -> [String] {
    let check = try ObjectSeeder.check(manifest: manifest)
    let rows = check.entities.map { "\($0.name): \($0.rows) rows would be stored" }
    return check.issues.map(\.description) + check.duplicateKeys.map { "warning: \($0)" } + rows
}
// snippet.end
