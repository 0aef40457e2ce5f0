import Foundation
import Seeder
import Synchronization
import TestSupport
import Testing

@Suite struct ProgressTests {
    /// The progress that a build reports.
    private final class Log: Sendable {
        let lines = Mutex<[SeedProgress]>([])
        var all: [SeedProgress] { lines.withLock { $0 } }
        func append(_ progress: SeedProgress) { lines.withLock { $0.append(progress) } }
    }

    private static let tasks = "[" + (1...50_000).map { #"{"id":\#($0)}"# }.joined(separator: ",\n") + "]"
    private static let manifest = taskManifest(
        sources: #"{ "file": "a.json", "entity": "Task" }, { "file": "b.json", "entity": "Task" }"#)

    @Test func `a build reports file, bytes and phase, and never decreases`() throws {
        let folder = try SeedFolder(["seed.json": Self.manifest, "a.json": Self.tasks, "b.json": "[]"])
        let log = Log()
        try folder.build { $0.progress = log.append }
        let reading = log.all.filter { $0.phase == .reading }
        let total = Self.tasks.utf8.count + 2
        #expect(reading.allSatisfy { $0.totalBytes == total })
        #expect(reading.map(\.bytesRead) == reading.map(\.bytesRead).sorted())
        #expect(reading.last?.bytesRead == total)
        #expect(reading.last?.fraction == 1)
        let files = withoutRepetitions(reading.map(\.file))
        #expect(files == ["a.json", "b.json"])
        let phases = withoutRepetitions(log.all.map(\.phase))
        #expect(phases == [.reading, .indexing, .connecting, .indexing, .connecting, .checksum])
        // One event per piece of input, not per element.
        #expect(log.all.count < 1000)
    }

    @Test func `other inputs than files are copied first, without a known total`() throws {
        let folder = try SeedFolder(["seed.json": Self.manifest, "b.json": "[]", "tasks": Self.tasks])
        let pipe = folder.folder.file("a.json").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let log = Log()
        // A separate process: all threads of this one may be waiting.
        let writer = try RunningProcess(
            URL(filePath: "/bin/sh"), arguments: ["-c", "cat tasks > a.json"], directory: folder.folder.url)
        try folder.build { $0.progress = log.append }
        #expect(try writer.wait().status == 0)
        let copying = log.all.filter { $0.phase == .copying }
        #expect(copying.allSatisfy { $0.totalBytes == nil && $0.fraction == nil })
        #expect(copying.last?.file == pipe)
        #expect(copying.last?.bytesRead == Self.tasks.utf8.count)
        #expect(log.all.first { $0.phase == .reading }?.totalBytes == Self.tasks.utf8.count + 2)
    }

    @Test func `sources that are read again are counted again`() throws {
        let folder = try SeedFolder(["seed.json": taskManifest(), "tasks.json": #"[{"id":1},{"id":1}]"#])
        let log = Log()
        try folder.build { $0.progress = log.append }
        #expect(log.all.filter { $0.phase == .reading }.map(\.bytesRead).max() == 19)
        #expect(withoutRepetitions(log.all.map(\.phase)).count { $0 == .reading } == 2)
    }
}

private func withoutRepetitions<Element: Equatable>(_ list: [Element]) -> [Element] {
    list.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
}
