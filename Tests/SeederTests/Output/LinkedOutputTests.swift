import Foundation
import TestSupport
import Testing

@Suite struct LinkedOutputTests {
    private func folder(link: String) throws -> SeedFolder {
        let folder = try SeedFolder(["seed.json": taskManifest(), "tasks.json": #"[{"id":1}]"#, "real/x": ""])
        try FileManager.default.createSymbolicLink(atPath: folder.output.path, withDestinationPath: link)
        return folder
    }

    @Test(arguments: [true, false])
    func `a link as output is followed, even if its target does not exist`(exists: Bool) throws {
        let folder = try folder(link: "real/seed.sqlite")
        if exists { try folder.folder.write("old", to: "real/seed.sqlite") }
        let result = try folder.run("build", "seed.json", "-o", "out.sqlite", "-q")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try rows("SELECT id FROM Task", in: folder.folder.file("real/seed.sqlite")) == ["1"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.output.path) == "real/seed.sqlite")
        #expect(try folder.folder.names == ["out.sqlite", "real", "seed.json", "tasks.json"])
        let check = try runShell("sha256sum -c seed.sqlite.sha256", directory: folder.folder.file("real"))
        #expect(check.output == "seed.sqlite: OK\n")
    }

    @Test(arguments: [
        ("real", "seed-db: cannot create out.sqlite: it is a folder\nName a file to write.\n"),
        ("out.sqlite", "seed-db: cannot create out.sqlite: Too many levels of symbolic links\n"),
        (
            "absent/seed.sqlite",
            "seed-db: cannot create out.sqlite: No such file or directory\nThe folder absent does not exist; create it first.\n"
        ),
        ("seed.json", "seed-db: cannot create out.sqlite: it is also an input\nWrite to another file.\n"),
    ])
    func `a link to an impossible output is refused and kept`(link: String, errors: String) throws {
        let folder = try folder(link: link)
        let result = try folder.run("build", "seed.json", "-o", "out.sqlite")
        #expect(result.status == 73)
        #expect(result.errors == errors)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.output.path) == link)
        #expect(try folder.folder.names == ["out.sqlite", "real", "seed.json", "tasks.json"])
    }
}
