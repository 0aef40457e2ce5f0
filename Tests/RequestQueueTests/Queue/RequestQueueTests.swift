import RequestQueue
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RequestQueueTests {
    let transport = HeldTransport()

    @Test func `A new queue is suspended until it is started`() async throws {
        let queue = RequestQueue()
        let queued = queue.add(.to("/a", transport))
        #expect(queue.isSuspended)
        #expect(queue.suspensionReasons == [.user])
        #expect(queue.concurrentRequestsLimit == 5)
        #expect(queued.state == .waiting && transport.started.isEmpty)
        queue.start()
        #expect(!queue.isSuspended)
        #expect(queued.state == .loading && transport.started == ["/a"])
        transport.answer("/a", 201)
        #expect(try await queued.response.status == 201)
        #expect(queued.state == .loaded)
    }

    @Test func `The shared queue runs from the start`() async throws {
        #expect(!RequestQueue.shared.isSuspended)
        let queued = RequestQueue.shared.add(.to("/shared", HeldTransport(answersAtOnce: true)))
        #expect(try await queued.response.status == 200)
    }

    @Test(arguments: [1, 3, 5])
    func `Requests start in order, up to the limit concurrently`(limit: Int) async {
        let queue = RequestQueue(concurrentRequestsLimit: limit)
        let paths = (0..<200).map { "/\($0)" }
        for path in paths { queue.add(.to(path, transport)) }
        queue.start()
        var random = SeededGenerator(seed: limit)
        while let path = transport.running.sorted().randomElement(using: &random) {
            #expect(queue.loadingCount == transport.runningCount)
            transport.answer(path)
            #expect(queue.count == 200 - transport.started.count + transport.runningCount)
        }
        await queue.waitUntilFinished()
        #expect(transport.started == paths)
        #expect(transport.peak == limit)
    }

    @Test func `Requests of higher priority start first`() async {
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        queue.add(.to("/low", transport), priority: .low)
        queue.add(.to("/normal", transport))
        queue.add(.to("/high", transport), owner: 1, priority: .high)
        queue.start()
        for path in ["/high", "/normal", "/low"] {
            #expect(transport.running == [path])
            transport.answer(path)
            _ = queue.count
        }
    }

    @Test func `The limit can change while requests are loading`() async {
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        for path in ["/a", "/b", "/c", "/d"] { queue.add(.to(path, transport)) }
        queue.start()
        queue.concurrentRequestsLimit = 3
        #expect(transport.started == ["/a", "/b", "/c"])
        queue.concurrentRequestsLimit = 0
        #expect(queue.concurrentRequestsLimit == 1)
        transport.answer("/a")
        #expect(queue.loadingCount == 2)
        transport.answer("/b")
        transport.answer("/c")
        #expect(queue.loadingCount == 1)
        #expect(transport.running == ["/d"])
    }

    @Test func `Counts follow the state of the requests`() async {
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        func counts() -> [Int] { [queue.count, queue.waitingCount, queue.loadingCount] }
        #expect(counts() == [0, 0, 0])
        let waiting = queue.add(.to("/a", transport))
        queue.add(.to("/b", transport))
        let last = queue.add(.to("/c", transport))
        #expect(counts() == [3, 3, 0])
        #expect(!queue.isLoading)
        queue.cancel(waiting)
        #expect(counts() == [2, 2, 0])
        queue.start()
        #expect(counts() == [2, 1, 1])
        #expect(queue.isLoading)
        last.cancel()
        #expect(counts() == [1, 0, 1])
        queue.cancelAllRequests()
        queue.cancelAllRequests()
        #expect(counts() == [0, 0, 0])
    }

    @Test func `A suspension by one reason outlives that by another`() async {
        let queue = RequestQueue()
        queue.start()
        queue.suspend()
        queue.suspend(for: .background)
        queue.add(.to("/a", transport))
        queue.resume(for: .background)
        #expect(queue.suspensionReasons == [.user])
        #expect(transport.started.isEmpty)
        queue.resume()
        #expect(transport.started == ["/a"])
    }

    @Test func `Synchronous calls add in order, before later asynchronous calls`() async throws {
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        let (outcomes, continuation) = AsyncStream<String>.makeStream()
        addWithoutWaiting(to: queue) { continuation.yield($0) }
        queue.add(.to("/awaited", HeldTransport(answersAtOnce: true)))
        let last = queue.add(.to("/last", transport))
        #expect(queue.count == 102)
        queue.start()
        for index in 0..<100 {
            #expect(transport.running == ["/\(index)"])
            transport.answer("/\(index)", 200 + index)
            _ = queue.count
        }
        transport.answer("/last")
        #expect(try await last.response.status == 200)
        var told: [String] = []
        for await outcome in outcomes {
            told.append(outcome)
            if told.count == 100 { break }
        }
        // Completions of different requests may be called at the same time.
        #expect(Set(told) == Set((0..<100).map { "/\($0) \(200 + $0)" }))
    }

    private func addWithoutWaiting(to queue: RequestQueue, told: @escaping @Sendable (String) -> Void) {
        for index in 0..<100 {
            queue.add(.to("/\(index)", transport), owner: "batch") { outcome in
                told("/\(index) \((try? outcome.get().status) ?? 0)")
            }
        }
    }

    @Test func `Waiting for the end returns when the queue is empty, or the task is cancelled`() async {
        let queue = RequestQueue()
        await queue.waitUntilFinished()
        queue.add(.to("/a", transport))
        let cancelled = Task { await queue.waitUntilFinished() }
        cancelled.cancel()
        await cancelled.value
        #expect(queue.count == 1)

        async let finished: Void = queue.waitUntilFinished()
        queue.start()
        transport.answer("/a")
        await finished
        #expect(queue.count == 0)
    }

    @Test func `A request continues when a task that waits for it is cancelled`() async throws {
        let queue = RequestQueue()
        queue.start()
        let queued = queue.add(.to("/a", transport))
        let impatient = Task { try await queued.response }
        impatient.cancel()
        let error = await #expect(throws: RequestError.self) { try await impatient.value }
        #expect(error?.kind == .cancelled)
        #expect(queued.state == .loading)
        async let response = queued.response
        transport.answer("/a", body: "late")
        #expect(try await response.body == Data("late".utf8))
        #expect(try await queued.response.status == 200)
    }

    @Test func `The error of an invalid request is its outcome`() async {
        let queue = RequestQueue()
        queue.start()
        let queued = queue.add(RESTRequest(url: nil, transport: transport))
        await #expect(throws: RequestError.self) { try await queued.response }
        #expect(queued.state == .failed)
        #expect(queue.count == 0)
    }

    @Test(arguments: [true, false])
    func `Requests that fail as they start do not recurse`(isWrong: Bool) async {
        let transport = HeldTransport(answersAtOnce: true)
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        for _ in 0..<20_000 {
            queue.add(isWrong ? RESTRequest(url: nil, transport: transport) : .to("/a", transport))
        }
        let last = queue.add(.to("/last", transport))
        queue.start()
        await queue.waitUntilFinished()
        #expect(last.state == .loaded)
        #expect(transport.started.count == (isWrong ? 1 : 20_001))
    }

    @Test func `Requests of 32 concurrent tasks start in the order of each task`() async {
        let transport = HeldTransport(answersAtOnce: true)
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        await withTaskGroup { group in
            for adder in 0..<32 {
                group.addTask {
                    for index in 0..<50 {
                        let request = RESTRequest.to("/\(adder)/\(index)", transport)
                        if index % 2 == 0 { queue.add(request) } else { queue.add(request) { _ in } }
                    }
                }
            }
            group.addTask { queue.start() }
        }
        await queue.waitUntilFinished()
        let started = transport.started
        #expect(started.count == 1600)
        for adder in 0..<32 {
            #expect(started.filter { $0.hasPrefix("/\(adder)/") } == (0..<50).map { "/\(adder)/\($0)" })
        }
        #expect(transport.peak == 1)
    }
}
