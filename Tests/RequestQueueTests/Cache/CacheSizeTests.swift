import Foundation
import TestSupport
import Testing

@testable import RequestQueue

@Suite("The size limit of a cache")
struct CacheSizeTests {
    private func use(_ name: String, _ size: Int64, _ time: Double) -> CacheUse {
        CacheUse(name: name, size: size, lastUse: Date(timeIntervalSince1970: time))
    }

    @Test func `The least recently used responses are removed until a tenth is free`() {
        let uses = [use("a", 30, 3), use("b", 30, 1), use("c", 30, 4), use("d", 10, 2)]
        #expect(CacheUse.victims(among: uses, limit: 100).isEmpty)
        #expect(CacheUse.victims(among: uses, limit: 99).map(\.name) == ["b"])
        #expect(CacheUse.victims(among: uses, limit: 70).map(\.name) == ["b", "d"])
        #expect(CacheUse.victims(among: uses, limit: 0).map(\.name) == ["b", "d", "a", "c"])
        #expect(CacheUse.victims(among: [], limit: -1).isEmpty)
    }

    @Test(arguments: [(Int64.max, Int64.max), (.max, .max / 2), (.min, .min), (0, .max)])
    func `Any number is a limit`(size: Int64, entry: Int64) async throws {
        let folder = try TemporaryDirectory()
        let cache = RequestCache(
            directory: folder.file("cache"), sizeLimit: size, entryLimit: entry)
        var request = RESTRequest(
            url: URL(string: "http://server.example/a"),
            transport: ScriptedTransport({ $0.answer(200, ["Cache-Control": "max-age=60"], "a".utf8) }))
        request.cache = cache
        for isStored in [false, size > 0] {
            #expect(try await request.send().isFromCache == isStored)
            await cache.flush()
        }
    }

    @Test(arguments: RequestCache.Storage.allCases)
    func `The most recently used response is kept`(storage: RequestCache.Storage) async throws {
        let size = 8000
        let origin = try CachedOrigin(storage: storage, sizeLimit: 10 * 8192) { call in
            call.answer(200, ["Cache-Control": "max-age=6000"], [UInt8](repeating: 1, count: size - 500))
        }
        func url(_ number: Int) -> String { "http://server.example/\(number)" }
        for number in 0..<8 {
            origin.clock.pass(1)
            _ = try await origin.get(url(number))
        }
        origin.clock.pass(1)
        #expect(try await origin.get(url(0)).isFromCache)
        for number in 8..<12 {
            origin.clock.pass(1)
            _ = try await origin.get(url(number))
            await origin.cache.flush()
        }
        #expect(origin.cache.statistics.evicted >= 2)
        #expect(try await origin.get(url(0)).isFromCache)
        #expect(try await origin.get(url(11)).isFromCache)
        #expect(try await origin.get(url(1)).isFromCache == false)
        if storage == .permanent { #expect(try await origin.files().count <= 10) }
    }

    @Test func `Files of other processes count towards the limit`() async throws {
        let folder = try TemporaryDirectory()
        let caches = try (0..<2).map { _ in
            try CachedOrigin(sizeLimit: 64 * 4096, in: folder) { call in
                call.answer(200, ["Cache-Control": "max-age=6000"], [UInt8](repeating: 1, count: 3000))
            }
        }
        for number in 0..<200 {
            for origin in caches {
                origin.clock.pass(1)
                _ = try await origin.get("http://server.example/\(number)/\(origin === caches[0])")
            }
        }
        for origin in caches { await origin.cache.flush() }
        // An eighth, and one more, for each may be there that neither has seen yet.
        #expect(try await caches[0].files().count <= 64 + 2 * 10)
        #expect(try await caches[0].files().count >= 40)
    }

    @Test func `Abandoned temporary files are removed, those in use are not`() async throws {
        let origin = try CachedOrigin(["Cache-Control": "max-age=60"])
        for (name, age) in [("old", 7200.0), ("new", 30)] {
            let file = try origin.folder.write("half", to: "cache/00/.download-\(name).tmp")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: file.path)
        }
        _ = try await origin.get()
        await origin.cache.flush()
        #expect(!origin.folder.contains("cache/00/.download-old.tmp"))
        #expect(origin.folder.contains("cache/00/.download-new.tmp"))
    }
}
