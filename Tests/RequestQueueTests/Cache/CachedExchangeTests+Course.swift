import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

/// Redirects, failures and ends of requests that use a cache.
extension CachedExchangeTests {
    @Test func `Each hop of a redirect is looked up`() async throws {
        let origin = try CachedOrigin { call in
            guard call.request.url.path() == "/a" else {
                return call.answer(200, ["Cache-Control": "max-age=60"], "b".utf8)
            }
            call.answer(302, ["Location": "/b"])
        }
        _ = try await origin.get("http://server.example/b")
        let response = try await origin.get()
        #expect(response.isFromCache)
        #expect(response.redirects == 1)
        #expect(response.url.path() == "/b")
        #expect(origin.asked.map { $0.url.path() } == ["/b", "/a"])
    }

    @Test func `A request with only-if-cached is not sent`() async throws {
        let origin = try CachedOrigin(["Cache-Control": "max-age=60"])
        let only: HTTPHeaders = ["Cache-Control": "only-if-cached"]
        let error = await #expect(throws: RequestError.self) { try await origin.get(headers: only) }
        #expect(
            error?.description == "GET http://server.example/a: no usable response in the cache: the request has "
                + "'Cache-Control: only-if-cached' and was not sent to the server")
        #expect(error?.kind == .notCached)
        #expect(origin.asked.isEmpty)
        _ = try await origin.get()
        #expect(try await origin.get(headers: only).isFromCache)
        // Nor where the cache has no part in it.
        let range: HTTPHeaders = ["Cache-Control": "only-if-cached", "Range": "bytes=0-1"]
        let second = await #expect(throws: RequestError.self) { try await origin.get(headers: range) }
        #expect(second?.kind == .notCached)
        #expect(origin.asked.count == 1)
    }

    @Test func `A response stored for one hop does not replace the failure of the next`() async throws {
        let isMoved = Mutex(false)
        let origin = try CachedOrigin { call in
            guard call.request.url.path() == "/a" else {
                return call.finish(TransportFailure(.connectionLost, "a cable"))
            }
            isMoved.withLock { $0 } ? call.answer(302, ["Location": "/b"]) : call.answer(200, [:], "a".utf8)
        }
        _ = try await origin.get("http://server.example/a", .loadOnError)
        isMoved.withLock { $0 = true }
        let error = await #expect(throws: RequestError.self) {
            try await origin.get("http://server.example/a", .loadOnError)
        }
        #expect(error?.url?.path() == "/b")
    }

    @Test func `A stored response replaces an error if the policy allows it`() async throws {
        let isBroken = Mutex(false)
        let origin = try CachedOrigin { call in
            if isBroken.withLock({ $0 }) { return call.finish(TransportFailure(.connectionLost, "a cable")) }
            call.answer(200, [:], "x".utf8)
        }
        let url = "http://server.example/a"
        _ = try await origin.get(url, .loadOnError)
        isBroken.withLock { $0 = true }
        origin.clock.pass(1_000_000)
        let response = try await origin.get(url, .loadOnError)
        #expect(response.text == "x")
        #expect(response.isFromCache)
        let error = await #expect(throws: RequestError.self) { try await origin.get(url, [.standard, .loadIfOffline]) }
        #expect(error?.kind == .connectionLost)
        await #expect(throws: RequestError.self) { try await origin.get("\(url)/other", .loadOnError) }
    }

    @Test func `A stored response replaces the timeout of a request that waits for an identical one`() async throws {
        let isSilent = Mutex(false)
        let origin = try CachedOrigin { call in
            if !isSilent.withLock({ $0 }) { call.answer(200, [:], "x".utf8) }
        }
        _ = try await origin.get("http://server.example/a", .loadOnError)
        isSilent.withLock { $0 = true }
        origin.clock.pass(1_000_000)
        var request = try origin.request(.get, "http://server.example/a", .loadOnError)
        request.coalescesIdenticalRequests = true
        request.coalescer = Coalescer()
        request.timeouts.total = .milliseconds(300)
        #expect(try await request.send().isFromCache)
    }

    @Test func `Identical requests are not reported as sent if the cache responds`() async throws {
        let origin = try CachedOrigin(["Cache-Control": "max-age=60"])
        _ = try await origin.get()
        var request = try origin.request()
        request.coalescesIdenticalRequests = true
        request.coalescer = Coalescer()
        let recorder = ExchangeRecorder()
        recorder.exchange(request).start()
        #expect(await eventually { !recorder.outcomes.isEmpty })
        #expect(recorder.names == ["response"])
    }

    @Test func `A stored response with stale-if-error replaces a server error`() async throws {
        let isBroken = Mutex(false)
        let origin = try CachedOrigin { call in
            if isBroken.withLock({ $0 }) { return call.answer(503) }
            call.answer(200, ["Cache-Control": "max-age=10, stale-if-error=50"], "x".utf8)
        }
        _ = try await origin.get()
        isBroken.withLock { $0 = true }
        origin.clock.pass(59)
        #expect(try await origin.get().isFromCache)
        origin.clock.pass(1)
        #expect(try await origin.get().status == 503)
    }

    @Test func `The total timeout and a cancellation end a request between cache and server`() async throws {
        let origin = try CachedOrigin { _ in }
        var request = try origin.request()
        request.timeouts.total = .seconds(30)
        let recorder = ExchangeRecorder()
        let late = recorder.exchange(request)
        late.start()
        await origin.cache.flush()
        _ = late.check(at: Watchdog.shared.now + .seconds(31))
        let exchange = recorder.exchange(try origin.request())
        origin.cache.enqueue { exchange.cancel() }
        exchange.start()
        await origin.cache.flush()
        #expect(recorder.names == ["timedOut", "cancelled"])
        #expect(origin.asked.count == 1)
    }

    @Test func `Downloads and streams bypass the cache`() async throws {
        let origin = try CachedOrigin(["Cache-Control": "max-age=60"])
        _ = try await origin.get()
        let response = try await origin.request().download(to: origin.folder.file("film"))
        #expect(!response.isFromCache)
        #expect(try origin.folder.text(of: "film") == "2")
        for try await piece in try await origin.request().stream().body { #expect(piece == Data("3".utf8)) }
    }

    @Test func `After a shutdown, all responses are stored`() async throws {
        let script: ScriptedTransport.Script = { $0.answer(200, ["Cache-Control": "max-age=60"], "x".utf8) }
        let origin = try CachedOrigin(script)
        let client = RESTClient(
            baseURL: try #require(URL(string: "http://server.example")), transport: origin.transport)
        client.cache = origin.cache
        for number in 0..<50 { _ = try await client.get("/\(number)") }
        await client.shutdown()
        let later = try CachedOrigin(in: origin.folder, script)
        for number in 0..<50 { #expect(try await later.get("http://server.example/\(number)").isFromCache) }
        #expect(later.asked.isEmpty)
    }

    @Test func `A compressed body is stored separately from a decompressed one`() async throws {
        let text = Array("one two three".utf8)
        let origin = try CachedOrigin { call in
            call.answer(200, ["Cache-Control": "max-age=60", "Content-Encoding": "gzip"], compressed(text))
        }
        #expect(try await origin.get().body == Data(text))
        #expect(try await origin.get(headers: ["Accept-Encoding": "gzip"]).body == Data(compressed(text)))
        #expect(try await origin.get().body == Data(text))
        #expect(origin.asked.count == 2)
    }

    @Test func `A response from before the clock was set back is not fresh`() async throws {
        let folder = try TemporaryDirectory()
        let script: ScriptedTransport.Script = { $0.answer(200, ["Cache-Control": "max-age=60"], "x".utf8) }
        let before = try CachedOrigin(in: folder, script)
        before.clock.wall += 1_000_000
        _ = try await before.get()
        await before.cache.flush()
        let after = try CachedOrigin(in: folder, script)
        #expect(try await after.get().isFromCache == false)
        #expect(try await after.get().isFromCache)
    }
}
