import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import RequestQueue

@Suite("Several caches over one folder")
struct CacheProcessTests {
    private let folder: TemporaryDirectory
    private let server: LoopbackServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try LoopbackServer { request in
            guard request.path.hasPrefix("/film/") else { return nil }
            let number = Int(request.path.dropFirst(6)) ?? 0
            // The body of each URL contains the URL, so that it can be verified.
            let body = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1000 + number * 997 % 100_000)
            return Answer(headers: [Header("Cache-Control", "max-age=600")], body: body)
        }
    }

    /// Starts a process that fills the folder until it is killed.
    private func fill(from start: Int, to end: Int? = nil) throws -> RunningProcess {
        try RunningProcess(
            product("network-faults"),
            arguments: ["fill-cache", folder.file("cache").path, server.url.absoluteString, "\(start)"]
                + (end.map { ["\($0)"] } ?? []))
    }

    private func request(_ number: Int, _ cache: RequestCache) -> RESTRequest {
        var request = RESTRequest(url: server.url("/film/\(number)"))
        request.cache = cache
        return request
    }

    /// Asks for everything, and compares it.
    private func check(_ cache: RequestCache) async throws {
        for number in 0..<100 {
            let response = try await request(number, cache).send()
            #expect(response.body.count == 1000 + number * 997 % 100_000)
            #expect(response.body.allSatisfy { $0 == UInt8(number) })
        }
    }

    @Test func `A process killed while it stores leaves no partial response`() async throws {
        for round in 0..<20 {
            let process = try fill(from: round * 30, to: round * 30 + 30)
            try await server.waitForRequests(count: server.statistics.requests + 3 + round)
            process.send(SIGKILL)
            #expect(try process.wait().status == 137)
        }
        let cache = RequestCache(directory: folder.file("cache"))
        try await check(cache)
        #expect(cache.statistics.damaged == 0)
        #expect(cache.statistics.hits > 0)
    }

    @Test func `Processes store, load and invalidate concurrently`() async throws {
        let processes = try [fill(from: 0), fill(from: 0), fill(from: 50)]
        let caches = (0..<2).map { _ in RequestCache(directory: folder.file("cache")) }
        for _ in 0..<3 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for cache in caches { group.addTask { try await check(cache) } }
                try await group.waitForAll()
            }
            caches[0].invalidateAll()
            await caches[0].flush()
        }
        for process in processes {
            process.send(SIGKILL)
            _ = try process.wait()
        }
        for cache in caches {
            #expect(cache.statistics.damaged == 0)
            #expect(cache.statistics.failures == 0)
        }
    }
}
