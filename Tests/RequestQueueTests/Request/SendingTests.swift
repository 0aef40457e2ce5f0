import Dispatch
import MappingTestSupport
import RequestQueue
import Synchronization
import TestSupport
import Testing

@Suite("Sending a request")
struct SendingTests {
    private let stub = StubTransport()

    private func request(_ method: HTTPMethod = .get, _ path: String = "/a") -> RESTRequest {
        RESTRequest(method, url: URL(string: "http://h\(path)"), transport: stub)
    }

    /// Records its calls, one per line.
    private final class Delegate: RequestDelegate {
        let told = Collected<String>()

        func requestWillSend(_ request: RESTRequest) { told.add("willSend") }
        func requestDidSend(_ request: RESTRequest) { told.add("didSend") }
        func request(_ request: RESTRequest, didProgress progress: RequestProgress) { told.add("progress") }
        func request(_ request: RESTRequest, didLoad response: RESTResponse) { told.add("didLoad \(response.status)") }
        func request(_ request: RESTRequest, didFail error: RequestError) { told.add("didFail \(error.kind)") }
        func requestDidCancel(_ request: RESTRequest) { told.add("didCancel") }
        func request(_ request: RESTRequest, didTimeOut error: RequestError) { told.add("didTimeOut \(error.kind)") }

        var withoutProgress: [String] { told.all.filter { $0 != "progress" } }
    }

    @Test(
        arguments: [
            (nil, ["willSend", "didSend", "didLoad 404"]),
            (.connectionRefused, ["willSend", "didFail connectionRefused"]),
            (.idleTimedOut, ["willSend", "didTimeOut idleTimedOut"]),
            (.connectTimedOut, ["willSend", "didTimeOut connectTimedOut"]), (.cancelled, ["willSend", "didCancel"]),
        ] as [(RequestError.Kind?, [String])])
    func `A delegate receives all events before the call returns, with one end`(
        _ failure: RequestError.Kind?, _ story: [String]
    ) async throws {
        if let failure {
            stub.on(.get, "/a", failure: TransportFailure(failure, "so"))
        } else {
            stub.on(.get, "/a", StubResponse(status: 404, text: "none"))
        }
        let delegate = Delegate()
        var request = request()
        request.delegate = delegate
        do {
            #expect(try await request.send().status == 404)
        } catch {
            #expect(error.kind == failure)
        }
        #expect(delegate.withoutProgress == story)
    }

    @Test func `The delegate receives the caller's data, which is not sent to the server`() async throws {
        final class Reader: RequestDelegate {
            let told = Collected<String>()
            func request(_ request: RESTRequest, didLoad response: RESTResponse) {
                if let name = request.userData as? String { told.add(name) }
            }
        }
        stub.on(.post, "/a", StubResponse())
        let reader = Reader()
        var request = request(.post)
        request.userData = "row 7"
        request.delegate = reader
        _ = try await request.send()
        #expect(reader.told.all == ["row 7"])
        #expect(stub.requests.allSatisfy { !$0.headers.description.contains("row 7") && $0.body.isEmpty })
    }

