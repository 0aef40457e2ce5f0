import RequestQueue
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct EventsTests {
    let transport = HeldTransport()

    @Test func `Sequences and delegates receive the same events in the same order`()
        async
    {
        let queueDelegate = ListeningDelegate()
        let requestDelegate = ListeningDelegate()
        let early: RequestQueue.Events
        let twin: RequestQueue.Events
        do {
            let queue = RequestQueue(concurrentRequestsLimit: 2)
            early = queue.events
            twin = queue.events
            queue.delegate = queueDelegate
            var queued: [QueuedRequest] = []
            for path in ["/a", "/b", "/c", "/d", "/e", "/f"] {
                queued.append(queue.add(.to(path, transport, delegate: requestDelegate)))
            }
            queue.suspend(for: .background)
            queue.start()
            queue.resume(for: .background)
            transport.answer("/a", 404)
            _ = queue.count
            transport.fail("/b", .connectionLost)
            _ = queue.count
            queue.cancel(queued[5])
            transport.fail("/d", .idleTimedOut)
            _ = queue.count
            queue.cancel(queued[2])
            queue.suspend()
            transport.answer("/e")
            _ = queue.count
        }
        let expected = [
            "wasUnsuspended background", "didBeginLoading", "willSend /a", "willSend /b", "didSend /a", "didLoad /a",
            "willSend /c", "didFail /b", "willSend /d", "didCancel /f", "didTimeOut /d", "willSend /e",
            "didCancel /c", "wasSuspended user", "didSend /e", "didLoad /e", "didFinishLoading",
        ]
        #expect(await early.words() == expected)
        #expect(await twin.words() == expected)
        #expect(await queueDelegate.told(expected.count) == expected)
        // Those of different requests may come at the same time.
        let ofRequests = expected.filter { $0.contains("/") }
        let told = await requestDelegate.told(ofRequests.count)
        for path in ["/a", "/b", "/c", "/d", "/e", "/f"] {
            #expect(told.filter { $0.hasSuffix(path) } == ofRequests.filter { $0.hasSuffix(path) })
        }
    }

    @Test func `A sequence begins when it is read, and ends with its queue`() async {
        let late: RequestQueue.Events
        do {
            let queue = RequestQueue()
            queue.start()
            late = queue.events
            queue.suspend()
        }
        #expect(await late.words() == ["wasSuspended user"])
        #expect(await late.words() == [])
    }

    @Test func `Descriptions begin with the name of the case and fit on a line of a log`() async throws {
        var texts: [String] = []
        let events: RequestQueue.Events
        do {
            let queue = RequestQueue(concurrentRequestsLimit: 1)
            events = queue.events
            for path in ["/a?page=2", "/b", "/c", "/d"] { queue.add(.to(path, transport, .post)) }
            queue.start()
            transport.receive("/a", "12345")
            transport.answer("/a")
            _ = queue.count
            transport.fail("/b", .connectionRefused)
            _ = queue.count
            transport.fail("/c", .timedOut)
            queue.suspend(for: .reachability)
            queue.cancelAllRequests()
        }
        for await event in events { texts.append(event.description) }
        #expect(
            texts == [
                "wasUnsuspended user", "didBeginLoading",
                "willSend POST http://stub/a?…", "didSend POST http://stub/a?…",
                "didProgress POST http://stub/a?… sent 0/0 received 5", "didLoad POST http://stub/a?… 200",
                "willSend POST http://stub/b",
                "didFail POST http://stub/b: the connection was refused while connecting: told by the test",
                "willSend POST http://stub/c",
                "didTimeOut POST http://stub/c: total timeout while connecting: told by the test",
                "willSend POST http://stub/d", "wasSuspended reachability", "didCancel POST http://stub/d",
                "didFinishLoading",
            ])
    }

    @Test func `Unread progress is replaced by newer progress, up to the next event of its request`()
        async
    {
        var texts: [String] = []
        let events: RequestQueue.Events
        do {
            let queue = RequestQueue()
            queue.start()
            events = queue.events
            queue.add(.to("/a", transport))
            queue.add(.to("/b", transport))
            for _ in 0..<1000 {
                transport.receive("/a", "123")
                transport.receive("/b", "12")
            }
            transport.answer("/a")
            transport.answer("/b")
        }
        for await event in events {
            if case .didProgress(_, let progress) = event { texts.append("\(event.word) \(progress.bytesReceived)") }
        }
        #expect(texts == ["didProgress /a 3000", "didProgress /b 2000"])
    }

    @Test func `Progress is reported only while the observer listens`() {
        let listens = Mutex(false)
        let counts = Mutex<[Int64]>([])
        let exchange = Exchange(
            .to("/a", transport), isListening: { listens.withLock { $0 } },
            observer: { event in
                if case .progress(let progress) = event { counts.withLock { $0.append(progress.bytesReceived) } }
            }
        ) { _ in }
        exchange.start()
        transport.receive("/a", "12")
        listens.withLock { $0 = true }
        transport.receive("/a", "345")
        transport.answer("/a")
        #expect(counts.withLock { $0 } == [5])
    }

    @Test func `A request has its latest progress`() async throws {
        let queue = RequestQueue()
        queue.start()
        let queued = queue.add(.to("/a", transport))
        #expect(queued.progress == RequestProgress())
        transport.receive("/a", "123")
        #expect(queued.progress.bytesReceived == 3)
        transport.answer("/a")
        _ = await queued.result
        #expect(queued.progress.bytesReceived == 3)
    }

    @Test func `Progress is delivered while the request waits for more`() async throws {
        let queue = RequestQueue()
        let delegate = ListeningDelegate()
        queue.delegate = delegate
        var events = queue.events.makeAsyncIterator()
        queue.start()
        let queued = queue.add(.to("/a", transport))
        transport.receive("/a", "12345")
        while let event = await events.next() { if case .didProgress = event { break } }
        let expected = ["wasUnsuspended user", "didBeginLoading", "willSend /a", "didSend /a", "didProgress /a"]
        #expect(await delegate.told(5) == expected)
        #expect(queued.state == .loading)
        queued.cancel()
    }

    @Test func `A loop over events ends when its task is cancelled`() async {
        let queue = RequestQueue()
        let events = queue.events
        let task = Task { for await _ in events {} }
        task.cancel()
        await task.value
        queue.start()
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next()?.word == "wasUnsuspended user")
    }

    @Test func `A slow delegate does not delay the queue`() async throws {
        final class Slow: RequestQueueDelegate {
            let gate = AsyncStream<Void>.makeStream()
            let entered = AsyncStream<Void>.makeStream()
            let isBlocked = Mutex(true)
            func requestQueue(_ queue: RequestQueue, willSend request: QueuedRequest) {
                entered.continuation.finish()
                // A delegate that blocks its thread, until the test lets it go.
                while isBlocked.withLock({ $0 }) { usleep(1000) }
            }
        }
        let slow = Slow()
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        queue.delegate = slow
        let first = queue.add(.to("/a", transport))
        let second = queue.add(.to("/b", transport))
        queue.start()
        for await _ in slow.entered.stream {}
        transport.answer("/a")
        #expect(try await first.response.status == 200)
        #expect(transport.running == ["/b"])
        transport.answer("/b")
        #expect(try await second.response.status == 200)
        slow.isBlocked.withLock { $0 = false }
    }
}
