import RequestQueue
import Synchronization

/// A transport that is checked, and what it did wrong.
final class TransportProbe: Sendable {
    let transport: any Transport
    private let service: URL
    private let found = Mutex<[String]>([])

    init(_ transport: any Transport, service: URL) {
        self.transport = transport
        self.service = service
    }

    var violations: [String] { found.withLock { $0 } }

    /// Notes a violation unless a condition is met.
    func expect(_ condition: Bool, _ violation: @autoclosure () -> String) {
        guard !condition else { return }
        let text = violation()
        found.withLock { $0.append(text) }
    }

    /// Returns a request to the service.
    func request(
        _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: TransportRequest.Body? = nil
    ) -> TransportRequest {
        let url = URL(string: target, relativeTo: service)?.absoluteURL ?? service
        return TransportRequest(method: method, url: url, headers: headers, body: body)
    }

    /// Starts a request.
    func start(_ request: TransportRequest, _ recorder: TransportRecorder) -> any TransportTask {
        transport.start(request, handler: recorder)
    }

    /// Waits for the end of a request, and checks its calls.
    @discardableResult
    func end(of recorder: TransportRecorder, _ subject: String) async -> TransportRecorder.Record {
        let record = await recorder.finished()
        expect(record.finishes == 1, "\(subject): \(record.finishes) ends")
        for mistake in record.mistakes { expect(false, "\(subject): \(mistake)") }
        // It begins at 0 again when the body is opened again.
        let isAscending = zip(record.sent, record.sent.dropFirst()).allSatisfy { $0 <= $1 || $1 == 0 }
        expect(isAscending, "\(subject): the number of sent bytes decreases, \(record.sent)")
        return record
    }

    /// Sends a request and waits for its end.
    func send(_ request: TransportRequest, _ subject: String? = nil) async -> TransportRecorder.Record {
        let recorder = TransportRecorder()
        let task = start(request, recorder)
        let record = await end(of: recorder, subject ?? "\(request.method) \(request.url.path)")
        withExtendedLifetime(task) {}
        return record
    }

    /// Sends a request, which must succeed.
    func sendSuccessfully(_ request: TransportRequest, _ subject: String) async -> TransportRecorder.Record {
        let record = await send(request, subject)
        expect(record.failure == nil, "\(subject): \(record.failure.map { "\($0.kind), \($0.cause)" } ?? "")")
        expect(record.head != nil, "\(subject): no head")
        return record
    }
}
