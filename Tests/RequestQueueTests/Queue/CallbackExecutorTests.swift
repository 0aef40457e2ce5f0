import Dispatch
import RequestQueue
import Synchronization
import Testing

@Suite("Executors of completions and delegates", .timeLimit(.minutes(2)))
struct CallbackExecutorTests {
    /// As many as no pool of this machine has threads for.
    private static let count = 24

    /// A barrier that releases all callers when a number of them have arrived.
    private final class Barrier: Sendable {
        private let arrived = Atomic(0)
        private let gate = DispatchSemaphore(value: 0)

        /// Whether all came.
        func arrive() -> Bool {
            if arrived.add(1, ordering: .sequentiallyConsistent).newValue == count {
                for _ in 1..<count { gate.signal() }
                return true
            }
            return gate.wait(timeout: .now() + 20) == .success
        }
    }

    private final class Notified: RequestDelegate, RequestQueueDelegate {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        func request(_ request: RESTRequest, didLoad response: RESTResponse) { body() }

        func requestQueue(_ queue: RequestQueue, didLoad response: RESTResponse, of request: QueuedRequest) { body() }
    }

    @Test(arguments: [true, false], [true, false])
    func `Completions of many requests can wait for each other and for tasks`(isQueued: Bool, hasDelegate: Bool) async {
        let barrier = Barrier()
        let transport = HeldTransport(answersAtOnce: true)
        let queue = RequestQueue(
            concurrentRequestsLimit: 5, suspensionReasons: [], name: nil, lifecycle: ApplicationLifecycle())
        let delegate = Notified {}
        if hasDelegate { queue.delegate = delegate }
        let (results, result) = AsyncStream<Bool>.makeStream()
        for index in 0..<Self.count {
            let completion: @Sendable (Result<RESTResponse, RequestError>) -> Void = { _ in
                let task = DispatchSemaphore(value: 0)
                Task { task.signal() }
                let hasRun = task.wait(timeout: .now() + 20) == .success
                result.yield(barrier.arrive() && hasRun)
            }
            let request = RESTRequest.to("/\(index)", transport)
            if isQueued { queue.add(request, completion: completion) } else { request.send(completion: completion) }
        }
        var count = 0
        for await isFine in results.prefix(Self.count) where isFine { count += 1 }
        #expect(count == Self.count)
        withExtendedLifetime(delegate) {}
    }

    @Test func `Callbacks are called on the chosen dispatch queue`() async throws {
        let key = DispatchSpecificKey<String>()
        let named = ["requests", "queue"].map { name in
            let queue = DispatchQueue(label: name)
            queue.setSpecific(key: key, value: name)
            return queue
        }
        let (places, place) = AsyncStream<String>.makeStream()
        let note: @Sendable (String) -> Void = { what in
            place.yield("\(what) \(DispatchQueue.getSpecific(key: key) ?? "elsewhere")")
        }
        let queue = RequestQueue(
            concurrentRequestsLimit: 5, suspensionReasons: [], name: nil, lifecycle: ApplicationLifecycle())
        let queueDelegate = Notified { note("queue's delegate") }
        let delegate = Notified { note("delegate") }
        queue.delegate = queueDelegate
        queue.callbackExecutor = .queue(named[1])
        let client = RESTClient(
            baseURL: try #require(URL(string: "http://stub")), transport: HeldTransport(answersAtOnce: true))
        client.callbackExecutor = .queue(named[0])
        var request = client.request(.get, "/a")
        request.delegate = delegate
        queue.add(request) { _ in note("completion") }
        var iterator = places.makeAsyncIterator()
        var seen: [String] = []
        for _ in 0..<3 { seen.append(await iterator.next() ?? "") }
        #expect(seen == ["queue's delegate queue", "delegate requests", "completion requests"])
        client.request(.get, "/b").send { _ in }
        client.get("/c") { _ in note("completion") }
        #expect(await iterator.next() == "completion requests")
        withExtendedLifetime((delegate, queueDelegate)) {}
    }
}