    @Test func `Delegate, progress and outcome are called in order, for each way to send`() async throws {
        stub.on(.post, "/a") { _ in StubResponse(text: "0123456789").inChunks(of: 3) }
        let delegate = Delegate()
        var request = request(.post)
        request.setBody(.data(Data(count: 100_000)))
        request.delegate = delegate
        let told = Collected<RequestProgress>()
        _ = try await request.onProgress { told.add($0) }.send()
        #expect(told.all.last?.bytesSent == 100_000 && told.all.last?.bytesReceived == 10)
        #expect(told.all.map(\.bytesSent) == told.all.map(\.bytesSent).sorted())
        #expect(delegate.told.all.first == "willSend" && delegate.told.all.last == "didLoad 200")

        let outcome = await withCheckedContinuation { continuation in
            request.send { continuation.resume(returning: $0) }
        }
        #expect(try outcome.get().text == "0123456789")
        #expect(
            delegate.withoutProgress == ["willSend", "didSend", "didLoad 200", "willSend", "didSend", "didLoad 200"])
    }

    @Test func `A synchronous call reports all events on its thread, in order`() async throws {
        stub.on(.post, "/a") { StubResponse(status: 201, body: $0.body) }
        stub.on(.get, "/a", failure: TransportFailure(.hostNotFound, "no such host"))
        let (get, post) = (request(), request(.post))
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            DispatchQueue(label: "caller").async {
                continuation.resume(
                    with: Result {
                        let delegate = Delegate()
                        var post = post
                        post.setBody(.data(Data("abc".utf8)))
                        post.delegate = delegate
                        let fractions = Collected<Double>()
                        let response = try post.onProgress { fractions.add($0.fractionCompleted) }.sendSynchronously()
                        #expect(response.status == 201 && response.text == "abc" && fractions.all.last == 1)
                        #expect(delegate.withoutProgress == ["willSend", "didSend", "didLoad 201"])
                        let error = #expect(throws: RequestError.self) { try get.sendSynchronously() }
                        #expect(error?.kind == .hostNotFound)
                    })
            }
        }
    }

    @Test(arguments: [false, true])
    func `Cancelling the task ends the request, and nothing is reported afterwards`(_ isObserved: Bool) async throws {
        let gate = StubGate()
        stub.on(.get, "/a") { _ in StubResponse(text: "late").held(by: gate) }
        let delegate = Delegate()
        var request = request()
        if isObserved { request.delegate = delegate }
        let task = Task { [request] in try await request.send() }
        await gate.arrivals(1)
        task.cancel()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        gate.open()
        #expect(delegate.withoutProgress == (isObserved ? ["willSend", "didSend", "didCancel"] : []))
    }

    @Test func `A task that is already cancelled sends nothing`() async throws {
        stub.on(.get, "/a", StubResponse(text: "a"))
        let request = request()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await request.send()
        }
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        #expect(stub.requests.isEmpty)
    }

    @Test func `A handle cancels once, and its closure is called once`() async throws {
        let gate = StubGate()
        stub.on(.get, "/a") { _ in StubResponse(text: "late").held(by: gate) }
        let outcomes = Collected<RequestError.Kind?>()
        let request = request()
        await withCheckedContinuation { continuation in
            let handle = request.send { result in
                if case .failure(let error) = result { outcomes.add(error.kind) } else { outcomes.add(nil) }
                continuation.resume()
            }
            handle.cancel()
            handle.cancel()
            gate.open()
        }
        #expect(outcomes.all == [.cancelled])
    }

    @Test func `A request whose handle is released continues`() async throws {
        stub.on(.get, "/a", StubResponse(text: "a"))
        let request = request()
        let outcome = await withCheckedContinuation { continuation in
            _ = request.send { continuation.resume(returning: $0) }
        }
        #expect(try outcome.get().isOK)
    }

    @Test(arguments: [HTTPMethod.get, .head])
    func `A method without a body refuses one`(_ method: HTTPMethod) async throws {
        var request = request(method)
        request.setBody(.data(Data("a".utf8)))
        let made = request
        let error = await #expect(throws: RequestError.self) { try await made.send() }
        #expect(error?.kind == .invalidBody)
        #expect(stub.requests.isEmpty)
    }

    @Test func `An error of a body is reported when the request is sent`() async throws {
        var request = request(.post)
        request.setBody(FormValue.list([.text("a")]))
        let made = request
        let error = await #expect(throws: RequestError.self) { try await made.send() }
        #expect(error?.kind == .invalidBody && error?.method == .post && error?.url == made.url)
    }

    @Test func `A retained handle does not retain the request`() async throws {
        final class Token: Sendable {}
        weak var token: Token?
        let (ends, end) = AsyncStream<Void>.makeStream()
        let handle: RequestHandle
        do {
            let kept = Token()
            token = kept
            var request = RESTRequest.to("/a", HeldTransport(answersAtOnce: true))
            request.userData = kept
            handle = request.send { _ in end.finish() }
        }
        for await _ in ends {}
        #expect(await eventually { token == nil })
        handle.cancel()
    }
}
