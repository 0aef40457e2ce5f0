import Foundation
import RequestQueue
import TestSupport

extension Fault {
    /// Responses that are partially in the cache.
    static let caching: [Fault] = [
        Fault("F13", "304 keeps the stored response") { trial in
            await trial.cached { run, _, cache in
                let first = await trial.load("/etag?v=\(run)", cache, isFromCache: false)
                for _ in 0..<2 {
                    let again = await trial.load("/etag?v=\(run)", cache, isFromCache: true)
                    trial.expect(again == first, "the cache returned another body")
                }
                trial.expect(cache.statistics.revalidations == 2, "\(cache.statistics)")
            }
        },
        Fault("F13", "an unexpected 304 does not change the cache") { trial in
            await trial.cached { run, _, cache in
                let first = await trial.load("/max-age?key=\(run)", cache, isFromCache: false)
                let outcome = await trial.send(.get, "/304") { $0.cache = cache }
                outcome.expectResponse(304, body: "", in: trial)
                trial.expect(outcome.response?.isFromCache == false, "304 is from the cache")
                let again = await trial.load("/max-age?key=\(run)", cache, isFromCache: true)
                trial.expect(again == first, "the cache returned another body")
            }
        },
        Fault("F13", "a damaged file of the cache") { trial in
            await trial.cached { run, folder, cache in
                let target = "/max-age?key=\(run)"
                _ = await trial.load(target, cache, isFromCache: false)
                _ = await trial.load(target, cache, isFromCache: true)
                let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
                for name in names where name.contains("-") {
                    var bytes = try folder.data(of: name)
                    bytes[run * 37 % bytes.count] ^= 1
                    try folder.write(bytes, to: name)
                }
                _ = await trial.load(target, cache, isFromCache: false)
                _ = await trial.load(target, cache, isFromCache: true)
                trial.expect(cache.statistics.damaged == 1, "\(cache.statistics)")
            }
        },
    ]
}

extension Trial {
    /// Runs it with an empty cache each time.
    fileprivate func cached(
        _ body: @escaping @Sendable (Int, TemporaryDirectory, RequestCache) async throws -> Void
    ) async {
        await repeated { run in
            let folder = try TemporaryDirectory()
            try await body(run, folder, RequestCache(directory: folder.url))
        }
    }

    /// The body of a target, which must come from the cache or from the server.
    fileprivate func load(
        _ target: String, _ cache: RequestCache, isFromCache: Bool
    ) async -> Data? {
        let outcome = await send(.get, target) { $0.cache = cache }
        outcome.expectResponse(200, in: self)
        expect(
            outcome.response?.isFromCache == isFromCache, "\(target) is \(isFromCache ? "not " : "")from the cache")
        return outcome.response?.body
    }
}
