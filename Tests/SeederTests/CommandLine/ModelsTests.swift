import Foundation
import TestSupport
import Testing

@Suite struct ModelsTests {
    @Test func `models are written to standard output, or to files of a new folder`() throws {
        let folder = try SeedFolder(["seed.json": taskManifest()])
        let printed = try folder.run("models", "seed.json")
        #expect(printed.status == 0, "\(printed.errors)")
        #expect(
            printed.output.hasPrefix("// Written for seed.json by: seed-db models seed.json\n\nimport Foundation\n"))
        #expect(printed.output.contains("\nfinal class Task: Mappable {\n"))
        #expect(
            try folder.run("models", "-", input: taskManifest()).output.hasPrefix(
                "// Written for a manifest by: seed-db models -\n"))

        let written = try folder.run("models", "seed.json", "--kind", "structs", "-o", "Models")
        #expect(written.status == 0, "\(written.errors)")
        #expect(written.output.isEmpty)
        #expect(try folder.folder.names == ["Models", "seed.json"])
        #expect(try folder.files == ["Dumps.swift", "Task.swift"])
        #expect(try folder.text(of: "Models/Task.swift").contains("\nstruct Task: Mappable {\n"))
    }

    @Test func `edited files are not overwritten, and nothing else is written`() throws {
        let folder = try SeedFolder(["seed.json": taskManifest()])
        #expect(try folder.run("models", "seed.json", "-o", "Models").status == 0)
        // Existing files with the same content are not an error.
        #expect(try folder.run("models", "seed.json", "-o", "Models/").status == 0)

        try folder.folder.write("// mine\n", to: "Models/Task.swift")
        try folder.folder.write(taskManifest(attributes: #""title": { "type": "string" }"#), to: "seed.json")
        try folder.folder.write("// mine too\n", to: "Models/Dumps.swift")
        let refused = try folder.run("models", "seed.json", "-o", "Models")
        #expect(refused.status == 73)
        #expect(
            refused.errors == """
                seed-db: cannot create Task.swift, Dumps.swift in Models: they are already there, and may have been edited
                Write to another folder, or replace them with --force.

                """)
        #expect(try folder.text(of: "Models/Task.swift") == "// mine\n")
        #expect(try folder.files == ["Dumps.swift", "Task.swift"])

        #expect(try folder.run("models", "seed.json", "-o", "Models", "--force").status == 0)
        #expect(try folder.text(of: "Models/Task.swift").contains("var title: String?"))
        try folder.folder.write("// mine\n", to: "Models/Task.swift")
        #expect(
            try folder.run("models", "seed.json", "-o", "Models").errors == """
                seed-db: cannot create Task.swift in Models: it is already there, and may have been edited
                Write to another folder, or replace it with --force.

                """)
    }

    @Test(arguments: [
        (
            ["models"], 64,
            "seed-db: missing argument <manifest>\nUsage: seed-db models <manifest> [--output <dir>] [--kind <kind>] [--force]\n  See 'seed-db models --help' for more information.\n"
        ),
        (
            ["models", "seed.json", "--kind", "manged"], 64,
            """
            seed-db: option '--kind' is 'classes', 'structs' or 'managed', not 'manged'; did you mean 'managed'?
            Usage: seed-db models <manifest> [--output <dir>] [--kind <kind>] [--force]
              See 'seed-db models --help' for more information.

            """
        ),
        (["models", "none.json"], 66, "seed-db: cannot read none.json: No such file or directory\n"),
        (
            ["models", "bad.json"], 65,
            """
            bad.json:1:1 $.sources: expected the key 'sources', found no such key
              { "model": { "Task": { "attributes": { "id": { "type": "int" } } } } }
              ^
            bad.json:1:56 $.model.Task.attributes.id.type: expected a type (string, integer, double, boolean, date, \
            decimal, uuid, url, data, json, or a list such as [string]), found another string; did you mean 'integer'?
              { "model": { "Task": { "attributes": { "id": { "type": "int" } } } } }
                                                                     ^

            """
        ),
        (
            ["models", "seed.json", "-o", "seed.json"], 73,
            "seed-db: cannot create seed.json: it is not a folder\nSpecify an output folder.\n"
        ),
        (
            ["models", "seed.json", "-o", "none/Models"], 73,
            "seed-db: cannot create none/Models: No such file or directory\n"
        ),
        (
            ["models", "seed.json", "-o", "folder"], 73,
            "seed-db: cannot create folder/Task.swift: it is a folder\nName a file to write.\n"
        ),
    ])
    func `mistakes are reported`(arguments: [String], status: Int32, errors: String) throws {
        let folder = try SeedFolder([
            "seed.json": taskManifest(),
            "bad.json": #"{ "model": { "Task": { "attributes": { "id": { "type": "int" } } } } }"#,
        ])
        try folder.folder.write("", to: "folder/Task.swift/a")
        let result = try runExecutable(named: "seed-db", arguments: arguments, directory: folder.folder.url)
        #expect(result.status == status)
        #expect(result.errors == errors)
        #expect(result.output.isEmpty)
        #expect(try folder.folder.names == ["bad.json", "folder", "seed.json"])
    }
}

extension SeedFolder {
    /// The files that were written.
    fileprivate var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.file("Models").path).sorted() }
    }

    fileprivate func text(of name: String) throws -> String {
        String(decoding: try folder.data(of: name), as: UTF8.self)
    }
}
