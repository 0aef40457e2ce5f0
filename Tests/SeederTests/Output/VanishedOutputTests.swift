import Foundation
import ObjectStore
import Seeder
import TestSupport
import Testing

/// A change of the output's folder while a build runs.
@Suite struct VanishedOutputTests {
    enum Moment: CaseIterable { case reading, read, finishing }

    struct Mishap: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// A script in the folder of the output.
        let script: String
        let kind: SeedError.Kind
        let lines: [String]
        /// The remaining files of the folder; nil if the folder does not exist.
        var left: [String]?
    }

    static let mishaps = [
        Mishap(
            testDescription: "the folder is removed", script: "rm -r ../out", kind: .cannotCreateOutput,
            lines: [
                "cannot create out/out.sqlite: No such file or directory",
                "The folder out was removed; create it and build again.",
            ]),
        Mishap(
            testDescription: "the folder is replaced", script: "rm -r ../out && mkdir ../out", kind: .inputOutput,
            lines: [
                "cannot write out/out.sqlite: its folder, or the unfinished file in the folder, was removed or replaced",
                "Make sure that no program removes files from out, then build again.",
            ], left: []),
        Mishap(
            testDescription: "the unfinished file is removed", script: "rm .out.sqlite.*.tmp", kind: .inputOutput,
            lines: [
                "cannot write out/out.sqlite: its folder, or the unfinished file in the folder, was removed or replaced",
                "Make sure that no program removes files from out, then build again.",
            ], left: ["out.sqlite", "out.sqlite.sha256"]),
        Mishap(
            testDescription: "a folder takes the output's place",
            script: "rm out.sqlite && mkdir -p out.sqlite/inner", kind: .cannotCreateOutput,
            lines: ["cannot create out/out.sqlite: it is a folder", "Name a file to write."],
            left: ["out.sqlite", "out.sqlite.sha256"]),
        Mishap(
            testDescription: "a folder takes the checksum's place",
            script: "rm out.sqlite.sha256 && mkdir out.sqlite.sha256", kind: .cannotCreateOutput,
            lines: ["cannot create out/out.sqlite.sha256: it is a folder", "Name a file to write."],
            left: ["out.sqlite", "out.sqlite.sha256"]),
    ]

    @Test(arguments: mishaps, Moment.allCases)
    func `the build fails with a message, and leaves all files unchanged`(mishap: Mishap, moment: Moment) throws {
        let folder = try SeedFolder([
            "seed.json": taskManifest(), "tasks.json": #"[{"id":1,"name":"old"}]"#, "out/x": "",
        ])
        let output = folder.folder.file("out/out.sqlite")
        let manifest = folder.folder.file("seed.json")
        _ = try ObjectSeeder(manifest: manifest, output: output).finish()
        try FileManager.default.removeItem(at: folder.folder.file("out/x"))
        let tasks = (1...2_000).map { #"{"id":\#($0),"name":"task \#($0)"}"# }
        try folder.folder.write("[\(tasks.joined(separator: ","))]", to: "tasks.json")
        let old = try folder.folder.data(of: "out/out.sqlite")
        let sum = try folder.folder.data(of: "out/out.sqlite.sha256")

        var options = SeedOptions()
        options.events = { event in
            switch (event, moment) {
            case (.reading, .reading), (.read, .read), (.finishing, .finishing):
                let result = try? runShell(mishap.script, directory: output.deletingLastPathComponent())
                #expect(result?.status == 0)
            default: break
            }
        }
        let error = try #require(throws: SeedError.self) {
            _ = try ObjectSeeder(manifest: manifest, output: output, options: options).finish()
        }
        let text = error.description.replacingOccurrences(of: folder.folder.path + "/", with: "")
        #expect(text.split(separator: "\n").map(String.init) == mishap.lines)
        #expect(error.kind == mishap.kind)
        let left = try? FileManager.default.contentsOfDirectory(atPath: output.deletingLastPathComponent().path)
            .sorted()
        #expect(left == mishap.left)
        for (name, bytes) in [("out/out.sqlite", old), ("out/out.sqlite.sha256", sum)] {
            guard let now = try? folder.folder.data(of: name) else { continue }
            #expect(now == bytes, "\(name)")
        }
    }

    @Test func `an output that is removed or replaced by another file while a build runs is replaced`() throws {
        for script in ["rm out.sqlite", "rm out.sqlite; echo other > out.sqlite", "rm out.sqlite out.sqlite.sha256"] {
            let folder = try SeedFolder(["seed.json": taskManifest(), "tasks.json": #"[{"id":1,"name":"old"}]"#])
            try folder.build()
            let path = folder.folder.url
            try folder.build { $0.events = { _ in _ = try? runShell(script, directory: path) } }
            #expect(try folder.rows("SELECT id FROM Task") == ["1"])
            try InterruptionTests.checkSum(of: folder)
            #expect(try InterruptionTests.litter(in: folder) == [])
        }
    }
}
