import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

@Suite("Requests with a cache")
struct CachedExchangeTests {
    @Test(arguments: RequestCache.Storage.allCases)
    func `A fresh response is loaded with its age, and a stale one is requested again`(storage: RequestCache.Storage)
        async throws
    {
        let origin = try CachedOrigin(["Cache-Control": "max-age=60", "X-Own": "1"], storage: storage)
        let first = try await origin.get()
        #expect(!first.isFromCache)
        origin.clock.pass(59)
        let again = try await origin.get()
        #expect(again.isFromCache && !again.isRevalidated)
        #expect(again.status == 200)
        #expect(again.body == first.body)
        #expect(again.url == first.url)
        #expect(again.headers["X-Own"] == "1")
        #expect(again.headers["Age"] == "59")
        origin.clock.pass(1)
        let later = try await origin.get()
        #expect(!later.isFromCache)
        #expect(later.text == "2")
        #expect(origin.asked.count == 2)
        await origin.cache.flush()
        let statistics = origin.cache.statistics
        let counts: [Int] = [statistics.hits, statistics.misses, statistics.stored]
        #expect(counts == [1, 1, 2])
    }

    @Test(arguments: ["\"1\"", "W/\"1\""])
    func `Status 304 loads the stored response and makes it fresh again`(tag: String) async throws {
        let origin = try CachedOrigin(["Cache-Control": "max-age=60", "ETag": tag])
        _ = try await origin.get()
        origin.clock.pass(60)
        let confirmed = try await origin.get()
        #expect(confirmed.status == 200)
        #expect(confirmed.isFromCache && confirmed.isRevalidated)
        #expect(confirmed.text == "1")
        #expect(origin.asked.map { $0.headers["If-None-Match"] } == [nil, tag])
        origin.clock.pass(59)
        #expect(try await origin.get().isFromCache)
        #expect(origin.asked.count == 2)
        #expect(origin.cache.statistics.revalidations == 1)
    }

