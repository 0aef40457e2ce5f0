import Foundation
import RequestQueue
import TestSupport
import Testing

@Suite("Bodies of files")
struct FileBodyTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test(arguments: [0, 1, 2, 4095, 4096, 4097, 300_000], [1, 7, 4096, 256 << 10])
    func `A file is sent completely with any read size`(size: Int, readSize: Int) async throws {
        guard size / readSize < 10_000 else { return }
        var generator = SeededGenerator(seed: size)
        let content = generator.data(count: size)
        let body = try RequestBody(FileBody(folder.write(content, to: "a.png")))
        #expect(body.length == Int64(size))
        #expect(body.contentType == "image/png")
        for _ in 1...2 { #expect(try await bytes(of: body.open(), readSize: readSize) == content) }
    }

    @Test func `A given content type is used`() throws {
        let file = try folder.write("a", to: "a.png")
        #expect(try FileBody(file, contentType: "image/x-other").contentType == "image/x-other")
        #expect(try FileBody(folder.write("a", to: "unknown")).contentType == "application/octet-stream")
    }

    @Test func `A file that cannot be read is an error with its path before the request`() throws {
        let path = folder.path
        try FileManager.default.createSymbolicLink(
            at: folder.file("dangling"), withDestinationURL: folder.file("nowhere"))
        mkfifo(folder.file("pipe").path, 0o600)
        let table: [(URL, String)] = [
            (folder.file("missing"), "the file '\(path)/missing' cannot be read: No such file or directory"),
            (folder.file("dangling"), "the file '\(path)/dangling' cannot be read: No such file or directory"),
            (folder.file("pipe"), "'\(path)/pipe' is not a regular file"),
            (folder.url, "'\(path)' is not a regular file"),
            (try #require(URL(string: "https://example.com/a")), "'https://example.com/a' is not the URL of a file"),
        ]
        for (url, cause) in table {
            let error = try #require(throws: RequestError.self) { try FileBody(url) }
            #expect(error.kind == .bodyUnreadable)
            #expect(error.cause == cause)
        }
    }

    @Test(.enabled(if: isAvailable(geteuid() != 0, otherwise: "root may read every file")))
    func `A file without read permission is an error before the request`() throws {
        let file = try folder.write("a", to: "secret")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
        let error = try #require(throws: RequestError.self) { try FileBody(file) }
        #expect(error.cause == "the file '\(file.path)' cannot be read: Permission denied")
    }

    /// Changes of a file of 10 bytes between the creation of its body and its last byte.
    enum Change: String, CaseIterable {
        case shrinks, grows, vanishes, isReplaced, isWrittenTo, becomesFolder

        func make(_ file: URL) throws {
            let files = FileManager.default
            switch self {
            case .shrinks: #expect(truncate(file.path, 4) == 0)
            case .grows: #expect(truncate(file.path, 12) == 0)
            case .vanishes: try files.removeItem(at: file)
            case .isReplaced: try Data("ABCDEFGHIJ".utf8).write(to: file, options: .atomic)
            case .isWrittenTo:
                try Data("ABCDEFGHIJ".utf8).write(to: file)
                // The file system's clock may not have changed since.
                try files.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: file.path)
            case .becomesFolder:
                try files.removeItem(at: file)
                try files.createDirectory(at: file, withIntermediateDirectories: false)
            }
        }

        func cause(_ path: String, _ time: String) -> String {
            switch self {
            case .shrinks: "the file '\(path)' shrank from 10 to 4 bytes \(time)"
            case .grows: "the file '\(path)' grew from 10 to 12 bytes \(time)"
            case .vanishes: "the file '\(path)' cannot be read: No such file or directory"
            case .isReplaced: "the file '\(path)' was replaced by another file (10 bytes instead of 10) \(time)"
            case .isWrittenTo: "the file '\(path)' (10 bytes) was written to \(time)"
            case .becomesFolder: "'\(path)' is not a regular file"
            }
        }
    }

    @Test(arguments: Change.allCases, [0, 1, 6, 9])
    func `A file that changes is an error`(change: Change, after sentBefore: Int) async throws {
        let file = try folder.write("abcdefghij", to: "a.txt")
        // An older file, so that a change within the resolution of the clock is detected.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 5e8)], ofItemAtPath: file.path)
        let body = try RequestBody(FileBody(file))
        let stream = try TransportRequest.Body(length: body.length, open: body.open).opened()
        var sent = 0
        while sent < sentBefore { sent += try await nextBytes(of: stream, readSize: 1)?.count ?? 0 }
        try change.make(file)
        let error = try await #require(throws: TransportFailure.self) {
            while let piece = try await nextBytes(of: stream, readSize: 4) { sent += piece.count }
        }
        let isTold = change == .vanishes || change == .becomesFolder
        #expect(error.kind == (isTold ? .bodyUnreadable : .bodyChanged))
        let time = sentBefore > 0 ? "while it was sent" : "before it was sent"
        #expect(error.cause == change.cause(file.path, time))
        #expect(sent < 10)
    }

    #if os(Linux)
        @Test(arguments: ["/proc/version", "/proc/self/mem"])
        func `A file of unknown size is not sent as an empty one`(path: String) async throws {
            let stream = try RequestBody(FileBody(URL(fileURLWithPath: path))).open()
            let error = try await #require(throws: RequestError.self) { try await bytes(of: stream) }
            #expect(error.kind == .bodyChanged || error.kind == .bodyUnreadable)
            #expect(error.cause.contains(path))
        }
    #endif

    #if os(Linux)
        @Test func `A stream that is read partially or completely leaves no descriptor open`() async throws {
            let body = try RequestBody(FileBody(folder.write(Data(count: 10_000), to: "a")))
            let path = folder.file("a").path
            func isOpen() throws -> Bool {
                let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                return descriptors.contains { descriptor in
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + descriptor)) == path
                }
            }
            for (pieces, expected) in [(0, false), (1, true), (20, false)] {
                let stream = try body.open()
                for _ in 0..<pieces { _ = try await nextBytes(of: stream, readSize: 1000) }
                #expect(try isOpen() == expected)
                withExtendedLifetime(stream) {}
            }
            #expect(try !isOpen())
        }
    #endif
}
