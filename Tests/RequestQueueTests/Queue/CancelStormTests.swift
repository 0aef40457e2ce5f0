import RequestQueue
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CancelStormTests {
    /// The number of outcomes of each request, by path.
    private final class Outcomes: RequestDelegate {
        private let counts = Mutex<[String: [String]]>([:])

        var all: [String: [String]] { counts.withLock { $0 } }

        func note(_ word: String, _ request: RESTRequest) {
            counts.withLock { $0[request.url?.path ?? "", default: []].append(word) }
        }

        func request(_ request: RESTRequest, didLoad response: RESTResponse) { note("didLoad", request) }
        func request(_ request: RESTRequest, didFail error: RequestError) { note("didFail", request) }
        func requestDidCancel(_ request: RESTRequest) { note("didCancel", request) }
        func request(_ request: RESTRequest, didTimeOut error: RequestError) { note("didTimeOut", request) }
    }

    @Test(arguments: 0..<4)
    func `Each of 2,000 concurrently cancelled and answered requests has one outcome for all receivers`(seed: Int)
        async
    {
        let count = 2000
        let transport = HeldTransport()
        let delegate = Outcomes()
        let completions = Outcomes()
        let (ends, end) = AsyncStream<Void>.makeStream()
        let events: RequestQueue.Events
        var queued: [QueuedRequest] = []
        weak var gone: RequestQueue?
        do {
            let queue = RequestQueue(concurrentRequestsLimit: 7)
            gone = queue
            events = queue.events
            for index in 0..<count {
                let tag = index % 10 == 0 ? "tenth" : nil
                let request = RESTRequest.to("/\(index % 50)/\(index)", transport, tag: tag, delegate: delegate)
                let priority = RequestQueue.Priority(rawValue: index % 3) ?? .normal
                queued.append(
                    queue.add(request, owner: index % 100, priority: priority) { outcome in
                        completions.note(Self.word(outcome), request)
                        end.yield()
                    })
            }
            await withTaskGroup { [queued] group in
                group.addTask { queue.start() }
                for worker in 0..<4 {
                    group.addTask { await Self.answer(transport, queue, SeededGenerator(seed: seed * 10 + worker)) }
                }
                for worker in 4..<7 {
                    group.addTask { await Self.cancel(queued, queue, SeededGenerator(seed: seed * 10 + worker)) }
                }
            }
            #expect(queue.count == 0)
            #expect(transport.peak <= 7)
            #expect(Set(transport.started).count == transport.started.count)
        }
        var ended = 0
        for await _ in ends {
            ended += 1
            if ended == count { break }
        }
        var told: [String: [String]] = [:]
        for await event in events where event.outcome != nil {
            // The receiver of the outcome finds the request in its final state.
            #expect(event.request?.state != .waiting && event.request?.state != .loading)
            told[event.request?.request.url?.path ?? "", default: []].append(
                String(event.description.prefix { $0 != " " }))
        }
        #expect(told.count == count && told.values.allSatisfy { $0.count == 1 })
        #expect(delegate.all == told)
        #expect(completions.all == told)
        for request in queued {
            let word = Self.word(await Self.outcome(of: request))
            #expect([word] == told[request.request.url?.path ?? ""])
        }
        let words = Set(told.values.joined())
        #expect(words.isSuperset(of: ["didLoad", "didCancel"]))
        #expect(await eventually { gone == nil })
    }

    /// Answers what runs, well or badly, until nothing is left.
    private static func answer(_ transport: HeldTransport, _ queue: RequestQueue, _ seeded: SeededGenerator) async {
        var random = seeded
        while queue.count > 0 {
            // An actor that is free is entered without a pause: without this no other task would have its turn.
            await Task.yield()
            guard let path = transport.running.randomElement(using: &random) else { continue }
            switch Int.random(in: 0..<10, using: &random) {
            case 0: transport.fail(path)
            case 1: transport.fail(path, .timedOut)
            case 2: transport.receive(path, "some")
            default: transport.answer(path)
            }
        }
    }

    /// Cancels in all ways, now and then.
    private static func cancel(_ queued: [QueuedRequest], _ queue: RequestQueue, _ seeded: SeededGenerator) async {
        var random = seeded
        while queue.count > 0 {
            await Task.yield()
            let number = Int.random(in: 0..<10_000, using: &random)
            switch number % 100 {
            case 0: queue.cancelRequests(ownedBy: number / 100)
            case 1: queue.cancelRequests(.get, path: "/\(number / 200)/:index")
            case 2 where number / 100 == 0: queue.cancelRequests(tagged: "tenth")
            case 3..<20: queue.cancel(queued[number % queued.count])
            case 20..<40: queued[number % queued.count].cancel()
            case 40: queue.suspend(for: .background)
            case 41..<50: queue.resume(for: .background)
            case 50: queue.concurrentRequestsLimit = number / 100 % 7 + 1
            default: break
            }
        }
    }

    private static func outcome(of request: QueuedRequest) async -> Result<RESTResponse, RequestError> {
        do throws(RequestError) { return .success(try await request.response) } catch { return .failure(error) }
    }

    private static func word(_ outcome: Result<RESTResponse, RequestError>) -> String {
        switch outcome {
        case .success: "didLoad"
        case .failure(let error): error.kind == .cancelled ? "didCancel" : error.isTimeout ? "didTimeOut" : "didFail"
        }
    }
}
