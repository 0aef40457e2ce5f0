import RequestQueue
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct QueueLifetimeTests {
    let transport = HeldTransport()

    @Test func `Requests in a released suspended queue are cancelled with events`() async {
        weak var gone: RequestQueue?
        let delegate = ListeningDelegate()
        let (outcomes, continuation) = AsyncStream<Bool>.makeStream()
        let events: RequestQueue.Events
        let awaited: QueuedRequest
        do {
            let queue = RequestQueue()
            gone = queue
            events = queue.events
            awaited = queue.add(.to("/awaited", transport, delegate: delegate))
            Self.add(.to("/told", transport), to: queue) { continuation.yield((try? $0.get()) == nil) }
        }
        let error = await #expect(throws: RequestError.self) { try await awaited.response }
        #expect(error?.kind == .cancelled && error?.cause == "its suspended queue was released")
        #expect(await events.words() == ["didCancel /awaited", "didCancel /told"])
        #expect(await delegate.told(1) == ["didCancel /awaited"])
        #expect(await outcomes.first { _ in true } == true)
        #expect(gone == nil)
        awaited.cancel()
        #expect(transport.started.isEmpty)
    }

    private static func add(
        _ request: RESTRequest, to queue: RequestQueue,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) {
        queue.add(request, completion: completion)
    }

    @Test func `A running queue without references finishes its requests and is released`() async throws {
        weak var gone: RequestQueue?
        let events: RequestQueue.Events
        var queued: [QueuedRequest] = []
        do {
            let queue = RequestQueue(concurrentRequestsLimit: 1)
            gone = queue
            events = queue.events
            for path in ["/a", "/b"] { queued.append(queue.add(.to(path, transport))) }
            queue.start()
        }
        #expect(gone != nil)
        transport.answer("/a")
        #expect(try await queued[0].response.status == 200)
        let last = queued[1]
        async let response = last.response
        #expect(await eventually { transport.running == ["/b"] })
        transport.answer("/b")
        #expect(try await response.status == 200)
        #expect(await events.words().suffix(3) == ["didSend /b", "didLoad /b", "didFinishLoading"])
        #expect(await eventually { gone == nil })
    }

    @Test func `Finished requests are not retained`() async {
        let queue = RequestQueue(concurrentRequestsLimit: 2)
        queue.start()
        weak var loaded: QueuedRequest?
        weak var cancelled: QueuedRequest?
        weak var waiting: QueuedRequest?
        do {
            loaded = queue.add(.to("/loaded", transport))
            let dropped = queue.add(.to("/cancelled", transport))
            cancelled = dropped
            waiting = queue.add(.to("/waiting", transport))
            transport.answer("/loaded")
            queue.cancel(dropped)
            queue.cancelRequests(path: "/waiting")
        }
        #expect(queue.count == 0)
        #expect(await eventually { loaded == nil && cancelled == nil && waiting == nil })
    }

    private final class Owner {}

    @Test func `Requests of an owner that is released are sent, and others can be cancelled`() async throws {
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        weak var gone: Owner?
        let orphan: QueuedRequest
        do {
            let owner = Owner()
            gone = owner
            orphan = queue.add(.to("/orphan", transport), owner: owner)
        }
        #expect(gone == nil)
        let other = Owner()
        let owned = queue.add(.to("/owned", transport), owner: other)
        queue.start()
        queue.cancelRequests(ownedBy: other)
        let error = await #expect(throws: RequestError.self) { try await owned.response }
        #expect(error?.kind == .cancelled)
        transport.answer("/orphan")
        #expect(try await orphan.response.isOK)
        queue.cancelRequests(ownedBy: Owner())
        #expect(queue.count == 0 && transport.started == ["/orphan"])
    }
}
