import Dispatch
import Synchronization
import Testing

@testable import RequestQueue

@Suite(.timeLimit(.minutes(2))) struct EventBatchTests {
    private final class Owner: Sendable {
        let calls = Atomic(0)
        var count: Int { calls.load(ordering: .relaxed) }

        func postpone(isUrgent: Bool = true) -> Bool {
            EventBatch.postpone(for: self, isUrgent: isUrgent) { self.calls.add(1, ordering: .relaxed) }
        }
    }

    private let owner = Owner()
    let batch = EventBatch(limit: .seconds(1000))

    @Test func `Urgent work is done once for each owner, at the end of a batch`() {
        let other = Owner()
        batch.run {
            for isUrgent in [false, true, false] { #expect(owner.postpone(isUrgent: isUrgent)) }
            #expect(other.postpone())
            #expect(owner.count == 0)
        }
        #expect(owner.count == 1)
        #expect(other.count == 1)
        #expect(!batch.hasPostponedWork)
    }

    @Test func `Work that is not urgent is done together with urgent work of a later batch`() {
        batch.run { #expect(owner.postpone(isUrgent: false)) }
        #expect(batch.hasPostponedWork)
        #expect(owner.count == 0)
        batch.run { #expect(owner.postpone()) }
        #expect(!batch.hasPostponedWork)
        #expect(owner.count == 1)
    }

    @Test func `Work is not postponed for longer than the limit`() {
        let batch = EventBatch(limit: .zero)
        batch.run { #expect(owner.postpone(isUrgent: false)) }
        #expect(owner.count == 1)
        batch.run {
            for _ in 1...2 { #expect(owner.postpone()) }
            #expect(owner.count == 2)
        }
        #expect(!batch.hasPostponedWork)
    }

    @Test func `Nothing is postponed outside of batches`() async {
        #expect(!owner.postpone())
        let (gate, continuation) = AsyncStream<Void>.makeStream()
        // It inherits the batch.
        let task = Mutex<Task<Bool, Never>?>(nil)
        batch.run {
            task.withLock { task in
                task = Task { [owner] in
                    for await _ in gate {}
                    return owner.postpone()
                }
            }
        }
        continuation.finish()
        #expect(await task.withLock { $0 }?.value == false)
        #expect(owner.count == 0)
    }

    @Test func `A queue delivers the events of a batch together, in their order`() async {
        let starts = Mutex<[@Sendable () -> Void]>([])
        let (transport, delegate) = (HeldTransport(), ListeningDelegate())
        let queue = RequestQueue(concurrentRequestsLimit: 2)
        let events = queue.events
        queue.delegate = delegate
        queue.callbackExecutor = CallbackExecutor { block in starts.withLock { $0.append(block) } }
        for path in ["/a", "/b", "/c"] { queue.add(.to(path, transport)) }
        queue.start()
        starts.withLock { $0.removeFirst() }()
        batch.run {
            transport.answer("/a")
            transport.answer("/b")
            #expect(transport.running == ["/c"])
            #expect(starts.withLock { $0.count } == 0)
        }
        #expect(starts.withLock { $0.count } == 1)
        starts.withLock { $0.removeFirst() }()
        let expected = [
            "wasUnsuspended user", "didBeginLoading", "willSend /a", "willSend /b", "didSend /a", "didLoad /a",
            "willSend /c", "didSend /b", "didLoad /b",
        ]
        #expect(await delegate.told(expected.count) == expected)
        var words: [String] = []
        for await event in events {
            words.append(event.word)
            if words.count == expected.count { break }
        }
        #expect(words == expected)
        queue.cancelAllRequests()
    }

    @Test func `Progress is delivered while a server pauses`() async throws {
        let isNotified = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { connection in
            _ = connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na")
            isNotified.wait()
            connection.write("b")
        }
        let queue = RequestQueue()
        let events = queue.events
        queue.add(RESTRequest(url: server.url()))
        queue.start()
        var counts: [Int64] = []
        for await event in events {
            if case .didProgress(_, let progress) = event {
                counts.append(progress.bytesReceived)
                isNotified.signal()
            }
            if event.outcome != nil { break }
        }
        #expect(counts == [1, 2])
    }
}
