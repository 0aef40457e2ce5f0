import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

@Suite("Retried requests")
struct RetryingTests {
    /// A policy that does not wait.
    static let atOnce = RetryPolicy(baseDelay: .zero)

    func retried(
        _ method: HTTPMethod = .get, headers: HTTPHeaders = [:], body: String? = nil, policy: RetryPolicy = atOnce,
        over transport: ScriptedTransport
    ) throws -> RESTRequest {
        var request = try request(method, headers: headers, body: body, over: transport)
        request.retryPolicy = policy
        return request
    }

    func outcome(_ request: RESTRequest) async -> Result<RESTResponse, RequestError> {
        do throws(RequestError) { return .success(try await request.send()) } catch { return .failure(error) }
    }

    static func lost(_ call: ScriptedCall) {
        call.connect()
        call.sendBody()
        call.finish(TransportFailure(.connectionLost, "gone"))
    }

    @Test func `A request is retried until its status is final`() async throws {
        let transport = ScriptedTransport(
            { $0.answer(503) }, { Self.lost($0) }, { $0.answer(429, ["Retry-After": "0"]) },
            { $0.answer(200, [:], "ok".utf8) })
        let response = try await retried(over: transport).send()
        #expect(response.status == 200)
        #expect(response.text == "ok")
        #expect(response.attempts == 4)
        #expect(transport.requests.count == 4)
    }

    @Test func `A request without a policy is sent once`() async throws {
        let transport = ScriptedTransport({ $0.answer(503) })
        let response = try await retried(policy: .none, over: transport).send()
        #expect(response.status == 503)
        #expect(response.attempts == 1)
        #expect(transport.requests.count == 1)
    }

    @Test func `After the last attempt, its response is the outcome`() async throws {
        let transport = ScriptedTransport(
            { $0.answer(503, [:], "1".utf8) }, { $0.answer(502, [:], "2".utf8) }, { $0.answer(500, [:], "3".utf8) })
        let response = try await retried(policy: RetryPolicy(attempts: 3, baseDelay: .zero), over: transport).send()
        #expect(response.status == 500)
        #expect(response.text == "3")
        #expect(response.attempts == 3)
        #expect(transport.requests.count == 3)
    }

