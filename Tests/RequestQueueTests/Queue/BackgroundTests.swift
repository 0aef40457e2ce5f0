import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

/// Queues and requests with a life cycle that the test controls, over a transport that the test answers.
@Suite(.timeLimit(.minutes(5))) struct BackgroundTests {
    let transport = HeldTransport()
    let lifecycle = ApplicationLifecycle()

    private func request(_ path: String, _ policy: BackgroundPolicy) -> RESTRequest {
        var request = RESTRequest.to(path, transport)
        request.backgroundPolicy = policy
        request.lifecycle = lifecycle
        return request
    }

    private func runningQueue(limit: Int = 5) async -> RequestQueue {
        let queue = RequestQueue(concurrentRequestsLimit: limit, lifecycle: lifecycle)
        queue.start()
        return queue
    }

    @Test func `Each queued request follows its background policy, and all receivers get the same events`() async throws
    {
        var queue: RequestQueue? = await runningQueue()
        let events = try #require(queue).events
        let delegate = ListeningDelegate()
        queue?.delegate = delegate
        var requests: [QueuedRequest] = []
        for policy in BackgroundPolicy.allCases {
            if let request = queue?.add(request("/\(policy)", policy)) { requests.append(request) }
        }
        lifecycle.enterBackground()
        #expect(queue?.suspensionReasons == [.background])
        #expect(requests.map(\.state) == [.loading, .cancelled, .loading, .waiting])
        #expect(transport.running.sorted() == ["/continue", "/none"])
        transport.answer("/none")
        lifecycle.expireBackgroundTime()
        #expect(requests.map(\.state) == [.loaded, .cancelled, .timedOut, .waiting])
        lifecycle.enterForeground()
        #expect(requests[3].state == .loading)
        transport.answer("/requeue")
        let error = await #expect(throws: RequestError.self) { try await requests[2].response }
        #expect(
            error?.description
                == "GET http://stub/continue: background time expired while connecting: the system grants no more time in the background; the request has BackgroundPolicy.continue"
        )
        #expect(error?.isTimeout == true)
        #expect(try await requests[3].response.status == 200)
        let expected = [
            "didBeginLoading", "willSend /none", "willSend /cancel", "willSend /continue", "willSend /requeue",
            "wasSuspended background", "didCancel /cancel", "didSend /none", "didLoad /none", "didTimeOut /continue",
            "didFinishLoading", "wasUnsuspended background", "didBeginLoading", "willSend /requeue",
            "didSend /requeue", "didLoad /requeue", "didFinishLoading",
        ]
        #expect(await delegate.told(expected.count) == expected)
        queue = nil
        #expect(await events.words() == expected)
    }

    @Test func `Requeued requests start first, in order`() async {
        let queue = await runningQueue(limit: 2)
        for path in ["/a", "/b", "/c", "/d"] { queue.add(request(path, .requeue)) }
        lifecycle.enterBackground()
        #expect(transport.running.isEmpty)
        lifecycle.enterForeground()
        for path in ["/a", "/b", "/c", "/d"] { transport.answer(path) }
        #expect(transport.started == ["/a", "/b", "/a", "/b", "/c", "/d"])
        await queue.waitUntilFinished()
    }

    @Test func `A requeued request has no progress`() async throws {
        let queue = await runningQueue()
        let events = queue.events
        let queued = queue.add(request("/a", .requeue))
        transport.receive("/a", "some")
        #expect(queued.progress.bytesReceived == 4)
        lifecycle.enterBackground()
        #expect(queued.state == .waiting && queued.progress == RequestProgress())
        queue.cancel(queued)
        let error = await #expect(throws: RequestError.self) { try await queued.response }
        #expect(error?.cause == "the request was cancelled while it waited in its queue")
        #expect(error?.phase == .preparing)
        var words: [String] = []
        for await event in events {
            words.append(event.word)
            if event.outcome != nil { break }
        }
        #expect(words.filter { $0 == "willSend /a" }.count == 1 && words.last == "didCancel /a")
    }

    @Test func `Suspensions by user and background are independent, also in a new queue`() async {
        let queue = RequestQueue(lifecycle: lifecycle)
        lifecycle.enterBackground()
        #expect(queue.suspensionReasons == [.user, .background])
        let late = RequestQueue(lifecycle: lifecycle)
        #expect(late.suspensionReasons == [.user, .background])
        lifecycle.enterForeground()
        #expect(queue.suspensionReasons == [.user])
        #expect(late.suspensionReasons == [.user])
        #expect(RequestQueue.shared.suspensionReasons.isEmpty)
    }

    @Test func `Events that change nothing are not reported`() async {
        let queue = await runningQueue()
        let events = queue.events
        queue.add(request("/a", .continue))
        lifecycle.enterForeground()
        lifecycle.expireBackgroundTime()
        lifecycle.enterBackground()
        lifecycle.enterBackground()
        lifecycle.enterForeground()
        lifecycle.enterForeground()
        queue.cancelAllRequests()
        var words: [String] = []
        for await event in events {
            words.append(event.word)
            if case .didFinishLoading = event { break }
        }
        #expect(
            words == [
                "didBeginLoading", "willSend /a", "wasSuspended background", "wasUnsuspended background",
                "didCancel /a", "didFinishLoading",
            ])
    }

    // MARK: Without a queue

    /// Returns the outcome of a request that was sent without a queue.
    private final class Sent: Sendable {
        private let value = OneTimeValue<Result<RESTResponse, RequestError>>()
        private let count = Mutex(0)
        let handle = Mutex<RequestHandle?>(nil)

        init(_ request: RESTRequest) {
            let handle = request.send { outcome in
                self.count.withLock { $0 += 1 }
                self.value.set(outcome)
            }
            self.handle.withLock { $0 = handle }
        }

        func cancel() { handle.withLock { $0 }?.cancel() }

        /// The status, or the kind of error, and how many outcomes there were.
        var word: String {
            get async {
                let word =
                    switch await value.value() {
                    case .success(let response): "\(response.status)"
                    case .failure(let error): error.kind.rawValue
                    case nil: "nothing"
                    }
                return count.withLock { $0 } == 1 ? word : "\(word), not once"
            }
        }
    }

    @Test func `A request without a queue follows its background policy`() async {
        let sent = BackgroundPolicy.allCases.map { Sent(request("/\($0)", $0)) }
        lifecycle.enterBackground()
        #expect(transport.running.sorted() == ["/continue", "/none"])
        transport.answer("/none")
        lifecycle.expireBackgroundTime()
        lifecycle.enterForeground()
        #expect(transport.running == ["/requeue"])
        transport.answer("/requeue")
        #expect(await sent[0].word == "200")
        #expect(await sent[1].word == "cancelled")
        #expect(await sent[2].word == "backgroundTimedOut")
        #expect(await sent[3].word == "200")
        #expect(transport.started.count == 5)
    }

    @Test(arguments: BackgroundPolicy.allCases)
    func `A receiver of the outcome can retain the handle, and is released with the request`(policy: BackgroundPolicy)
        async
    {
        weak var gone: Sent?
        do {
            let sent = Sent(request("/a", policy))
            gone = sent
            transport.answer("/a")
            #expect(await sent.word == "200")
        }
        #expect(await eventually { gone == nil })
        #expect(gone == nil)
    }

    @Test func `A requeued request waits in the background, and can be cancelled there`() async {
        let waiting = Sent(request("/a", .requeue))
        lifecycle.enterBackground()
        let late = Sent(request("/b", .requeue))
        let allowed = Sent(request("/c", .cancel))
        #expect(transport.running == ["/c"])
        waiting.cancel()
        #expect(await waiting.word == "cancelled")
        lifecycle.enterForeground()
        transport.answer("/b")
        transport.answer("/c")
        #expect(await late.word == "200")
        #expect(await allowed.word == "200")
        #expect(transport.started == ["/a", "/c", "/b"])
    }

    @Test func `A request that waits for an identical one is requeued`() async throws {
        let client = RESTClient(baseURL: try #require(URL(string: "http://stub")), transport: transport)
        client.coalescesIdenticalRequests = true
        client.backgroundPolicy = .requeue
        client.lifecycle = lifecycle
        let sent = [Sent(client.request("/a")), Sent(client.request("/a"))]
        #expect(transport.running == ["/a"])
        lifecycle.enterBackground()
        #expect(transport.running.isEmpty)
        lifecycle.enterForeground()
        #expect(transport.running == ["/a"])
        transport.answer("/a")
        for sent in sent { #expect(await sent.word == "200") }
    }

    @Test func `A requeued download starts again`() async throws {
        let file = URL(fileURLWithPath: "/tmp/background-\(UInt64.random(in: 0...(.max)))")
        defer { unlink(file.path) }
        async let response = request("/a", .requeue).download(to: file)
        #expect(await eventually { !transport.running.isEmpty })
        transport.receive("/a", "half")
        lifecycle.enterBackground()
        // It may be stopped by the thread that has just started it.
        #expect(await eventually { transport.running.isEmpty })
        lifecycle.enterForeground()
        #expect(await eventually { !transport.running.isEmpty })
        transport.answer("/a", body: "the whole")
        #expect(try await response.status == 200)
        #expect(try Data(contentsOf: file) == Data("the whole".utf8))
    }

    @Test func `A stream is cancelled instead of requeued, or continues if its policy allows it`() async throws {
        async let streamed = request("/a", .requeue).stream()
        #expect(await eventually { !transport.running.isEmpty })
        transport.receive("/a", "half")
        let stream = try await streamed
        lifecycle.enterBackground()
        let error = await #expect(throws: RequestError.self) { for try await _ in stream.body {} }
        #expect(error?.kind == .cancelled)

        lifecycle.enterForeground()
        async let continued = request("/b", .continue).stream()
        #expect(await eventually { !transport.running.isEmpty })
        transport.receive("/b", "half")
        let whole = try await continued
        lifecycle.enterBackground()
        transport.answer("/b", body: " more")
        var text = ""
        for try await bytes in whole.body { text += String(decoding: bytes, as: UTF8.self) }
        #expect(text == "half more")
    }

    @Test func `Requests are released after their outcome`() async {
        weak var gone: Exchange?
        do {
            let exchange = Exchange(request("/a", .requeue), delivery: .memory, followsLifecycle: true) { _ in }
            gone = exchange
            exchange.start()
            lifecycle.enterBackground()
            lifecycle.enterForeground()
        }
        #expect(gone != nil)
        transport.answer("/a")
        #expect(await eventually { gone == nil })
        let idle = Mutex(false)
        lifecycle.whenIdle { idle.withLock { $0 = true } }
        #expect(idle.withLock { $0 })
    }

    @Test(arguments: [true, false])
    func `Requests that continue in the background are counted until they end`(isQueued: Bool) async {
        let queue = await runningQueue()
        let idle = Mutex(0)
        if isQueued { queue.add(request("/a", .continue)) } else { _ = Sent(request("/a", .continue)) }
        lifecycle.enterBackground()
        #expect(lifecycle.whenIdle { idle.withLock { $0 += 1 } })
        #expect(idle.withLock { $0 } == 0)
        transport.answer("/a")
        #expect(idle.withLock { $0 } == 1)
        #expect(!lifecycle.whenIdle {})
    }

    @Test func `A client's requests have its background policy and its life cycle`() throws {
        let client = RESTClient(baseURL: try #require(URL(string: "http://stub")))
        #expect(client.backgroundPolicy == .none && client.lifecycle === ApplicationLifecycle.shared)
        client.backgroundPolicy = .requeue
        client.lifecycle = lifecycle
        let observer = ReachabilityObserver(initially: .indeterminate)
        client.reachabilityObserver = observer
        let request = client.request("/a")
        #expect(request.backgroundPolicy == .requeue && request.lifecycle === lifecycle)
        #expect(request.reachabilityObserver === observer)
    }
}
