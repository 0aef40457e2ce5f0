import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite(.serialized) struct InterruptionTests {
    /// A folder whose build takes a while and must create 40,000 rows; `old` creates an existing output.
    static func folder(old: Bool) throws -> SeedFolder {
        let folder = try SeedFolder(["seed.json": taskManifest(), "tasks.json": #"[{"id":1,"name":"old"}]"#])
        if old { try folder.build() }
        let tasks = (1...40_000).map { #"{"id":\#($0),"name":"task \#($0)"}"# }
        try folder.folder.write("[" + tasks.joined(separator: ",\n") + "]", to: "tasks.json")
        return folder
    }

    /// The checksum of an output always matches it.
    static func checkSum(of folder: SeedFolder) throws {
        guard folder.folder.contains("out.sqlite.sha256") else { return }
        let check = try runShell("sha256sum -c out.sqlite.sha256", directory: folder.folder.url)
        #expect(check.output == "out.sqlite: OK\n")
    }

    static func litter(in folder: SeedFolder) throws -> [String] {
        try folder.folder.names.filter { !["seed.json", "tasks.json", "out.sqlite", "out.sqlite.sha256"].contains($0) }
    }

    @Test(arguments: [
        (SIGINT, 130, "interrupted"), (SIGTERM, 143, "stopped by SIGTERM"),
        (SIGHUP, 130, "interrupted"),
    ])
    func `a build that waits for a pipe can be interrupted`(
        signal: Int32, status: Int32, message: String
    ) throws {
        let folder = try SeedFolder(["seed.json": taskManifest(sources: #"{ "file": "pipe", "entity": "Task" }"#)])
        #expect(mkfifo(folder.folder.file("pipe").path, 0o600) == 0)
        let process = try RunningProcess(
            product("seed-db"), arguments: ["build", "seed.json", "-o", "out.sqlite"], directory: folder.folder.url)
        // The output is reserved before the inputs are opened.
        while try folder.folder.names.count < 3 { usleep(1000) }
        usleep(20_000)
        process.send(signal)
        let result = try process.wait()
        #expect(result.status == status)
        #expect(result.errors == "seed-db: \(message)\n")
        #expect(try folder.folder.names == ["pipe", "seed.json"])
    }

    @Test func `one of two builds to the same output wins, the other fails`() throws {
        let folder = try Self.folder(old: false)
        let builds = try (0..<4).map { _ in
            try RunningProcess(
                product("seed-db"), arguments: ["build", "seed.json", "-o", "out.sqlite", "-q"],
                directory: folder.folder.url)
        }
        let results = try builds.map { try $0.wait() }
        #expect(results.contains { $0.status == 0 })
        for result in results where result.status != 0 {
            #expect(result.status == 73)
            #expect(
                result.errors == """
                    seed-db: another build of out.sqlite is running
                    Wait for it to finish, or write to another file.

                    """)
        }
        #expect(try Self.litter(in: folder) == [])
        #expect(try SeedDatabase(at: folder.output).count(of: "Task") == 40_000)
        try Self.checkSum(of: folder)
    }

    @Test func `files of a running build are kept, those of a dead build are removed`() throws {
        let folder = try SeedFolder(["seed.json": taskManifest(), "tasks.json": #"[{"id":1}]"#])
        let dead = [
            ".out.sqlite.0123456789abcdef.tmp", ".out.sqlite.0123456789abcdef.tmp-journal",
            ".out.sqlite.fedcba9876543210.tmp-input", ".out.sqlite.sha256.0123456789abcdef.tmp",
            ".out.sqlite.rejects.ndjson.0123456789abcdef.tmp",
        ]
        let foreign = [
            ".out.sqlite.0123456789ABCDEF.tmp", ".out.sqlite.0123.tmp", ".out.sqlite.tmp",
            ".other.0123456789abcdef.tmp",
        ]
        for name in dead + foreign { try folder.folder.write("x", to: name) }
        try folder.build()
        #expect(try Self.litter(in: folder) == foreign.sorted())

        let alive = try folder.folder.write("x", to: ".out.sqlite.00000000000000aa.tmp")
        let descriptor = open(alive.path, O_RDWR)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let result = try folder.run("build", "seed.json", "-o", "out.sqlite")
        #expect(result.status == 73)
        #expect(FileManager.default.fileExists(atPath: alive.path))
    }
}
