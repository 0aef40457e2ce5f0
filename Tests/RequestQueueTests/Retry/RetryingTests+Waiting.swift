import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

/// What happens while a request waits for its next attempt, or hangs in one.
extension RetryingTests {
    @Test func `A request in backoff has no connection, and can be cancelled immediately`() async throws {
        let transport = ScriptedTransport({ $0.answer(503, ["Retry-After": "20"]) })
        let recorder = ExchangeRecorder()
        let exchange = recorder.exchange(try retried(policy: .standard, over: transport))
        exchange.start()
        #expect(recorder.names == ["didSend", "willRetry"])
        #expect(exchange.state.withLock { $0.task == nil && $0.registrations.alarm != nil })
        exchange.cancel()
        #expect(recorder.names == ["didSend", "willRetry", "cancelled"])
        #expect(exchange.state.withLock { $0.registrations.alarm == nil })
        #expect(transport.requests.count == 1)
    }

    @Test func `An observer can cancel the retry of which it is notified`() async throws {
        let transport = ScriptedTransport({ $0.answer(503, ["Retry-After": "20"]) })
        let outcomes = Mutex<[Result<RESTResponse, RequestError>]>([])
        let handle = RequestHandle()
        handle.run(
            Exchange(
                try retried(policy: .standard, over: transport),
                observer: { event in if case .willRetry = event { handle.cancel() } },
                completion: { outcome in outcomes.withLock { $0.append(outcome) } }))
        #expect(outcomes.withLock { $0.map { $0.failure?.kind } } == [.cancelled])
    }

    @Test func `The body of a cancelled retry is released`() async throws {
        final class Token: Sendable {}
        weak var last: Token?
        let transport = ScriptedTransport({ $0.answer(503, ["Retry-After": "20"]) })
        final class Holder: BodyStream {
            let token: Token
            init(_ token: Token) { self.token = token }
            func read(into buffer: inout MutableRawSpan) -> BodyRead { .end }
        }
        let made = Mutex<[Token?]>([])
        var request = try retried(.put, policy: .standard, over: transport)
        request.setBody(
            StreamBody {
                let token = Token()
                made.withLock { $0.append(token) }
                return Holder(token)
            })
        let exchange = ExchangeRecorder().exchange(request)
        exchange.start()
        last = made.withLock { $0.last ?? nil }
        #expect(made.withLock { $0.count } == 2)
        made.withLock { $0 = [] }
        #expect(last != nil)
        exchange.cancel()
        #expect(last == nil)
    }

    @Test(arguments: [RequestError.Kind.idleTimedOut, .connectTimedOut])
    func `An attempt that times out is replaced by the next one`(kind: RequestError.Kind) async throws {
        let transport = ScriptedTransport(
            { if kind == .idleTimedOut { $0.connect() } },
            { if kind == .idleTimedOut { $0.connect() } }, { $0.answer(200) })
        var request = try retried(over: transport)
        request.timeouts = Timeouts(connect: .milliseconds(10), idle: .milliseconds(10))
        let response = try await request.send()
        #expect(response.attempts == 3)
        #expect(transport.calls.map(\.isCancelled) == [true, true, false])
    }

    @Test func `A POST that times out is not retried`() async throws {
        let transport = ScriptedTransport({ $0.connect() })
        var request = try retried(.post, body: "once", over: transport)
        request.timeouts = Timeouts(idle: .milliseconds(10))
        #expect(await outcome(request).failure?.kind == .idleTimedOut)
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [HTTPMethod.post, .get])
    func `An attempt that connects as it times out is retried only if it is idempotent`(method: HTTPMethod)
        async throws
    {
        /// Connects when it is cancelled, like a transport that has not processed the cancellation yet.
        final class Late: Transport {
            let count = Mutex(0)
            func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
                let isFirst = count.withLock { count in
                    count += 1
                    return count == 1
                }
                if !isFirst {
                    handler.transportDidConnect()
                    handler.transportDidReceive(ResponseHead(status: 200))
                    handler.transportDidFinish(nil)
                }
                return LateTask(handler: handler)
            }
        }
        struct LateTask: TransportTask {
            let handler: any TransportHandler
            func cancel() {
                handler.transportDidConnect()
                handler.transportDidFinish(TransportFailure(.cancelled, "the transport received a cancellation"))
            }
            func resume() {}
        }
        let transport = Late()
        var request = RESTRequest(method, url: URL(string: "http://server.example/a"), transport: transport)
        request.retryPolicy = Self.atOnce
        request.timeouts.connect = .milliseconds(10)
        switch await outcome(request) {
        case .success(let response):
            #expect(method == .get)
            #expect(response.attempts == 2)
        case .failure(let error):
            #expect(method == .post)
            #expect(error.kind == .connectTimedOut)
            #expect(error.attempts == 1)
        }
        #expect(transport.count.withLock { $0 } == (method == .get ? 2 : 1))
    }

    @Test func `A retry without a network fails as offline before it is sent`() async throws {
        let observer = ReachabilityObserver(initially: .reachable(via: NetworkInterface(.wifi)))
        let transport = ScriptedTransport({ call in
            observer.report(.notReachable(.noRoute))
            call.finish(TransportFailure(.connectionRefused, "nobody"))
        })
        var request = try retried(over: transport)
        request.reachabilityObserver = observer
        let error = try #require(await outcome(request).failure)
        #expect(error.kind == .offline)
        #expect(error.phase == .preparing)
        #expect(error.attempts == 2)
        #expect(transport.requests.count == 1)
    }

    @Test func `The body for the next attempt is not opened on the watchdog's thread`() async throws {
        let other = RESTRequest(url: URL(string: "http://server.example/b"), transport: ScriptedTransport({ _ in }))
        let hasTimedOut = DispatchSemaphore(value: 0)
        let opened = Mutex(0)
        let waits = Mutex<[DispatchTimeoutResult]>([])
        let transport = ScriptedTransport({ _ = try? $0.request.body?.open() }, { $0.answer(200) })
        var request = try retried(.put, over: transport)
        request.timeouts.connect = .milliseconds(10)
        request.setBody(
            StreamBody(length: 3) {
                let isSecond = opened.withLock { opened in
                    opened += 1
                    return opened == 2
                }
                if isSecond {
                    var other = other
                    other.timeouts.connect = .milliseconds(10)
                    other.send { _ in hasTimedOut.signal() }
                    let result = hasTimedOut.wait(timeout: .now() + 30)
                    waits.withLock { $0.append(result) }
                }
                return DataStream(Data("abc".utf8))
            })
        #expect(try await request.send().attempts == 2)
        #expect(waits.withLock { $0 } == [.success])
    }

    @Test func `The total timeout ends all attempts`() async throws {
        let transport = ScriptedTransport({ $0.answer(503) }, { $0.connect() })
        var request = try retried(over: transport)
        request.timeouts.total = .milliseconds(50)
        let error = try #require(await outcome(request).failure)
        #expect(error.kind == .timedOut)
        #expect(error.attempts == 2)
        #expect(transport.requests.count == 2)
    }
}
