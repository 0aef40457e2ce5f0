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
        expect(record.finishes == 1, "\(subject): expected 1 end, found \(record.finishes)")
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
    ///
    /// - Returns: `nil` if the request failed, which is noted.
    func sendSuccessfully(_ request: TransportRequest, _ subject: String) async -> TransportRecorder.Record? {
        success(await send(request, subject), subject)
    }

    /// Returns the record of a request that must have succeeded; `nil` if it failed, which is noted.
    func success(_ record: TransportRecorder.Record, _ subject: String) -> TransportRecorder.Record? {
        if let failure = record.failure {
            expect(false, "\(subject): expected a response, found the failure \(failure.kind), \(failure.cause)")
            return nil
        }
        expect(record.head != nil, "\(subject): expected a response, found none")
        return record.head == nil ? nil : record
    }

    /// Notes a violation unless the bytes are equal.
    func expect(_ found: Data, equals expected: Data, _ subject: String) {
        if found == expected { return }
        let difference = zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let place = difference.map { ", which differ from byte \($0) on" } ?? ""
        expect(false, "\(subject): expected \(expected.count) bytes, found \(found.count) bytes\(place)")
    }
}
