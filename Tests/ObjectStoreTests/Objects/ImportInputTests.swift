import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// The sources of the text of an import.
@Suite struct ImportInputTests {
    private struct BrokenConnection: Error {}

    private let folder: TemporaryDirectory
    private let store: ManagedObjectStore

    init() throws {
        folder = try TemporaryDirectory()
        store = try ManagedObjectStore(
            at: folder.file("store.sqlite"), model: ObjectModel(Ticket.self, Person.self, Board.self))
    }

    private static let lines = (1...3000).map { #"{"id":\#($0),"name":"ticket \#($0)"}"# }

    private func count() throws -> Int? {
        try store.rows(sql: "SELECT count(*) FROM Ticket").first?.values.first?.integer.map(Int.init)
    }

    // MARK: Files

    @Test(arguments: ["a.json.gz", "a.ndjson.gz", "A.JSONL.GZ", "a.ndjson", "a.json"])
    func `the names of files determine arrangement and compression`(_ name: String) async throws {
        let isLines = name.lowercased().contains("nd") || name.lowercased().contains("jsonl")
        let text = isLines ? Self.lines.joined(separator: "\n") : "[\(Self.lines.joined(separator: ","))]"
        // Several members, split anywhere.
        let members = stride(from: 0, to: text.utf8.count, by: 50_000).map { start in
            gzipMember(Data(text.utf8.dropFirst(start).prefix(50_000)))
        }
        let url = folder.file(name)
        try (name.lowercased().hasSuffix("gz") ? members.reduce(Data(), +) : Data(text.utf8)).write(to: url)
        let report = try await store.importJSON(url, with: Ticket.mapping, commit: .every(500))
        #expect(report.elements == 3000 && report["Ticket"]?.inserted == 3000)
    }

    @Test func `the arrangement can be given`() async throws {
        let text = Data(Self.lines.joined(separator: "\n").utf8)
        try text.write(to: folder.file("lines.txt"))
        let report = try await store.importJSON(folder.file("lines.txt"), with: Ticket.mapping, each: .line)
        #expect(report["Ticket"]?.inserted == 3000)
        let again = try await store.importJSON(text, with: Ticket.mapping, each: .line)
        #expect(again["Ticket"]?.unchanged == 3000)
    }

    @Test func `a damaged or missing file is an error that names the file and what was committed`() async throws {
        let member = gzipMember("[" + Self.lines.prefix(1000).joined(separator: ","))
        try (member + Data("not gzip".utf8)).write(to: folder.file("a.json.gz"))
        var error = await #expect(throws: ImportError.self) {
            try await store.importJSON(folder.file("a.json.gz"), with: Ticket.mapping, commit: .every(100))
        }
        #expect(error?.description.contains("a.json.gz is not valid gzip: other data follows") == true)
        #expect(try count() == error?.committed.elements)
        error = await #expect(throws: ImportError.self) {
            try await store.importJSON(folder.file("missing.json"), with: Ticket.mapping)
        }
        #expect(error?.cause is StreamFileError && error?.committed.elements == 0)
        #expect(error?.description.contains("missing.json: No such file or directory") == true)
    }

    // MARK: Chunks

    @Test(arguments: [1, 7, 4096, 1 << 20]) func `a payload can be split anywhere`(_ size: Int) async throws {
        let text = Data("{\"tickets\":[\(Self.lines.joined(separator: ","))]}".utf8)
        let chunks = AsyncStream<Data> { stream in
            for start in stride(from: 0, to: text.count, by: size) {
                stream.yield(text.dropFirst(start).prefix(size))
            }
            stream.finish()
        }
        let report = try await store.importJSON(chunks, with: Ticket.mapping, at: "tickets", commit: .every(1000))
        #expect(report["Ticket"]?.inserted == 3000)
    }

    @Test func `a payload that fails writes nothing, and the store is not locked meanwhile`() async throws {
        let (chunks, stream) = AsyncThrowingStream.makeStream(of: Data.self)
        let task = Task { [store] in try await store.importJSON(chunks, with: Ticket.mapping, commit: .every(1)) }
        stream.yield(Data(#"[{"id":1},{"id":2},"#.utf8))
        // This would wait for an import that has begun to write.
        _ = try await store.importJSON(Data(#"{"id":9}"#.utf8), with: Ticket.mapping)
        stream.finish(throwing: BrokenConnection())
        let error = await #expect(throws: ImportError.self) { try await task.value }
        #expect(error?.cause is BrokenConnection && error?.committed.elements == 0)
        #expect(try count() == 1)
    }

    @Test func `a payload whose task is cancelled is not imported`() async throws {
        let (chunks, stream) = AsyncStream.makeStream(of: Data.self)
        stream.yield(Data(#"[{"id":1}]"#.utf8))
        let task = Task { [store] in try await store.importJSON(chunks, with: Ticket.mapping) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try count() == 0)
    }

    @Test func `the file of the chunks is removed`() async throws {
        func files() throws -> Set<String> {
            let names = try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
            return Set(names.filter { $0.hasPrefix("MappingKit-") })
        }
        let url: URL
        do {
            let collected = try CollectedChunks()
            try collected.append(Data("[1,".utf8))
            try collected.append(Array("2]".utf8))
            url = collected.url
            #expect(try Data(contentsOf: url) == Data("[1,2]".utf8))
            let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try files().contains(url.lastPathComponent))
        }
        #expect(try !files().contains(url.lastPathComponent))
    }
}