    @Test func `After the last attempt, its failure is the outcome`() async throws {
        let transport = ScriptedTransport({ $0.answer(503) }, { Self.lost($0) })
        let policy = RetryPolicy(attempts: 2, baseDelay: .zero)
        let error = try #require(await outcome(retried(policy: policy, over: transport)).failure)
        #expect(error.kind == .connectionLost)
        #expect(error.attempts == 2)
        #expect(
            error.description
                == "GET http://server.example/a: the connection was lost while waiting (0 bytes sent, 0 received) "
                + "in attempt 2: gone")
    }

    @Test(arguments: ["40", "Fri, 31 Dec 9999 23:59:59 GMT", "99999999999999999999"])
    func `A Retry-After above the maximum delay returns the response immediately`(text: String) async throws {
        let transport = ScriptedTransport({ $0.answer(503, ["Retry-After": text], "busy".utf8) })
        let response = try await retried(policy: .standard, over: transport).send()
        #expect(response.status == 503)
        #expect(response.headers["Retry-After"] == text)
        #expect(response.text == "busy")
        #expect(response.attempts == 1)
    }

    @Test func `A delay above the total time returns the response immediately`() async throws {
        let transport = ScriptedTransport({ $0.answer(503, ["Retry-After": "20"]) })
        var request = try retried(policy: .standard, over: transport)
        request.timeouts.total = .seconds(10)
        #expect(try await request.send().status == 503)
    }

    // MARK: Bodies

    @Test(arguments: [("PUT", nil), ("POST", "k1"), ("PATCH", "k2")] as [(String, String?)])
    func `The complete body is sent in each attempt, with the same key`(method: String, key: String?) async throws {
        let transport = ScriptedTransport(
            { $0.answer(503) },
            { call in
                call.connect()
                call.sendBody(upTo: 16)
                call.finish(TransportFailure(.connectionLost, "gone"))
            }, { $0.answer(201) })
        let body = "a body that is longer than sixteen bytes"
        let headers: HTTPHeaders = key.map { ["Idempotency-Key": $0] } ?? [:]
        let request = try retried(HTTPMethod(rawValue: method), headers: headers, body: body, over: transport)
        #expect(try await request.send().status == 201)
        #expect(transport.calls.map(\.sentBody) == [body, String(body.prefix(16)), body])
        #expect(transport.requests.map { $0.headers["Idempotency-Key"] } == [key, key, key])
    }

    @Test func `A POST with an empty key is not retried`() async throws {
        let transport = ScriptedTransport({ $0.answer(503) })
        let request = try retried(.post, headers: ["Idempotency-Key": ""], body: "x", over: transport)
        #expect(try await request.send().status == 503)
        #expect(transport.calls.count == 1)
    }

    @Test(arguments: [503, 429, 408])
    func `A POST without a key is not retried after a response`(status: Int) async throws {
        let transport = ScriptedTransport({ $0.answer(status) })
        #expect(try await retried(.post, body: "once", over: transport).send().status == status)
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [
        // As when a kept connection ended, and no other one could be made.
        RequestError.Kind.connectionRefused, .hostNotFound, .connectionLost, .truncatedResponse, .connectionFailed,
        .connectTimedOut,
    ])
    func `A POST without a key that was sent is not retried`(kind: RequestError.Kind) async throws {
        let transport = ScriptedTransport({ call in
            call.connect()
            call.finish(TransportFailure(kind, "gone"))
        })
        #expect(try await outcome(retried(.post, body: "once", over: transport)).failure?.kind == kind)
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [RequestError.Kind.hostNotFound, .connectionRefused, .connectionFailed, .connectTimedOut])
    func `A POST without a key of which nothing was sent is retried`(kind: RequestError.Kind) async throws {
        let transport = ScriptedTransport({ $0.finish(TransportFailure(kind, "gone")) }, { $0.answer(201) })
        let response = try await retried(.post, body: "once", over: transport).send()
        #expect(response.status == 201)
        #expect(response.attempts == 2)
        #expect(transport.calls.last?.sentBody == "once")
    }

    @Test func `A body that can be read once is not retried, and the outcome is reported`() async throws {
        let chunks = AsyncStream { continuation in
            continuation.yield(Data("abc".utf8))
            continuation.finish()
        }
        let transport = ScriptedTransport({ call in
            // As a transport does, before it waits for bytes.
            _ = try? call.request.body?.open()
            call.connect()
            call.receive(503)
            call.finish()
        })
        var request = try retried(.put, over: transport)
        request.setBody(StreamBody(chunks))
        #expect(try await request.send().status == 503)
        #expect(transport.requests.count == 1)

        let losing = ScriptedTransport({ call in
            _ = try? call.request.body?.open()
            call.finish(TransportFailure(.connectionRefused, "nobody"))
        })
        request = try retried(.put, over: losing)
        request.setBody(StreamBody(AsyncStream<Data> { $0.finish() }))
        #expect(await outcome(request).failure?.kind == .connectionRefused)
        #expect(losing.requests.count == 1)
    }

    @Test func `A body that is created for each attempt is created once per attempt`() async throws {
        let made = Mutex(0)
        let transport = ScriptedTransport({ $0.answer(503) }, { $0.answer(503) }, { $0.answer(200) })
        var request = try retried(.put, over: transport)
        request.setBody(
            StreamBody(length: 3) {
                made.withLock { $0 += 1 }
                return DataStream(Data("abc".utf8))
            })
        #expect(try await request.send().attempts == 3)
        #expect(transport.calls.map(\.sentBody) == ["abc", "abc", "abc"])
        #expect(made.withLock { $0 } == 3)
    }

    // MARK: Redirects

    @Test func `The failed hop is retried, not the redirect to it`() async throws {
        let transport = ScriptedTransport(
            { $0.answer(303, ["Location": "/b"]) }, { $0.answer(503) }, { $0.answer(200) })
        let response = try await retried(.post, body: "once", over: transport).send()
        #expect(response.status == 200)
        #expect(response.redirects == 1)
        #expect(response.attempts == 2)
        #expect(transport.requests.map { "\($0.method) \($0.url.path)" } == ["POST /a", "GET /b", "GET /b"])
        #expect(transport.calls.map(\.sentBody) == ["once", "", ""])
    }

    // MARK: Events

    @Test func `Progress restarts, sending is reported once, and each retry is reported before it begins`() async throws
    {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport({ $0.answer(503) }, { Self.lost($0) }, { $0.answer(200) })
        let request = try retried(.put, body: "hello", over: transport)
        let end = OneTimeValue<Void>()
        Exchange(request, observer: { recorder.note(.event($0)) }) {
            recorder.note(.outcome($0))
            end.set(())
        }.start()
        _ = await end.value()
        #expect(
            recorder.names == ["progress", "didSend", "willRetry", "progress", "willRetry", "progress", "response"])
        #expect(recorder.progress.map(\.bytesSent) == [5, 5, 5])
        #expect(recorder.retries.map(\.attempt) == [2, 3])
        let reasons = recorder.retries.map(\.description)
        #expect(reasons.first == "attempt 2 in 0.0 seconds, after 503")
        #expect(
            reasons.last
                == "attempt 3 in 0.0 seconds, after PUT http://server.example/a: the connection was lost while waiting "
                + "(5 bytes sent, 0 received) in attempt 2: gone")
    }

    @Test func `A queue and its delegates report retries`() async throws {
        final class Listener: RequestQueueDelegate, RequestDelegate {
            let told = Mutex<[String]>([])
            func requestQueue(_ queue: RequestQueue, willRetry retry: RequestRetry, of request: QueuedRequest) {
                told.withLock { $0.append("queue \(retry.attempt)") }
            }
            func request(_ request: RESTRequest, willRetry retry: RequestRetry) {
                told.withLock { $0.append("request \(retry.attempt)") }
            }
        }
        let listener = Listener()
        let transport = ScriptedTransport({ $0.answer(503) }, { $0.answer(503) }, { $0.answer(200) })
        let queue = RequestQueue()
        queue.delegate = listener
        let events = queue.events
        var request = try retried(over: transport)
        request.delegate = listener
        queue.start()
        await #expect(try queue.add(request).response.attempts == 3)
        // Delegates are called on a separate thread.
        #expect(await eventually { listener.told.withLock({ $0.count }) >= 4 })
        let told = listener.told.withLock { $0 }
        #expect(told.filter { $0.hasPrefix("queue") } == ["queue 2", "queue 3"])
        #expect(told.filter { $0.hasPrefix("request") } == ["request 2", "request 3"])
        var retries: [String] = []
        for await event in events {
            if case .willRetry = event { retries.append("\(event)") }
            if event.outcome != nil { break }
        }
        #expect(
            retries == [2, 3].map { "willRetry GET http://server.example/a attempt \($0) in 0.0 seconds, after 503" })
    }

    // MARK: Deliveries

    @Test func `A retried download contains the bytes of the last response only`() async throws {
        let folder = try TemporaryDirectory()
        let transport = ScriptedTransport(
            { call in
                call.connect()
                call.receive(200, ["Content-Length": "9"])
                call.receive("wrong".utf8)
                call.finish(TransportFailure(.connectionLost, "gone"))
            }, { $0.answer(503, [:], "no".utf8) }, { $0.answer(200, [:], "abc".utf8) })
        let response = try await retried(over: transport).download(to: folder.file("a"))
        #expect(response.attempts == 3)
        #expect(try folder.data(of: "a") == Data("abc".utf8))
        #expect(try folder.names == ["a"])
    }

    @Test func `A stream is retried until its head is delivered`() async throws {
        let transport = ScriptedTransport(
            { $0.answer(503) },
            { call in
                call.connect()
                call.receive(200, ["Content-Length": "9"])
                call.receive("abc".utf8)
                call.finish(TransportFailure(.connectionLost, "gone"))
            })
        let stream = try await retried(over: transport).stream()
        #expect(stream.status == 200)
        #expect(stream.attempts == 2)
        var bytes = Data()
        let error = await #expect(throws: RequestError.self) { for try await piece in stream.body { bytes += piece } }
        #expect(error?.kind == .connectionLost)
        #expect(bytes == Data("abc".utf8))
        #expect(transport.requests.count == 2)
    }

    @Test func `A long unused response closes its connection, a short one is read`() async throws {
        let transport = ScriptedTransport(
            { call in
                call.connect()
                call.receive(503, ["Content-Length": "1000000"])
                call.receive("a".utf8)
            },
            { call in
                call.connect()
                call.receive(503, ["Content-Length": "3"])
                call.receive("abc".utf8)
                call.finish()
            }, { $0.answer(200) })
        #expect(try await retried(over: transport).send().attempts == 3)
        #expect(transport.calls.map(\.isCancelled) == [true, false, false])
    }
}
