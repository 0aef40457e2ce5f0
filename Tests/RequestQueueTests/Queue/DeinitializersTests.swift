import Foundation
import Synchronization
import Testing

@testable import RequestQueue

/// What a deinitializer does may need any lock of the queue: none of them is held when it runs.
@Suite("Deinitializers of user objects", .timeLimit(.minutes(2)))
struct DeinitializersTests {
    /// Runs a function when it goes.
    private final class Fuse: RequestQueueDelegate, RequestDelegate {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        deinit { body() }
    }

    /// Whether a function returns, and does not wait for itself.
    private func returns(_ body: @escaping @Sendable () -> Void) -> Bool {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            done.signal()
        }
        return done.wait(timeout: .now() + 30) == .success
    }

    @Test func `The deinitializer of a delegate can cancel a request while events are sent`() {
        let queue = RequestQueue(
            concurrentRequestsLimit: 1, suspensionReasons: [.user], name: nil, lifecycle: ApplicationLifecycle())
        let isOver = Atomic(false)
        #expect(
            returns {
                let posting = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    while !isOver.load(ordering: .relaxed) {
                        queue.add(.to("/a", HeldTransport())) { _ in }.cancel()
                    }
                    posting.signal()
                }
                let other = queue.add(.to("/b", HeldTransport())) { _ in }
                for _ in 0..<3000 { queue.delegate = Fuse { other.cancel() } }
                isOver.store(true, ordering: .relaxed)
                posting.wait()
            })
    }

    @Test func `The exchange of a stream's earlier attempt is released outside of the lock`() {
        let queue = RequestQueue(lifecycle: ApplicationLifecycle())
        let request = QueuedRequest(.to("/a", HeldTransport()), owner: nil, queue: queue, sink: StreamSink())
        var driver = QueueDriver(state: QueueState(limit: 1, suspensionReasons: []), activity: NetworkActivity())
        var made: [Exchange] = []
        func takeDeferredWork() -> QueueDriver.DeferredWork {
            driver.takeDeferredWork(postingTo: EventDispatcher()) { request, _, _ in
                let exchange = Exchange(request.request) { _ in }
                made.append(exchange)
                return exchange
            }
        }
        driver.state.add(request, priority: .normal)
        #expect(takeDeferredWork().exchanges.isEmpty)
        driver.state.putBack(request.id, attempt: 1)
        let ends = takeDeferredWork()
        #expect(made.count == 2 && ends.exchanges.contains { $0 === made[0] })
    }

    @Test func `The deinitializer of an unread event's object can cancel a request`() {
        let queue = RequestQueue(
            concurrentRequestsLimit: 1, suspensionReasons: [.user], name: nil, lifecycle: ApplicationLifecycle())
        let isOver = Atomic(false)
        #expect(
            returns {
                let posting = DispatchSemaphore(value: 0)
                let other = queue.add(.to("/b", HeldTransport())) { _ in }
                Thread.detachNewThread {
                    while !isOver.load(ordering: .relaxed) {
                        var request = RESTRequest.to("/a", HeldTransport())
                        request.userData = Fuse { other.cancel() }
                        queue.add(request) { _ in }.cancel()
                    }
                    posting.signal()
                }
                for _ in 0..<3000 { withExtendedLifetime(queue.events) {} }
                isOver.store(true, ordering: .relaxed)
                posting.wait()
            })
    }
}
