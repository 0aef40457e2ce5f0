import ExampleSupport
import Foundation
import ObjectStore
import Seeder

let seedDatabase = Example(
    "seed-database", group: "Seeding", "Three dumps become a database, and the database answers"
) { story in
    let data = exampleData("tracker")
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    story.say("An app is to start with data in it. There are three dumps; this is the one of the tasks:")
    story.show(try text(data.appending(path: "tasks.json")))

    story.say("A task names its user and its project by id, and those stand in other files. A manifest says so:")
    story.show(try text(data.appending(path: "seed.json")))

    let output = folder.appending(path: "seed.sqlite")
    let report = try buildSeed(manifest: data.appending(path: "seed.json"), output: output)

    story.say(
        """
        `from` renames, and `by` wires a relationship by key, whichever file comes first. Building takes two lines of
        Swift, opening one:
        """)
    story.showCode("declaration")

    story.say("The report of the build counts what is there:")
    for entity in report.entities { story.show("\(entity.name): \(entity.rows)") }

    story.say("And this is what `printWorkloads` prints:")
    try printWorkloads(output)

    story.say(
        """
        The file is plain SQLite: every other tool and library reads it, too. It appears only when it is complete, and
        the same dumps and version of SQLite give the same bytes, so that it may lie in the cache of a build.
        """)
}

private func text(_ url: URL) throws -> String {
    try String(contentsOf: url, encoding: .utf8).trimmingCharacters(in: .newlines)
}

// snippet.declaration
func buildSeed(manifest: URL, output: URL) throws -> SeedReport {
    let seeder = try ObjectSeeder(manifest: manifest, output: output)
    return try seeder.finish()
}

func printWorkloads(_ file: URL) throws {
    let seed = try SeedDatabase(at: file)
    let hours = "SELECT total(hours) FROM Task JOIN User ON User._id = Task.assignedUser WHERE User.name = ?"
    for user in try seed.rows(of: "User") {
        guard let name = user["name"]?.text else { continue }
        let total = try seed.value(sql: hours, arguments: [.text(name)])?.double ?? 0
        print("    \(name) has \(total) hours of work")
    }
}
// snippet.end
