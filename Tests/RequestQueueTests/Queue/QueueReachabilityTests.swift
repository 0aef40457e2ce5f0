import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

/// Queues with an observer that the test controls, over a transport that the test answers.
@Suite(.timeLimit(.minutes(5))) struct QueueReachabilityTests {
    let transport = HeldTransport()
    let lifecycle = ApplicationLifecycle()
    static let reachable = ReachabilityState.reachable(via: NetworkInterface(.wired, name: "v0"))
    static let unreachable = ReachabilityState.notReachable(.noCarrier(interface: "v0"))

    private func queue(
        _ observer: ReachabilityObserver, _ policy: RequestQueue.OfflinePolicy, limit: Int = 5,
        undeterminedLimit: Duration = .seconds(60)
    ) async -> RequestQueue {
        let queue = RequestQueue(concurrentRequestsLimit: limit, lifecycle: lifecycle)
        queue.observeReachability(observer, whenOffline: policy, undeterminedLimit: undeterminedLimit)
        queue.start()
        return queue
    }

    @Test func `Requests wait while the network is undetermined, and start when it is available`() async throws {
        let observer = ReachabilityObserver(initially: .indeterminate)
        let queue = await queue(observer, .fail)
        let queued = queue.add(.to("/a", transport))
        #expect(queue.suspensionReasons == [.reachability])
        #expect(transport.started.isEmpty)
        observer.report(Self.reachable)
        #expect(transport.running == ["/a"])
        transport.answer("/a")
        #expect(try await queued.response.status == 200)
    }

    @Test func `Requests start after the limit of an undetermined network`() async {
        let queue = await queue(
            ReachabilityObserver(initially: .indeterminate), .fail, undeterminedLimit: .milliseconds(20))
        queue.add(.to("/a", transport))
        #expect(await eventually { !transport.running.isEmpty })
        #expect(queue.suspensionReasons.isEmpty)
        transport.answer("/a")
        await queue.waitUntilFinished()
    }

    @Test func `A new observer restarts the limit for an undetermined network`() async {
        let queue = await queue(ReachabilityObserver(initially: .indeterminate), .fail)
        queue.observeReachability(
            ReachabilityObserver(initially: .indeterminate), undeterminedLimit: .milliseconds(20))
        queue.add(.to("/a", transport))
        #expect(await eventually { !transport.running.isEmpty })
        transport.answer("/a")
        await queue.waitUntilFinished()
    }

    @Test func `Without a network requests fail immediately, and nothing is sent`() async {
        let queue = await queue(ReachabilityObserver(initially: Self.unreachable), .fail)
        let queued = queue.add(.to("/a", transport))
        let error = await #expect(throws: RequestError.self) { try await queued.response }
        #expect(error?.description == "GET http://stub/a: offline: v0 has no carrier")
        #expect(error?.kind == .offline && error?.phase == .preparing)
        #expect(transport.started.isEmpty)
    }

    @Test func `A request without a queue fails without a network, and is sent while it is undetermined`() async throws
    {
        let observer = ReachabilityObserver(initially: Self.unreachable)
        var request = RESTRequest.to("/a", HeldTransport(answersAtOnce: true))
        request.reachabilityObserver = observer
        let refused = request
        let error = await #expect(throws: RequestError.self) { try await refused.send() }
        #expect(error?.kind == .offline)
        observer.report(.indeterminate)
        #expect(try await request.send().status == 200)
    }

    @Test func `Without a network requests wait, and are sent when it is available`() async {
        let observer = ReachabilityObserver(initially: Self.unreachable)
        let queue = await queue(observer, .wait, limit: 1)
        for path in ["/a", "/b"] { queue.add(.to(path, transport)) }
        #expect(queue.suspensionReasons == [.reachability])
        observer.report(Self.reachable)
        transport.answer("/a")
        observer.report(Self.unreachable)
        transport.answer("/b")
        #expect(transport.started == ["/a", "/b"])
        await queue.waitUntilFinished()
        #expect(queue.suspensionReasons == [.reachability])
        queue.observeReachability(nil)
        #expect(queue.suspensionReasons.isEmpty)
    }

    @Test(arguments: [true, false])
    func `A failed connection requeues the request, before or after the loss of the network is reported`(
        isToldBefore: Bool
    ) async throws {
        let observer = ReachabilityObserver(initially: Self.reachable)
        let queue = await queue(observer, .wait, limit: 1)
        let first = queue.add(.to("/a", transport))
        queue.add(.to("/b", transport))
        if isToldBefore { observer.report(Self.unreachable) }
        transport.fail("/a", .connectionFailed)
        if !isToldBefore { observer.report(Self.unreachable) }
        #expect(first.state == .waiting && transport.running.isEmpty)
        observer.report(Self.reachable)
        #expect(transport.running == ["/a"])
        transport.answer("/a")
        #expect(try await first.response.status == 200)
        #expect(transport.running == ["/b"])
        transport.answer("/b")
        await queue.waitUntilFinished()
    }

    @Test func `A failed connection in an available network fails after a moment`() async {
        let queue = await queue(ReachabilityObserver(initially: Self.reachable), .wait)
        let queued = queue.add(.to("/a", transport))
        transport.fail("/a", .connectionFailed)
        let error = await #expect(throws: RequestError.self) { try await queued.response }
        #expect(error?.kind == .connectionFailed)
        #expect(transport.started == ["/a"])
    }

    @Test func `A request in progress fails when the network is lost`() async {
        let observer = ReachabilityObserver(initially: Self.reachable)
        let queue = await queue(observer, .wait)
        let queued = queue.add(.to("/a", transport))
        transport.receive("/a", "some")
        observer.report(Self.unreachable)
        transport.fail("/a", .connectionLost)
        let error = await #expect(throws: RequestError.self) { try await queued.response }
        #expect(error?.kind == .connectionLost)
    }

    @Test func `A request whose token refresh failed without a network is sent when it is available`() async throws {
        let observer = ReachabilityObserver(initially: Self.reachable)
        let queue = await queue(observer, .wait)
        let isThere = Mutex(false)
        var request = RESTRequest.to("/a", transport)
        request.authentication = .bearer(
            BearerToken {
                if isThere.withLock({ $0 }) { return "new" }
                observer.report(Self.unreachable)
                throw RequestError(.connectionFailed, "no route to the issuer")
            })
        let queued = queue.add(request)
        #expect(await eventually { !queue.suspensionReasons.isEmpty && queued.state == .waiting })
        #expect(transport.started.isEmpty)
        isThere.withLock { $0 = true }
        observer.report(Self.reachable)
        #expect(await eventually { !transport.running.isEmpty })
        transport.answer("/a")
        #expect(try await queued.response.status == 200)
    }

    static let failures: [(RequestError.Kind, RequestError.Phase, HTTPMethod, isUnsent: Bool)] = [
        (.offline, .preparing, .post, true),
        (.hostNotFound, .connecting, .post, true),
        (.connectionRefused, .connecting, .post, true),
        (.connectionRefused, .sending, .post, false),
        (.connectionRefused, .waiting, .get, true),
        (.connectionFailed, .connecting, .post, true),
        (.connectionFailed, .waiting, .post, false),
        (.connectionLost, .connecting, .post, true),
        (.connectionLost, .sending, .get, false),
        (.connectTimedOut, .connecting, .get, true),
        (.connectTimedOut, .connecting, .post, false),
        (.connectTimedOut, .preparing, .post, true),
        (.idleTimedOut, .preparing, .post, true),
        (.idleTimedOut, .waiting, .get, false),
        (.timedOut, .preparing, .get, false),
        (.cancelled, .connecting, .get, false),
    ]

    @Test(arguments: failures)
    func `Only a request that was certainly not sent is requeued`(
        kind: RequestError.Kind, phase: RequestError.Phase, method: HTTPMethod, isUnsent: Bool
    ) throws {
        let request = RESTRequest(method, url: URL(string: "http://ann:secret@stub/a"), transport: transport)
        var error = RequestError(kind, "", method: method, url: URL(string: "http://stub/a"), phase: phase)
        #expect(Result.failure(error).isUnsent(request) == isUnsent)
        error.url = URL(string: "http://stub/where-it-was-led")
        #expect(!Result.failure(error).isUnsent(request))
    }

    @Test(arguments: [true, false])
    func `A queue without references resumes after the background and a loss of the network`(isBackground: Bool)
        async throws
    {
        let observer = ReachabilityObserver(initially: Self.reachable)
        var waiting: [QueuedRequest] = []
        weak var gone: RequestQueue?
        do {
            let queue = await queue(observer, .wait, limit: 1)
            gone = queue
            var request = RESTRequest.to("/a", transport)
            request.backgroundPolicy = .requeue
            waiting = [queue.add(request), queue.add(.to("/b", transport))]
            if isBackground { lifecycle.enterBackground() } else { observer.report(Self.unreachable) }
            transport.fail("/a", .connectionFailed)
        }
        #expect(waiting.map(\.state) == [.waiting, .waiting])
        if isBackground { lifecycle.enterForeground() }
        observer.report(Self.reachable)
        transport.answer("/a")
        transport.answer("/b")
        for request in waiting { #expect(try await request.response.status == 200) }
        #expect(await eventually { gone == nil })
        #expect(gone == nil)
    }

    @Test func `A request whose failure is held is requeued in the background`() async throws {
        let observer = ReachabilityObserver(initially: Self.reachable)
        let queue = await queue(observer, .wait)
        var requests: [QueuedRequest] = []
        for policy in [BackgroundPolicy.requeue, .none] {
            var request = RESTRequest.to("/\(policy)", transport)
            request.backgroundPolicy = policy
            request.lifecycle = lifecycle
            requests.append(queue.add(request))
            transport.fail("/\(policy)", .connectionFailed)
        }
        lifecycle.enterBackground()
        let error = await #expect(throws: RequestError.self) { try await requests[1].response }
        #expect(error?.kind == .connectionFailed)
        #expect(requests[0].state == .waiting)
        lifecycle.enterForeground()
        observer.report(Self.reachable)
        transport.answer("/requeue")
        #expect(try await requests[0].response.status == 200)
    }

    @Test func `A held failure is reported even if the queue has no references`() async {
        let queued: QueuedRequest
        do {
            let queue = await queue(ReachabilityObserver(initially: Self.reachable), .wait)
            queued = queue.add(.to("/a", transport))
        }
        transport.fail("/a", .connectionFailed)
        let error = await #expect(throws: RequestError.self) { try await queued.response }
        #expect(error?.kind == .connectionFailed)
    }

    @Test func `After the background the network is determined again before a request starts`() async {
        let observer = ReachabilityObserver(initially: Self.reachable)
        let queue = await queue(observer, .wait)
        lifecycle.enterBackground()
        queue.add(.to("/a", transport))
        lifecycle.enterForeground()
        #expect(queue.suspensionReasons == [.reachability])
        #expect(transport.started.isEmpty)
        observer.report(Self.reachable)
        #expect(transport.running == ["/a"])
        transport.answer("/a")
        await queue.waitUntilFinished()
    }

    @Test func `The later of two observers applies, and a suspension by the user survives both`() async {
        let first = ReachabilityObserver(initially: Self.unreachable)
        let second = ReachabilityObserver(initially: Self.unreachable)
        let queue = await queue(first, .wait)
        queue.suspend()
        queue.observeReachability(second, whenOffline: .wait)
        first.report(Self.reachable)
        #expect(queue.suspensionReasons == [.user, .reachability])
        second.report(Self.reachable)
        #expect(queue.suspensionReasons == [.user])
        queue.start()
        second.report(Self.unreachable)
        #expect(queue.suspensionReasons == [.reachability])
    }

    @Test(arguments: 0..<3)
    func `No request is lost or reordered over a hundred changes of the network`(seed: Int) async {
        var random = SeededGenerator(seed: seed)
        let observer = ReachabilityObserver(initially: Self.reachable)
        let queue = await queue(observer, .wait, limit: 3)
        var queued: [QueuedRequest] = []
        for number in 0..<200 { queued.append(queue.add(.to("/\(number)", transport))) }
        var answered: [String] = []
        for flap in 0..<100 {
            // The news of the network come before, between or after the failures.
            let isToldFirst = Bool.random(using: &random)
            if isToldFirst { observer.report(Self.unreachable) }
            for path in transport.running { transport.fail(path, .connectionFailed) }
            if !isToldFirst { observer.report(Self.unreachable) }
            #expect(transport.running.isEmpty)
            if flap % 3 == 0 { observer.report(.indeterminate) }
            observer.report(Self.reachable)
            for path in transport.running where Bool.random(using: &random) {
                transport.answer(path)
                answered.append(path)
            }
        }
        while let path = transport.running.first {
            transport.answer(path)
            answered.append(path)
        }
        await queue.waitUntilFinished()
        #expect(queued.allSatisfy { $0.state == .loaded })
        #expect(answered.count == 200 && Set(answered).count == 200)
        // Three load concurrently, so no response is more than three positions early.
        let numbers = transport.started.compactMap { Int($0.dropFirst()) }
        let firstStarts = numbers.reduce(into: [Int]()) { if $0.last ?? -1 < $1 { $0.append($1) } }
        #expect(firstStarts == Array(0..<200))
    }
}
