import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

@Suite("A damaged cache")
struct DamagedCacheTests {
    private enum Damage: String, CaseIterable {
        case flipped, truncated, zeroed, longer
    }

    private let origin: CachedOrigin

    init() throws {
        origin = try CachedOrigin(["Cache-Control": "max-age=60", "X-Long": String(repeating: "x", count: 500)])
    }

    @Test func `A file with any damage is ignored, counted and replaced`() async throws {
        var random = SeededGenerator(seed: 3)
        let whole = try await origin.get().body
        let file = try #require(try await origin.files().first)
        var count = 0
        for damage in Damage.allCases {
            for _ in 0..<50 {
                var bytes = try Data(contentsOf: file)
                let offset = Int.random(in: bytes.indices, using: &random)
                switch damage {
                case .flipped: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case .truncated: bytes = bytes.prefix(offset)
                case .zeroed: bytes.resetBytes(in: offset..<bytes.count)
                case .longer: bytes.insert(0, at: offset)
                }
                // A zero that was one before is no damage.
                let isDamaged = try bytes != Data(contentsOf: file)
                try bytes.write(to: file)
                let response = try await origin.get()
                #expect(response.isFromCache != isDamaged, "\(damage) at \(offset)")
                count += isDamaged ? 1 : 0
                #expect(origin.cache.statistics.damaged == count)
                #expect(try await origin.get().isFromCache)
            }
        }
        #expect(count > 190)
        #expect(whole == Data("1".utf8))
        #expect(try await origin.files() == [file])
    }

