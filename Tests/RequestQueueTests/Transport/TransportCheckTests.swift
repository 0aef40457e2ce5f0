import MappingTestSupport
import RequestQueue
import Synchronization
import Testing

/// The checks find transports that violate the contract.
@Suite("Checks of transports", .timeLimit(.minutes(5)))
struct TransportCheckTests {
    private func violations(of transport: any Transport, _ name: String? = nil) async throws -> [String: [String]] {
        let service = try #require(URL(string: "https://stub.example"))
        var found: [String: [String]] = [:]
        for check in TransportCheck.all where name == nil || check.name == name {
            let violations = await check.violations(of: transport, service: service)
            if !violations.isEmpty { found[check.name] = violations }
        }
        return found
    }

    @Test(
        arguments: [
            (
                .endsWaitingBodies, ["A waiting body continues when it has bytes"],
                "a body of unknown length: expected the echo 'PUT"
            ),
            (
                .opensBodiesTwice, ["Any status is a response, and nothing is sent again"],
                "status 500: expected a body that is opened once, found 2 times"
            ),
            (.reportsNoConnection, [], "a head without an earlier call of transportDidConnect()"),
            (.lowercasesMethods, ["A request is sent unchanged"], "found 'put /echo?b=c%20d\n"),
            (
                .sendsCookies, ["Cookies of a response are not sent"],
                "a later request: expected no field Cookie, found 'Cookie: a=1'"
            ),
            (
                .decompresses, ["A compressed body is not decompressed, unless the head says so"],
                "/gzip: expected 34 bytes, found 33 bytes"
            ),
            (
                .dropsBodies,
                ["A cancelled request ends once, also while its body waits or its response is paused"],
                "a paused and cancelled request: expected the failure cancelled, found a response"
            ),
        ] as [(FaultyTransport.Fault, [String], String)])
    func `A check finds each fault of a transport`(
        _ fault: FaultyTransport.Fault, _ names: [String], _ message: String
    ) async throws {
        let found = try await violations(of: FaultyTransport(fault))
        for name in names { #expect(found[name] != nil, "\(found)") }
        #expect(found.values.joined().contains { $0.contains(message) }, "\(found)")
    }

    @Test func `A transport without faults has no violations`() async throws {
        #expect(try await violations(of: FaultyTransport(nil)) == [:])
    }

    @Test func `A failed request is one violation, with what was expected and found`() async throws {
        let all = try await violations(of: FaultyTransport(.failsEverything))
        let sent = try #require(all["A request is sent unchanged"])
        #expect(sent.count == 9)
        #expect(sent.first == "GET without a body: expected a response, found the failure connectionLost, broken")
        #expect(
            all["A body that is not as declared fails the request"]?.first
                == "a body of 4 bytes that returns 2 bytes, its end: expected the failure bodyChanged, found connectionLost"
        )
        #expect(all["A response is received completely"]?.count == 1)
        for text in all.values.joined() { #expect(!text.contains("Optional") && !text.contains(" -")) }
    }
}

/// A transport to the service of the checks, with a fault.
final class FaultyTransport: Transport {
    enum Fault: String, Sendable {
        case endsWaitingBodies, opensBodiesTwice, reportsNoConnection, lowercasesMethods, sendsCookies, decompresses
        case dropsBodies, failsEverything
    }

    private let fault: Fault?
    private let stub = StubTransport()
    private let cookie = Mutex<String?>(nil)

    init(_ fault: Fault?) {
        self.fault = fault
        let methods: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete]
        for method in methods + methods.map({ HTTPMethod(rawValue: $0.rawValue.lowercased()) }) {
            stub.on(method, "https://stub.example/*") { request in
                let (head, body) = TransportCheck.respond(
                    to: request.method, at: request.url, headers: request.headers, body: request.body)
                return StubResponse(status: head.status, headers: head.headers, body: body)
            }
        }
    }

    func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
        var request = request
        let body = request.body
        switch fault {
        case .lowercasesMethods: request.method = HTTPMethod(rawValue: request.method.rawValue.lowercased())
        case .sendsCookies: if let cookie = cookie.withLock({ $0 }) { request.headers["Cookie"] = cookie }
        case .endsWaitingBodies:
            request.body = body.map { body in
                TransportRequest.Body(length: body.length) {
                    let stream = try body.open()
                    return TestBody { buffer in
                        let read = try stream.read(into: &buffer)
                        return read == .wait ? .end : read
                    }
                }
            }
        default: break
        }
        let faulty = FaultyHandler(handler, fault) { head in
            if self.fault == .opensBodiesTwice, head.status >= 500 { _ = try? body?.open() }
            let value = head.headers.values(for: "Set-Cookie").first?.prefix { $0 != ";" }
            if let value { self.cookie.withLock { $0 = String(value) } }
        }
        return stub.start(request, handler: faulty)
    }
}

private final class FaultyHandler: TransportHandler {
    private let handler: any TransportHandler
    private let fault: FaultyTransport.Fault?
    private let whenReceived: @Sendable (ResponseHead) -> Void
    private let isCompressed = Mutex(false)

    init(
        _ handler: any TransportHandler, _ fault: FaultyTransport.Fault?,
        whenReceived: @escaping @Sendable (ResponseHead) -> Void
    ) {
        self.handler = handler
        self.fault = fault
        self.whenReceived = whenReceived
    }

    func transportDidConnect() { if fault != .reportsNoConnection { handler.transportDidConnect() } }

    func transportDidSend(_ bytes: Int64) { handler.transportDidSend(bytes) }

    func transportDidReceive(_ head: ResponseHead) {
        whenReceived(head)
        isCompressed.withLock { $0 = head.headers["Content-Encoding"] != nil }
        if fault != .failsEverything { handler.transportDidReceive(head) }
    }

    func transportDidReceive(_ bytes: RawSpan) -> Bool {
        if fault == .dropsBodies || fault == .failsEverything { return true }
        guard fault == .decompresses, isCompressed.withLock({ $0 }) else { return handler.transportDidReceive(bytes) }
        return Array("compressed compressed compressed ".utf8).withRawSpan { handler.transportDidReceive($0) }
    }

    func transportDidFinish(_ failure: TransportFailure?) {
        handler.transportDidFinish(fault == .failsEverything ? TransportFailure(.connectionLost, "broken") : failure)
    }
}
