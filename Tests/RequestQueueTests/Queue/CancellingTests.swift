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
        for request in requests { queued.append(await queue.add(request)) }
        await queue.start()
        return (queue, queued)
    }

    @Test func `A cancelled request has its outcome at once, and the next one goes`() async {
        let (queue, requests) = await queue(["/a", "/b", "/c"].map { .to($0, transport) })
        await queue.cancel(requests[1])
        #expect(requests[1].state == .cancelled)
        await queue.cancel(requests[0])
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
        await queue.cancel(requests[2])
        requests[2].cancel()
        #expect(await queue.count == 0)
        #expect(requests[2].state == .loaded)
    }

    @Test func `The error of a cancelled request tells how far it was`() async {
        let (queue, requests) = await queue([.to("/a", transport), .to("/b", transport)])
        transport.receive("/a", "half")
        await queue.cancelAllRequests()
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

    @Test func `A request of another queue is not touched`() async {
        let (queue, _) = await queue([.to("/a", transport)])
        let (_, others) = await self.queue([.to("/b", transport)])
        await queue.cancel(others[0])
        #expect(others[0].state == .loading)
        others[0].cancel()
    }

    @Test func `Owners cancel what is theirs`() async {
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        let screen = Screen()
        let other = Screen()
        let mine = await queue.add(.to("/screen", transport), owner: screen)
        let theirs = await queue.add(.to("/other", transport), owner: other)
        let text = await queue.add(.to("/text", transport), owner: "text")
        let number = await queue.add(.to("/number", transport), owner: 7, priority: .low)
        let nobody = await queue.add(.to("/nobody", transport))
        await queue.start()
        await queue.cancelRequests(ownedBy: screen)
        #expect(mine.state == .cancelled && theirs.state == .loading)
        await queue.cancelRequests(ownedBy: 8)
        await queue.cancelRequests(ownedBy: "7")
        await queue.cancelRequests(ownedBy: Screen())
        #expect(await queue.count == 4)
        await queue.cancelRequests(ownedBy: 7)
        await queue.cancelRequests(ownedBy: "te" + "xt")
        #expect(number.state == .cancelled && text.state == .cancelled)
        await queue.cancelRequests(ownedBy: other)
        #expect(theirs.state == .cancelled && nobody.state == .loading)
        await queue.cancelAllRequests()
    }

    @Test func `A queue does not keep owners`() async {
        let queue = RequestQueue()
        weak var weakScreen: Screen?
        do {
            let screen = Screen()
            weakScreen = screen
            await queue.add(.to("/a", transport), owner: screen)
        }
        #expect(weakScreen == nil)
        for _ in 0..<100 { await queue.cancelRequests(ownedBy: Screen()) }
        #expect(await queue.count == 1)
    }

    @Test func `Tags and paths select, with a method or without`() async {
        let queue = RequestQueue()
        let requests: [(HTTPMethod, String, String?)] = [
            (.get, "/v1/tasks/1", nil), (.delete, "/v1/tasks/2", "tidy"), (.get, "/v1/tasks", nil),
            (.get, "/v1/tasks/3/comments", "list"), (.get, "/v2/tasks/4?all=1", nil), (.get, "/", "tidy"),
        ]
        for (method, path, tag) in requests { await queue.add(.to(path, transport, method, tag: tag)) }
        await queue.cancelRequests(path: "/tasks/:id")
        #expect(await queue.count == 6)
        await queue.cancelRequests(.delete, path: "/v1/tasks/:id")
        #expect(await queue.count == 5)
        await queue.cancelRequests(path: "tasks/:id")
        #expect(await queue.count == 3)
        await queue.cancelRequests(tagged: "none")
        await queue.cancelRequests(tagged: "tidy")
        #expect(await queue.count == 2)
        await queue.cancelRequests(.post, path: "/v1/tasks")
        await queue.cancelRequests(.get, path: "/v1/tasks")
        #expect(await queue.count == 1)
        await queue.cancelRequests(tagged: "list")
        #expect(await queue.count == 0)
    }
}
