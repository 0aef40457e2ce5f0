import Foundation
import ObjectMapping
import MappingSystemCalls
import TestSupport
import Testing

@testable import Seeder

@Suite struct InputFileTests {
    private static let advice = "Make sure that no program writes to it, then build again."

    /// Changes of a file of 100,000 bytes after the build has begun to read it, and the expected messages.
    private static let changes: [(change: @Sendable (URL) throws -> Void, message: String?)] = [
        ({ _ in }, nil),
        ({ try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: $0.path) }, nil),
        // An open file is unchanged.
        ({ try FileManager.default.removeItem(at: $0) }, nil),
        ({ try Data("[]".utf8).write(to: $0, options: .atomic) }, nil),
        (
            { try change($0) { try $0.truncate(atOffset: 60_000) } },
            "a.json shrank from 100000 to 60000 bytes while it was being read (read up to byte 60000)"
        ),
        (
            { try change($0) { try $0.truncate(atOffset: 0) } },
            "a.json shrank from 100000 to 0 bytes while it was being read (read up to byte 50000)"
        ),
        (
            {
                try change($0) {
                    try $0.seekToEnd()
                    try $0.write(contentsOf: Data("more".utf8))
                }
            }, "a.json grew from 100000 to 100004 bytes while it was being read (read up to byte 100004)"
        ),
        (
            { try change($0) { try $0.write(contentsOf: Data("{".utf8)) } },
            "a.json was modified while it was being read (read up to byte 100000)"
        ),
        // Only the seconds, or only the nanoseconds, of the modification time differ.
        ({ try rewrite($0, laterBy: (1, 0)) }, "a.json was modified while it was being read (read up to byte 100000)"),
        ({ try rewrite($0, laterBy: (0, 1)) }, "a.json was modified while it was being read (read up to byte 100000)"),
    ]

    private static func change(_ url: URL, _ body: (FileHandle) throws -> Void) throws {
        // The clock of the file system has a resolution.
        usleep(20_000)
        let handle = try FileHandle(forUpdating: url)
        try body(handle)
        try handle.close()
    }

    private static func rewrite(_ url: URL, laterBy time: (seconds: Int, nanoseconds: Int)) throws {
        var status = stat()
        #expect(stat(url.path, &status) == 0)
        let modified = status.modificationTime
        try change(url) { try $0.write(contentsOf: Data("{".utf8)) }
        let later = timespec(
            tv_sec: modified.tv_sec + time.seconds, tv_nsec: (modified.tv_nsec + time.nanoseconds) % 1_000_000_000)
        #expect(utimensat(AT_FDCWD, url.path, [later, later], 0) == 0)
    }

    @Test(arguments: changes.indices)
    func `a file that changes while it is read is refused`(index: Int) throws {
        let (change, message) = Self.changes[index]
        let folder = try TemporaryDirectory()
        let file = try folder.write(String(repeating: " ", count: 100_000), to: "a.json")
        let input = try InputFile(path: file.path, name: "a.json", spoolPath: folder.file("spool").path)
        var text = try input.text()
        let block = ByteBlock(count: 50_000)
        let count = try text.read(into: block.bytes)
        #expect(count == 50_000)
        try change(file)
        var error: SeedError?
        do {
            while try text.read(into: block.bytes) > 0 {}
        } catch let thrown as SeedError { error = thrown }
        #expect(error?.kind == message.map { _ in .badData })
        #expect(error?.message == message)
        #expect(error?.advice == message.map { _ in Self.advice })
    }

    @Test func `a file that is replaced before it is read is refused`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("[1]", to: "a.json")
        let input = try InputFile(path: file.path, name: "a.json", spoolPath: folder.file("spool").path)
        try Data("[2]".utf8).write(to: file, options: .atomic)
        let error = #expect(throws: SeedError.self) { try input.text() }
        #expect(error?.message == "a.json was replaced after the build started (read up to byte 0)")
    }

    @Test func `a dump that is rewritten with the same size before it is read is refused`() throws {
        // The pipe makes the build wait after it has checked the files.
        let sources = #"{ "file": "a.json", "entity": "Task" }, { "file": "pipe", "entity": "Task" }"#
        let folder = try SeedFolder(["seed.json": taskManifest(sources: sources), "a.json": #"[{"id":1}]"#])
        let script = """
            mkfifo pipe
            { exec 3>pipe; sleep 0.1; printf '[{"id":2}]' > a.json; echo '[]' >&3; } &
            seed-db build seed.json -o out.sqlite
            """
        let result = try runShell(script, directory: folder.folder.url)
        #expect(result.status == 65)
        #expect(
            result.errors
                == "seed-db: a.json was modified while it was being read (read up to byte 0)\n\(Self.advice)\n")
        #expect(try folder.folder.names == ["a.json", "pipe", "seed.json"])
    }

    @Test func `broken JSON in a file that has changed is reported as broken JSON`() throws {
        // The pipe makes the build wait after it has checked the files.
        let sources = #"{ "file": "a.json", "entity": "Task" }, { "file": "pipe", "entity": "Task" }"#
        let folder = try SeedFolder(["seed.json": taskManifest(sources: sources), "a.json": #"[{"id":1}]"#])
        let script = """
            mkfifo pipe
            { exec 3>pipe; sleep 0.1; printf '[{"id":}]' > a.json; echo '[]' >&3; } &
            seed-db build seed.json -o out.sqlite
            """
        let result = try runShell(script, directory: folder.folder.url)
        #expect(result.status == 65)
        #expect(
            result.errors == """
                seed-db: a.json shrank from 10 to 9 bytes while it was being read (read up to byte 0)
                \(Self.advice)

                """)
        #expect(try folder.folder.names == ["a.json", "pipe", "seed.json"])
    }

    @Test func `a pipe without a writer times out`() throws {
        let folder = try TemporaryDirectory()
        let pipe = folder.file("pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let error = #expect(throws: SeedError.self) {
            try InputFile(
                path: pipe, name: "pipe", spoolPath: folder.file("spool").path, timeout: .milliseconds(120))
        }
        #expect(error?.kind == .inputMissing)
        #expect(error?.message == "cannot read pipe: no program has opened this pipe for writing")
        #expect(try folder.names == ["pipe"])
    }

    @Test(arguments: [
        ("exec 3>pipe; sleep 0.3; printf '[{\"id\":1}'; sleep 0.3; printf ']'", 0, ""),
        (":", 65, "pipe:1:1 $: expected a value, found an empty text\n"),
    ])
    func `a pipe is read until its writer closes it`(
        writer: String, status: Int32, errors: String
    ) throws {
        let folder = try SeedFolder(["seed.json": taskManifest(sources: #"{ "file": "pipe", "entity": "Task" }"#)])
        let script = "mkfifo pipe; { sleep 0.1; { \(writer); } > pipe; } & seed-db build seed.json -o out.sqlite -q"
        let result = try runShell(script, directory: folder.folder.url)
        #expect(result.status == status)
        #expect(result.errors == errors)
    }

    /// Calls with a folder, a device or a pipe instead of a file.
    static let wrongs: [(call: String, status: Int32, errors: String)] = [
        ("build sub -o x.sqlite", 66, "cannot read sub: Is a directory"),
        ("build subs.json -o x.sqlite", 66, "cannot read sub: Is a directory\ncannot read sub.gz: Is a directory"),
        ("build device.json -o x.sqlite", 66, "cannot read /dev/zero: it is not a file or pipe"),
        ("build /dev/zero -o x.sqlite", 66, "cannot read /dev/zero: it is not a file or pipe"),
        ("check sub", 66, "cannot read sub: Is a directory"),
        ("check subs.json", 66, "cannot read sub: Is a directory\ncannot read sub.gz: Is a directory"),
        ("inspect sub", 66, "cannot read sub: Is a directory"),
        ("inspect pipe", 66, "cannot read pipe: it is a pipe"),
        ("keypath a sub", 66, "cannot read sub: Is a directory"),
        ("keypath a /dev/zero", 66, "cannot read /dev/zero: it is not a file or pipe"),
        ("build seed.json -o sub", 73, "cannot create sub: it is a folder\nName a file to write."),
        ("build seed.json -o pipe", 73, "cannot create pipe: it is not a regular file\nName a file to write."),
        ("build seed.json -o x.sqlite --rejects sub", 73, "cannot create sub: it is a folder\nName a file to write."),
        ("build seed.json -o x.sqlite --report sub", 73, "cannot create sub: it is a folder\nName a file to write."),
        ("build seed.json -o full", 73, "cannot create full.sha256: it is a folder\nName a file to write."),
        ("build seed.json -o x.sqlite --base a.json", 66, "cannot read a.json/a.json: Not a directory"),
        ("check seed.json --base a.json", 66, "cannot read a.json/a.json: Not a directory"),
    ]

    @Test(arguments: wrongs.indices)
    func `an input that must be a file is named in the error, and nothing is written`(index: Int) throws {
        let (call, status, errors) = Self.wrongs[index]
        let subs = #"{ "file": "sub", "entity": "Task" }, { "file": "sub.gz", "entity": "Task" }"#
        let folder = try SeedFolder([
            "seed.json": taskManifest(sources: #"{ "file": "a.json", "entity": "Task" }"#), "a.json": "[]",
            "subs.json": taskManifest(sources: subs), "sub/x": "", "sub.gz/x": "", "full.sha256/x": "",
            "device.json": taskManifest(sources: #"{ "file": "/dev/zero", "entity": "Task" }"#),
        ])
        let names = try folder.folder.names
        let result = try runShell("mkfifo pipe; seed-db \(call)", directory: folder.folder.url)
        #expect(result.status == status)
        #expect(result.errors == "seed-db: \(errors)\n")
        #expect(try folder.folder.names == (names + ["pipe"]).sorted())
    }

    @Test func `a generated file of the system is read like a pipe`() throws {
        let folder = try SeedFolder()
        let manifest = taskManifest(sources: #"{ "file": "/proc/sys/kernel/pid_max", "entity": "Task" }"#)
        try folder.folder.write(manifest, to: "seed.json")
        guard FileManager.default.fileExists(atPath: "/proc/sys/kernel/pid_max") else { return }
        #expect(
            try folder.buildError()?.1 == ["/proc/sys/kernel/pid_max:1:1 $: expected an object, found a number"])
    }
}
