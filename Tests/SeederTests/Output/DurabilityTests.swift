import Foundation
import TestSupport
import Testing

/// The files that a build synchronizes before it needs them, and the result if the build is killed between two renames.
@Suite(.enabled(if: SystemCallTrace.isAvailable, "strace is not available")) struct DurabilityTests {
    private static func folder() throws -> SeedFolder {
        try SeedFolder(["seed.json": taskManifest(), "tasks.json": #"[{"id":1},{"id":2},{"no":3}]"#])
    }

    private static let build = "seed-db build seed.json -o out.sqlite --on-error skip -q"

    @Test func `files are synchronized before they are renamed, and the folder afterwards`() throws {
        let folder = try Self.folder()
        let files = ["out.sqlite", "out.sqlite.sha256", "out.sqlite.rejects.ndjson"]
        for hasOldFiles in [false, true] {
            let trace = try SystemCallTrace(of: Self.build, directory: folder.folder.url)
            #expect(trace.result.status == 0, "\(trace.result.errors)")
            let oldSum = ["rename out.sqlite.sha256 -> .out.sqlite.sha256.*.tmp"]
            #expect(
                trace.calls == files.map { "fsync .\($0).*.tmp" }
                    + ["rename .out.sqlite.rejects.ndjson.*.tmp -> out.sqlite.rejects.ndjson"]
                    + (hasOldFiles ? oldSum : [])
                    + files.prefix(2).map { "rename .\($0).*.tmp -> \($0)" } + ["fsync ."])
        }
    }

    /// The renames of the rejected elements, the old checksum, the database and the new checksum.
    @Test(arguments: 1...4)
    func `a build killed before a rename leaves no wrong checksum`(rename: Int) throws {
        let folder = try Self.folder()
        #expect(try folder.run("build", "seed.json", "-o", "out.sqlite", "--on-error", "skip").status == 0)
        try folder.folder.write(#"[{"id":7},{"no":8}]"#, to: "tasks.json")
        let trace = try SystemCallTrace(of: Self.build, killedBeforeRename: rename, directory: folder.folder.url)
        #expect(trace.result.status != 0)
        #expect(trace.calls.count { $0.hasPrefix("rename ") } == rename - 1)
        #expect(try folder.rows("SELECT id FROM Task") == (rename < 4 ? ["1", "2"] : ["7"]))
        #expect(folder.folder.contains("out.sqlite.sha256") == (rename < 3))
        try InterruptionTests.checkSum(of: folder)
        #expect(try folder.run("build", "seed.json", "-o", "out.sqlite", "--on-error", "skip").status == 0)
        #expect(
            try folder.folder.names == [
                "out.sqlite", "out.sqlite.rejects.ndjson", "out.sqlite.sha256", "seed.json", "tasks.json",
            ])
        try InterruptionTests.checkSum(of: folder)
    }
}