    @Test func `Status 304 replaces header fields, except those that describe the body`() async throws {
        let origin = try CachedOrigin { call in
            guard call.request.headers["If-Modified-Since"] == nil else {
                return call.answer(
                    304,
                    [
                        "X-News": "2", "Content-Type": "text/wrong", "Content-Length": "0",
                        "Date": "Fri, 15 Jan 2027 08:01:00 GMT",
                    ])
            }
            call.answer(
                200,
                [
                    "X-News": "1", "X-Old": "1", "Content-Type": "text/plain", "Age": "100",
                    "Date": "Fri, 15 Jan 2027 07:00:00 GMT", "Last-Modified": "Fri, 15 Jan 2027 06:00:00 GMT",
                    "Set-Cookie": "a=b", "Connection": "close, X-Hop", "X-Hop": "1",
                ], "one".utf8)
        }
        _ = try await origin.get()
        origin.clock.pass(60)
        let response = try await origin.get()
        #expect(response.text == "one")
        #expect(
            response.headers.map(\.description).sorted() == [
                "Age: 0", "Content-Type: text/plain", "Date: Fri, 15 Jan 2027 08:01:00 GMT",
                "Last-Modified: Fri, 15 Jan 2027 06:00:00 GMT", "X-News: 2", "X-Old: 1",
            ])
    }

    @Test(arguments: [["Cache-Control": "no-store"], ["Vary": "*"]] as [HTTPHeaders])
    func `A response that may no longer be stored is removed`(headers: HTTPHeaders) async throws {
        for status in [200, 304] {
            let origin = try CachedOrigin { call in
                guard call.request.headers["If-None-Match"] != nil else {
                    return call.answer(200, ["ETag": "\"1\""], "one".utf8)
                }
                call.answer(status, headers, status == 200 ? Array("two".utf8) : [])
            }
            _ = try await origin.get()
            #expect(try await origin.get().text == (status == 200 ? "two" : "one"))
            #expect(try await origin.files().isEmpty)
        }
    }

    @Test(arguments: [
        ["Content-Encoding": "gzip", "Cache-Control": "max-age=60"], ["Content-Length": "2", "ETag": "\"1\""],
    ])
    func `A response whose transfer failed is not stored, whatever follows it`(headers: HTTPHeaders) async throws {
        let origin = try CachedOrigin { call in call.answer(200, headers, "no gzip".utf8) }
        await #expect(throws: RequestError.self) { try await origin.get() }
        #expect(try await origin.files().isEmpty)
        await #expect(throws: RequestError.self) { try await origin.get() }
        #expect(origin.asked.count == 2)
    }

    @Test func `A response whose request was cancelled at its last byte is not kept without its body`() async throws {
        let origin = try CachedOrigin { call in
            call.connect()
            call.receive(200, ["Cache-Control": "max-age=60"])
        }
        let isOver = Mutex(false)
        let exchange = Exchange(try origin.request()) { _ in
            // The response ends before the transport receives the cancellation.
            origin.transport.calls[0].finish()
            isOver.withLock { $0 = true }
        }
        exchange.start()
        #expect(await eventually { exchange.state.withLock({ $0.received.head != nil }) })
        exchange.cancel()
        #expect(await eventually { isOver.withLock({ $0 }) })
        #expect(try await origin.files().isEmpty)
    }

    @Test func `A response is invalidated by an unsafe request without a response`() async throws {
        let origin = try CachedOrigin { call in
            guard call.request.method == .get else {
                call.connect()
                return call.sendBody()
            }
            call.answer(200, ["Cache-Control": "max-age=60"], "x".utf8)
        }
        _ = try await origin.get()
        #expect(try await origin.get().isFromCache)
        var change = try origin.request(.post)
        change.timeouts.idle = .milliseconds(20)
        let unanswered = change
        await #expect(throws: RequestError.self) { try await unanswered.send() }
        #expect(try await !origin.get().isFromCache)
    }

    @Test func `A response is invalidated by an unsafe attempt whose retry could not connect`() async throws {
        let attempts = Mutex(0)
        let origin = try CachedOrigin { call in
            if call.request.method == .get { return call.answer(200, ["Cache-Control": "max-age=60"], "x".utf8) }
            let isFirst = attempts.withLock { attempts in
                attempts += 1
                return attempts == 1
            }
            guard isFirst else { return call.finish(TransportFailure(.connectionRefused, "gone")) }
            call.connect()
            call.sendBody()
            call.finish(TransportFailure(.connectionLost, "gone"))
        }
        _ = try await origin.get()
        var change = try origin.request(.put)
        change.retryPolicy = RetryPolicy(attempts: 2, baseDelay: .milliseconds(1))
        let unanswered = change
        await #expect(throws: RequestError.self) { try await unanswered.send() }
        #expect(attempts.withLock { $0 } == 2)
        #expect(try await !origin.get().isFromCache)
    }

    @Test func `A new Vary in a 304 response applies to the stored response`() async throws {
        let origin = try CachedOrigin { call in
            guard call.request.headers["If-None-Match"] != nil else {
                return call.answer(200, ["ETag": "\"1\""], (call.request.headers["Accept"] ?? "").utf8)
            }
            call.answer(304, ["Vary": "Accept", "Cache-Control": "max-age=60"])
        }
        _ = try await origin.get(headers: ["Accept": "a"])
        _ = try await origin.get(headers: ["Accept": "a"])
        #expect(try await origin.get(headers: ["Accept": "a"]).isFromCache)
        #expect(try await origin.get(headers: ["Accept": "b"]).text == "b")
    }

    @Test func `A 304 response with another entity tag causes a request without a condition`() async throws {
        let origin = try CachedOrigin { call in
            if call.request.headers["If-None-Match"] != nil { return call.answer(304, ["ETag": "\"2\""]) }
            call.answer(200, ["ETag": "\"1\""], "whole".utf8)
        }
        _ = try await origin.get()
        let response = try await origin.get()
        #expect(response.text == "whole")
        #expect(!response.isFromCache)
        #expect(origin.asked.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", nil])
    }

    @Test func `An unexpected 304 is the response, and the stored response is unchanged`() async throws {
        let origin = try CachedOrigin { call in
            let isOld = call.request.url.query() == "old"
            call.answer(isOld ? 304 : 200, ["Cache-Control": "max-age=60"], isOld ? [] : Array("one".utf8))
        }
        let response = try await origin.get("http://server.example/a?old")
        #expect(response.status == 304)
        #expect(!response.isFromCache)
        #expect(try await origin.files().isEmpty)
    }

    @Test func `A request with a condition by the caller is answered by the server`() async throws {
        let origin = try CachedOrigin(["Cache-Control": "max-age=60", "ETag": "\"1\""])
        _ = try await origin.get()
        let response = try await origin.get(headers: ["If-None-Match": "\"1\""])
        #expect(response.status == 304)
        #expect(!response.isFromCache)
        #expect(try await origin.get().isFromCache)
    }

    @Test(
        arguments: [
            (["Cache-Control": "no-store, max-age=60"], 200, [:]), (["Cache-Control": "max-age=60"], 206, [:]),
            (["Cache-Control": "max-age=60"], 404, [:]), (["Cache-Control": "max-age=60"], 500, [:]),
            (["Cache-Control": "max-age=60", "Vary": "*"], 200, [:]),
            (["Cache-Control": "max-age=60", "Vary": "Accept, *"], 200, [:]),
            (["Cache-Control": "max-age=60"], 200, ["Cache-Control": "no-store"]),
            (["Cache-Control": "max-age=60"], 200, ["Range": "bytes=0-1"]),
            // Nothing could be done with it.
            ([:], 200, [:]),
        ] as [(HTTPHeaders, Int, HTTPHeaders)])
    func `Responses that HTTP excludes are not stored`(headers: HTTPHeaders, status: Int, sent: HTTPHeaders)
        async throws
    {
        let origin = try CachedOrigin { $0.answer(status, headers, "x".utf8) }
        let response = try await origin.get(headers: sent)
        #expect(response.status == status)
        #expect(try await origin.files().isEmpty)
        #expect(origin.cache.statistics.stored == 0)
    }

    @Test func `A truncated response is not stored`() async throws {
        let origin = try CachedOrigin { call in
            call.connect()
            call.receive(200, ["Cache-Control": "max-age=60", "Content-Length": "10"])
            call.receive("half".utf8)
            call.finish()
        }
        await #expect(throws: RequestError.self) { try await origin.get() }
        #expect(try await origin.files().isEmpty)
    }

    @Test func `A response above the entry limit is not stored`() async throws {
        let origin = try CachedOrigin(entryLimit: 10) { call in
            let length = call.request.url.path() == "/short" ? 10 : 11
            call.answer(200, ["Cache-Control": "max-age=60"], Array(repeating: UInt8(ascii: "x"), count: length))
        }
        _ = try await origin.get("http://server.example/long")
        #expect(try await origin.files().isEmpty)
        _ = try await origin.get("http://server.example/short")
        #expect(try await origin.get("http://server.example/short").isFromCache)
    }

    @Test func `Variants of a URL are stored separately`() async throws {
        let origin = try CachedOrigin { call in
            let language = call.request.headers["Accept-Language"] ?? "none"
            call.answer(200, ["Cache-Control": "max-age=60", "Vary": "accept-language, Accept"], language.utf8)
        }
        for isFromCache in [false, true] {
            for language in ["de", "en", "fr"] {
                let response = try await origin.get(headers: ["Accept-Language": language])
                #expect(response.text == language)
                #expect(response.isFromCache == isFromCache)
            }
            #expect(try await origin.get().text == "none")
        }
        // A value that is not there is not an empty one.
        #expect(try await origin.get(headers: ["Accept-Language": ""]).isFromCache == false)
        #expect(origin.asked.count == 5)
        #expect(try await origin.files().count == 6)
    }

    @Test func `Any number of variants is stored, and a new Vary replaces the earlier one`() async throws {
        let vary = Mutex("X-Number")
        let origin = try CachedOrigin { call in
            call.answer(200, ["Cache-Control": "max-age=600", "Vary": vary.withLock { $0 }], "x".utf8)
        }
        for number in 0..<10 { _ = try await origin.get(headers: ["Accept-X": "\(number)", "X-Number": "1"]) }
        vary.withLock { $0 = "Accept-X" }
        for number in 0..<10 { _ = try await origin.get(headers: ["Accept-X": "\(number)", "X-Number": "2"]) }
        for number in 0..<10 {
            #expect(try await origin.get(headers: ["Accept-X": "\(number)", "X-Number": "2"]).isFromCache)
        }
        // The list of fields is a file, too.
        #expect(try await origin.files().count == 1 + 1 + 1 + 10)
        vary.withLock { $0 = "" }
        origin.clock.pass(601)
        _ = try await origin.get(headers: ["Accept-X": "1", "X-Number": "2"])
        #expect(try await origin.get(headers: ["Accept-X": "5", "X-Number": "2"]).isFromCache)
    }

    @Test func `A stored response is not returned to another user`() async throws {
        let origin = try CachedOrigin { call in
            let user = call.request.headers["Authorization"] ?? call.request.headers["Cookie"] ?? "nobody"
            call.answer(200, ["Cache-Control": "max-age=60"], user.utf8)
        }
        let users: [(HTTPHeaders, String)] = [
            ([:], "nobody"), (["Authorization": "Bearer a"], "Bearer a"), (["Authorization": "Bearer b"], "Bearer b"),
            (["Cookie": "sid=a"], "sid=a"), (["Cookie": "sid=b"], "sid=b"),
        ]
        for isFromCache in [false, true] {
            for (headers, name) in users {
                let response = try await origin.get(headers: headers)
                #expect(response.text == name)
                #expect(response.isFromCache == isFromCache)
            }
        }
        let response = try await origin.get("http://user:secret@server.example/a")
        #expect(response.text == "Basic dXNlcjpzZWNyZXQ=")
        // None of it is to be read on the disk.
        for file in try await origin.files() {
            let bytes = String(decoding: try Data(contentsOf: file).prefix(150), as: UTF8.self)
            for secret in ["Bearer", "sid", "server.example"] { #expect(!bytes.contains(secret)) }
        }
    }

    @Test func `Cookies of the store identify the user`() async throws {
        let origin = try CachedOrigin { call in
            call.answer(200, ["Cache-Control": "max-age=60"], (call.request.headers["Cookie"] ?? "").utf8)
        }
        let store = CookieStore()
        var request = try origin.request()
        request.cookies = store
        let url = try #require(request.url)
        for name in ["a", "b"] {
            store.set(try #require(Cookie("sid=\(name)", from: url, at: Date())))
            #expect(try await request.send().text == "sid=\(name)")
        }
        #expect(origin.asked.count == 2)
        #expect(try await request.send().isFromCache)
    }

    @Test(arguments: [
        (HTTPMethod.post, 200, true), (.put, 204, true), (.patch, 201, true), (.delete, 200, true), ("MOVE", 200, true),
        (.post, 303, true), (.post, 400, false), (.post, 500, false), (.head, 200, false), (.options, 200, false),
    ])
    func `A successful unsafe request invalidates the stored response`(
        method: HTTPMethod, status: Int, isForgotten: Bool
    ) async throws {
        let origin = try CachedOrigin { call in
            call.answer(
                call.request.method == .get ? 200 : status, ["Cache-Control": "max-age=60", "Content-Location": "/b"],
                call.request.method == .get ? Array("x".utf8) : [])
        }
        for url in ["http://server.example/a", "http://server.example/b"] {
            _ = try await origin.get(url)
            _ = try await origin.get(url, headers: ["Authorization": "x"])
        }
        var request = try origin.request(method)
        request.cachePolicy = .never
        _ = try await request.send()
        for url in ["http://SERVER.example:80/a#part", "http://server.example/b"] {
            #expect(try await origin.get(url).isFromCache == !isForgotten)
            #expect(try await origin.get(url, headers: ["Authorization": "x"]).isFromCache == !isForgotten)
        }
    }

    @Test func `A Location at another origin invalidates nothing`() async throws {
        let origin = try CachedOrigin { call in
            call.answer(
                200, ["Cache-Control": "max-age=60", "Location": "http://server.example/a"], "x".utf8)
        }
        _ = try await origin.get()
        _ = try await origin.request(.post, "http://other.example/").send()
        #expect(try await origin.get().isFromCache)
    }

    @Test func `A response in progress is not stored if its URL is invalidated`() async throws {
        let held = Mutex<ScriptedCall?>(nil)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let origin = try CachedOrigin { call in
            held.withLock { $0 = call }
            start.yield()
        }
        let request = try origin.request()
        async let response = request.send()
        for await _ in started { break }
        origin.cache.invalidate(try #require(request.url))
        try #require(held.withLock { $0 }).answer(200, ["Cache-Control": "max-age=60"], "old".utf8)
        #expect(try await response.text == "old")
        #expect(try await origin.files().isEmpty)
    }

    @Test func `All responses are removed, or those of one storage`() async throws {
        let origin = try CachedOrigin(["Cache-Control": "max-age=60"])
        _ = try await origin.get("http://server.example/kept")
        await origin.cache.flush()
        origin.cache.storage = .session
        _ = try await origin.get("http://server.example/gone")
        #expect(try await origin.get("http://server.example/kept").isFromCache)
        origin.cache.invalidateAll(.session)
        #expect(try await origin.get("http://server.example/kept").isFromCache)
        #expect(try await origin.get("http://server.example/gone").isFromCache == false)
        origin.cache.invalidateAll()
        #expect(try await origin.get("http://server.example/kept").isFromCache == false)
        await origin.cache.flush()
        #expect(try await origin.files().isEmpty)
    }
}

extension HTTPHeaders.Field {
    fileprivate var description: String { "\(name): \(value)" }
}
