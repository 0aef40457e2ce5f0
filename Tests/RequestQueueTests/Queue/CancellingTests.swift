import RequestQueue
import Testing

@Suite(.timeLimit(.minutes(5))) struct CancellingTests {
    private final class Screen: Hashable, Sendable {
        static func == (one: Screen, other: Screen) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    let transport = HeldTransport()

    /// A queue of limit 1 in which the first request is loading and the others wait.
    private func queue(_ requests: [RESTRequest]) async -> (RequestQueue, [QueuedRequest]) {
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        var queued: [QueuedRequest] = []
        for request in requests { queued.append(queue.add(request)) }
        queue.start()
        return (queue, queued)
    }

    @Test func `A cancelled request has its outcome immediately, and the next one starts`() async {
        let (queue, requests) = await queue(["/a", "/b", "/c"].map { .to($0, transport) })
        queue.cancel(requests[1])
        #expect(requests[1].state == .cancelled)
        queue.cancel(requests[0])
        #expect(requests[0].state == .cancelled)
        #expect(transport.started == ["/a", "/c"] && transport.running == ["/c"])
        for request in requests[..<2] {
            do {
                _ = try await request.response
                Issue.record("a cancelled request has a response")
            } catch {
                #expect(error.kind == .cancelled && error.url == request.request.url)
            }
        }
        transport.answer("/c")
        _ = try? await requests[2].response
        queue.cancel(requests[2])
        requests[2].cancel()
        #expect(queue.count == 0)
        #expect(requests[2].state == .loaded)
    }

    @Test func `The error of a cancelled request contains its phase and progress`() async {
        let (queue, requests) = await queue([.to("/a", transport), .to("/b", transport)])
        transport.receive("/a", "half")
        queue.cancelAllRequests()
        var texts: [String] = []
        for request in requests {
            do { _ = try await request.response } catch {
                texts.append("\(error.phase) \(error.bytesReceived) \(error.cause)")
            }
        }
        #expect(
            texts == [
                "receiving 4 the request was cancelled while it was loading",
                "preparing 0 the request was cancelled while it waited in its queue",
            ])
    }

    @Test func `Cancelling a request of another queue has no effect`() async {
        let (queue, _) = await queue([.to("/a", transport)])
        let (_, others) = await self.queue([.to("/b", transport)])
        queue.cancel(others[0])
        #expect(others[0].state == .loading)
        others[0].cancel()
    }

    @Test func `The request of a cancelled task is not sent`() async {
        let transport = HeldTransport(answersAtOnce: true)
        let queue = RequestQueue()
        queue.start()
        let (sent, stream) = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let sent = await #expect(throws: RequestError.self) { try await queue.send(.to("/a", transport)) }
            let stream = await #expect(throws: RequestError.self) { try await queue.stream(.to("/b", transport)) }
            return (sent, stream)
        }.value
        #expect(sent?.kind == .cancelled && stream?.kind == .cancelled)
        #expect(transport.started.isEmpty)
    }

    @Test func `Owners cancel their requests`() async {
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        let screen = Screen()
        let other = Screen()
        let mine = queue.add(.to("/screen", transport), owner: screen)
        let theirs = queue.add(.to("/other", transport), owner: other)
        let text = queue.add(.to("/text", transport), owner: "text")
        let number = queue.add(.to("/number", transport), owner: 7, priority: .low)
        let nobody = queue.add(.to("/nobody", transport))
        queue.start()
        queue.cancelRequests(ownedBy: screen)
        #expect(mine.state == .cancelled && theirs.state == .loading)
        queue.cancelRequests(ownedBy: 8)
        queue.cancelRequests(ownedBy: "7")
        queue.cancelRequests(ownedBy: Screen())
        #expect(queue.count == 4)
        queue.cancelRequests(ownedBy: 7)
        queue.cancelRequests(ownedBy: "te" + "xt")
        #expect(number.state == .cancelled && text.state == .cancelled)
        queue.cancelRequests(ownedBy: other)
        #expect(theirs.state == .cancelled && nobody.state == .loading)
        queue.cancelAllRequests()
    }

    @Test func `A queue does not retain owners`() async {
        let queue = RequestQueue()
        weak var weakScreen: Screen?
        do {
            let screen = Screen()
            weakScreen = screen
            queue.add(.to("/a", transport), owner: screen)
        }
        #expect(weakScreen == nil)
        for _ in 0..<100 { queue.cancelRequests(ownedBy: Screen()) }
        #expect(queue.count == 1)
    }

    @Test func `Tags and paths select, with a method or without`() async {
        let queue = RequestQueue()
        let requests: [(HTTPMethod, String, String?)] = [
            (.get, "/v1/tasks/1", nil), (.delete, "/v1/tasks/2", "tidy"), (.get, "/v1/tasks", nil),
            (.get, "/v1/tasks/3/comments", "list"), (.get, "/v2/tasks/4?all=1", nil), (.get, "/", "tidy"),
        ]
        for (method, path, tag) in requests { queue.add(.to(path, transport, method, tag: tag)) }
        queue.cancelRequests(path: "/tasks/:id")
        #expect(queue.count == 6)
        queue.cancelRequests(.delete, path: "/v1/tasks/:id")
        #expect(queue.count == 5)
        // The query of a pattern is ignored, too.
        queue.cancelRequests(path: "tasks/:id?page=2")
        #expect(queue.count == 3)
        queue.cancelRequests(tagged: "none")
        queue.cancelRequests(tagged: "tidy")
        #expect(queue.count == 2)
        queue.cancelRequests(.post, path: "/v1/tasks")
        queue.cancelRequests(.get, path: "/v1/tasks")
        #expect(queue.count == 1)
        queue.cancelRequests(tagged: "list")
        #expect(queue.count == 0)
    }
}
