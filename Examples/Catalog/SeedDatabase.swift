import ExampleSupport
import Foundation
import ObjectStore
import Seeder

let seedDatabase = Example(
    "seed-database", group: "Seeding", "A database is built from three dumps, and queried"
) { story in
    let data = exampleData("tracker")
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    story.say("An app starts with data from three dumps. This is the dump of the tasks:")
    story.show(try text(data.appending(path: "tasks.json")))

    story.say("A task has the ids of its user and its project, which are in other files. A manifest declares this:")
    story.show(try text(data.appending(path: "seed.json")))

    let output = folder.appending(path: "seed.sqlite")
    let report = try buildSeed(manifest: data.appending(path: "seed.json"), output: output)

    story.say(
        """
        `from` renames a key, and `by` connects objects by key, in any order of the files. Building takes two lines of
        Swift, opening one:
        """)
    story.showCode("declaration")

    story.say("The report of the build has the number of rows:")
    for entity in report.entities { story.show("\(entity.name): \(entity.rows)") }

    story.say("`printWorkloads` prints:")
    try printWorkloads(output)

    story.say(
        """
        The file is a plain SQLite database, which other tools and libraries can read. It is created only when it is
        complete. The same dumps and the same version of SQLite give the same bytes, so the file can be cached.
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