    /// Changes the last byte of the stored body.
    private func damageBody(of origin: CachedOrigin) async throws {
        let file = try #require(try await origin.files().first)
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: file)
    }

    @Test func `A lookup for a request that is sent does not read the stored body`() async throws {
        _ = try await origin.get()
        try await damageBody(of: origin)
        #expect(try await origin.get(headers: ["Cache-Control": "no-cache"]).text == "2")
        #expect(origin.cache.statistics.damaged == 0)
        #expect(try await origin.get().text == "2")
    }

    @Test func `A request whose stored body is damaged is sent again after 304, without a condition`() async throws {
        let origin = try CachedOrigin(["ETag": "\"1\""])
        _ = try await origin.get()
        try await damageBody(of: origin)
        let response = try await origin.get()
        #expect(response.text == "2" && !response.isFromCache)
        #expect(origin.asked.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", nil])
        #expect(origin.cache.statistics.damaged == 1)
    }

    @Test func `A damaged body does not replace a failure`() async throws {
        let count = Mutex(0)
        let origin = try CachedOrigin { call in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { call.answer(200, ["ETag": "x"], "1".utf8) } else { call.finish(.lost) }
        }
        _ = try await origin.get("http://server.example/a", .loadOnError)
        #expect(try await origin.get("http://server.example/a", .loadOnError).text == "1")
        try await damageBody(of: origin)
        let error = await #expect(throws: RequestError.self) {
            try await origin.get("http://server.example/a", .loadOnError)
        }
        #expect(error?.kind == .connectionLost)
    }

    @Test(arguments: ["a link", "a folder", "a pipe", "a text", "nothing", "too large"])
    func `A file that cannot be a stored response is neither read nor followed`(what: String) async throws {
        _ = try await origin.get()
        let file = try #require(try await origin.files().first)
        let secret = try origin.folder.write("secret", to: "secret")
        try FileManager.default.removeItem(at: file)
        switch what {
        case "a link": try FileManager.default.createSymbolicLink(at: file, withDestinationURL: secret)
        case "a folder": try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        case "a pipe": mkfifo(file.path, 0o600)
        case "a text": try Data("hello".utf8).write(to: file)
        case "nothing": try Data().write(to: file)
        default:
            try Data().write(to: file)
            #expect(truncate(file.path, 1 << 40) == 0)
        }
        let response = try await origin.get()
        #expect(!response.isFromCache)
        #expect(try await origin.get().isFromCache == (what != "a folder"))
        #expect(try origin.folder.text(of: "secret") == "secret")
        if what == "a folder" { #expect(origin.cache.lastError?.kind == .fileNotWritable) }
    }

    @Test func `Unknown files in the folder are unchanged`() async throws {
        for name in ["notes.txt", "00/notes.txt", "\(String(repeating: "0", count: 32)).0"] {
            try origin.folder.write("mine", to: "cache/\(name)")
        }
        _ = try await origin.get()
        origin.cache.invalidateAll()
        await origin.cache.flush()
        #expect(try await origin.files().isEmpty)
        for name in ["notes.txt", "00/notes.txt", "\(String(repeating: "0", count: 32)).0"] {
            #expect(try origin.folder.text(of: "cache/\(name)") == "mine")
        }
    }

    @Test func `The folder is accessible to its user only`() async throws {
        _ = try await origin.get()
        let file = try #require(try await origin.files().first)
        func permissions(_ url: URL) throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
        }
        #expect(try permissions(file) == 0o600)
        #expect(try permissions(file.deletingLastPathComponent()) == 0o700)
        #expect(try permissions(origin.folder.file("cache")) == 0o700)
        #expect(try permissions(origin.folder.file("cache/00/salt")) == 0o600)
    }

    @Test func `A folder that cannot be created is reported and counted, and requests continue`() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("", to: "file")
        let cache = RequestCache(directory: folder.file("file/cache"))
        var request = try origin.request()
        request.cache = cache
        for _ in 0..<2 { #expect(try await request.send().isFromCache == false) }
        await cache.flush()
        #expect(cache.statistics.failures == 2)
        #expect(cache.statistics.stored == 0)
        let error = try #require(cache.lastError)
        #expect(error.kind == .fileNotWritable)
        let text = error.description.replacing(folder.path, with: "")
        #expect(
            text.replacing(/cache\/[0-9a-f]{2}'/, with: "cache/00'")
                == "the file cannot be written: the folder '/file/cache/00' cannot be created: Not a directory (20)")
    }

    @Test(arguments: ["http://h/cache", "file:///tmp/a%00b"])
    func `A file in the place of the folder is reported and counted`(text: String) async throws {
        let cache = RequestCache(directory: try #require(URL(string: text)), entryLimit: .max)
        var request = try origin.request()
        request.cache = cache
        for _ in 0..<2 { #expect(try await request.send().isFromCache == false) }
        await cache.flush()
        cache.invalidateAll()
        await cache.flush()
        #expect(
            cache.lastError?.description
                == "the file cannot be written: the directory of the cache is not a valid file URL")
        #expect(cache.statistics.failures == 2)
    }

    @Test func `Without its salt no response is found, and all are stored again`() async throws {
        _ = try await origin.get()
        try FileManager.default.removeItem(at: origin.folder.file("cache/00/salt"))
        let again = RequestCache(directory: origin.folder.file("cache"))
        var request = try origin.request()
        request.cache = again
        #expect(try await request.send().isFromCache == false)
        #expect(try await request.send().isFromCache)
        #expect(again.statistics.damaged == 0)
    }

    /// Whether a file can be protected from everyone, `root` included.
    private static func protect(_ file: URL, _ isProtected: Bool) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/chattr")
        process.arguments = [isProtected ? "+i" : "-i", file.path]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test func `A response that cannot be removed is no longer loaded, and is reported`() async throws {
        #expect(try await origin.get().text == "1")
        let file = try #require(try await origin.files().first)
        guard Self.protect(file, true) else { return }
        defer { _ = Self.protect(file, false) }
        origin.cache.invalidateAll()
        await origin.cache.flush()
        #expect(origin.cache.lastError?.kind == .fileNotWritable)
        #expect(origin.cache.lastError?.cause.hasPrefix("the file '\(file.path)' cannot be removed: ") == true)
        #expect(try await origin.get().text == "2")
        #expect(try await origin.files() == [file])
        #expect(origin.cache.statistics.failures > 0)
        _ = Self.protect(file, false)
        // It can be replaced again.
        #expect(try await origin.get().text == "3")
        #expect(try await origin.get().isFromCache)
    }
}
