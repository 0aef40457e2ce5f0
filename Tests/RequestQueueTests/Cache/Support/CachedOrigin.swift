import Foundation
import Synchronization
import TestSupport

@testable import RequestQueue

/// A server that plays a script for each request, a cache before it, and clocks that only a test moves.
final class CachedOrigin: Sendable {
    let folder: TemporaryDirectory
    let clock = HandClock()
    let transport: ScriptedTransport
    let cache: RequestCache

    init(
        storage: RequestCache.Storage = .permanent, sizeLimit: Int64 = 64 << 20, entryLimit: Int64 = 8 << 20,
        in folder: TemporaryDirectory? = nil, _ script: @escaping ScriptedTransport.Script
    ) throws {
        self.folder = try folder ?? TemporaryDirectory()
        transport = ScriptedTransport(script)
        cache = RequestCache(
            directory: self.folder.file("cache"), sizeLimit: sizeLimit, entryLimit: entryLimit, storage: storage,
            clock: clock.cacheClock)
    }

    /// A server that answers each GET alike, with a number that counts answers with a body, and 304 to a fitting tag.
    convenience init(_ headers: HTTPHeaders, storage: RequestCache.Storage = .permanent) throws {
        let count = Mutex(0)
        try self.init(storage: storage) { call in
            if let tag = headers["ETag"], call.request.headers["If-None-Match"] == tag {
                return call.answer(304, headers)
            }
            call.answer(
                200, headers,
                "\(count.withLock { count in count += 1; return count })".utf8)
        }
    }

    /// What was asked of the server.
    var asked: [TransportRequest] { transport.requests }

    func request(
        _ method: HTTPMethod = .get, _ url: String = "http://server.example/a", _ policy: CachePolicy = .standard,
        headers: HTTPHeaders = [:]
    ) throws -> RESTRequest {
        var request = RESTRequest(method, url: URL(string: url), transport: transport)
        request.headers = headers
        request.cache = cache
        request.cachePolicy = policy
        return request
    }

    func get(
        _ url: String = "http://server.example/a", _ policy: CachePolicy = .standard, headers: HTTPHeaders = [:]
    ) async throws -> RESTResponse {
        try await request(.get, url, policy, headers: headers).send()
    }

    /// The files of the cache, by their names.
    func files() async throws -> [URL] {
        await cache.flush()
        let names =
            FileManager.default.enumerator(atPath: folder.file("cache").path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.contains("-") }.sorted().map { folder.file("cache").appending(path: $0) }
    }
}

/// A wall clock and a monotonic clock, both advanced by the test; they begin at `Fri, 15 Jan 2027 08:00:00 GMT`.
final class HandClock: Sendable {
    private struct Times {
        var wall = Date(timeIntervalSince1970: 1_800_000_000)
        var elapsed = Duration.zero
    }

    private let times = Mutex(Times())

    var wall: Date {
        get { times.withLock { $0.wall } }
        set { times.withLock { $0.wall = newValue } }
    }

    var cacheClock: CacheClock {
        CacheClock(wall: { self.wall }, elapsed: { self.times.withLock { $0.elapsed } })
    }

    /// Time goes by.
    func pass(_ seconds: Int) {
        times.withLock { times in
            times.wall += Double(seconds)
            times.elapsed += .seconds(seconds)
        }
    }
}
