import MappingTestSupport
import RequestQueue
import TestSupport
import Testing

@Suite("Queued requests that a task awaits", .timeLimit(.minutes(5)))
struct QueueSendingTests {
    let transport = HeldTransport()
    let stub = StubTransport()

    private func request(_ path: String) -> RESTRequest {
        RESTRequest(url: URL(string: "http://stub\(path)"), transport: stub)
    }

    @Test func `Synchronous calls add, start, count and cancel in order`() {
        final class Screen {}
        func press(_ queue: RequestQueue, _ screen: Screen) {
            queue.add(.to("/a", transport), owner: screen)
            queue.add(.to("/b", transport), owner: "b")
            queue.start()
            #expect(queue.count == 2 && queue.loadingCount == 1)
            queue.suspend()
            queue.cancelRequests(ownedBy: screen)
            #expect(queue.count == 1 && queue.isSuspended)
            queue.concurrentRequestsLimit = 3
            queue.start()
        }
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        press(queue, Screen())
        #expect(transport.started == ["/a", "/b"] && queue.concurrentRequestsLimit == 3)
        queue.cancelAllRequests()
        #expect(queue.count == 0)
    }

    @Test func `Cancelling the task cancels its request`() async throws {
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        queue.start()
        let task = Task { try await queue.send(.to("/a", transport), owner: 7) }
        #expect(await eventually { !transport.started.isEmpty })
        task.cancel()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        #expect(queue.count == 0 && transport.running.isEmpty)
    }

    @Test func `A queued request has a response, progress and result`() async throws {
        stub.on(.get, "/a", StubResponse(text: "hello"))
        let told = Collected<Int64>()
        let request = request("/a").onProgress { told.add($0.bytesReceived) }
        let queue = RequestQueue()
        queue.start()
        #expect(try await queue.send(request).text == "hello")
        // The handler is called on another thread than the task is resumed on.
        #expect(await eventually { told.all.last == 5 })
        let queued = queue.add(self.request("/nowhere"))
        let result = await queued.result
        #expect((try? result.get().status) == (try? await queued.response.status))
    }

    @Test func `A queued request downloads to its destination`() async throws {
        stub.on(.get, "/film", StubResponse(text: "film"))
        let folder = try TemporaryDirectory()
        var request = request("/film")
        request.destination = folder.file("film")
        let queue = RequestQueue()
        queue.start()
        let response = try await queue.add(request, owner: "screen").response
        #expect(response.isOK && response.body.isEmpty)
        #expect(try folder.data(of: "film") == Data("film".utf8))
    }

    @Test func `A streamed request occupies its slot until its body has been read`() async throws {
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        queue.start()
        let task = Task { try await queue.stream(.to("/a", transport)) }
        #expect(await eventually { !transport.started.isEmpty })
        let next = queue.add(.to("/b", transport))
        transport.receive("/a", "one")
        let stream = try await task.value
        #expect(stream.status == 200 && transport.started == ["/a"])
        transport.answer("/a")
        var text = Data()
        for try await piece in stream.body { text += piece }
        #expect(text.starts(with: Data("one".utf8)))
        #expect(transport.started == ["/a", "/b"])
        transport.answer("/b")
        #expect(try await next.response.isOK)
    }

    @Test func `A released streamed response frees its slot`() async throws {
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        queue.start()
        let task = Task { try await queue.stream(.to("/a", transport), owner: "screen").status }
        #expect(await eventually { !transport.started.isEmpty })
        transport.receive("/a", "one")
        #expect(try await task.value == 200)
        await queue.waitUntilFinished()
        #expect(queue.count == 0 && transport.running.isEmpty)
    }

    @Test func `A streamed request cancelled while it waits throws instead of returning a head`() async throws {
        let queue = RequestQueue()
        let task = Task { try await queue.stream(.to("/a", transport), owner: "screen").status }
        #expect(await eventually { queue.count != 0 })
        queue.cancelRequests(ownedBy: "screen")
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.kind == .cancelled && transport.started.isEmpty)
    }
}
