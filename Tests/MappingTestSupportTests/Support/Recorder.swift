import Foundation
import RequestQueue
import Synchronization
import TestSupport
import Testing

/// A handler that records the events of a transport.
final class Recorder: TransportHandler {
    private struct State {
        var events: [String] = []
        var body = Data()
        var head: ResponseHead?
        var failure: TransportFailure?
        var isFinished = false
    }

    private let state = Mutex(State())
    private let pausesAfterEachPiece: Bool

    init(pausesAfterEachPiece: Bool = false) { self.pausesAfterEachPiece = pausesAfterEachPiece }

    /// The events, such as `sent 5` or `received 3`.
    var events: [String] { state.withLock { $0.events } }
    var body: Data { state.withLock { $0.body } }
    var text: String { String(decoding: body, as: UTF8.self) }
    var head: ResponseHead? { state.withLock { $0.head } }
    var failure: TransportFailure? { state.withLock { $0.failure } }

    func transportDidConnect() { note("connected") }

    func transportDidSend(_ bytes: Int64) { note("sent \(bytes)") }

    func transportDidReceiveHeadBytes() { note("head bytes") }

    func transportDidReceive(_ head: ResponseHead) {
        state.withLock { $0.head = head }
        note("status \(head.status)")
    }

    func transportDidReceive(_ bytes: RawSpan) -> Bool {
        state.withLock { $0.body.append(bytes) }
        note("received \(bytes.byteCount)")
        return !pausesAfterEachPiece
    }

    func transportDidFinish(_ failure: TransportFailure?) {
        note(failure.map { "failed \($0.kind)" } ?? "finished")
        state.withLock { state in
            state.failure = failure
            state.isFinished = true
        }
    }

    /// Returns after the end.
    func finished() async { #expect(await eventually { state.withLock { $0.isFinished } }) }

    private func note(_ event: String) { state.withLock { $0.events.append(event) } }
}

extension Transport {
    /// Sends a request and waits for its end.
    func exchange(_ request: TransportRequest) async -> Recorder {
        let recorder = Recorder()
        _ = start(request, handler: recorder)
        await recorder.finished()
        return recorder
    }
}

extension TransportRequest {
    /// A request to a path of `https://example.com`, or to an absolute URL.
    init(_ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: Body? = nil) throws {
        let url = URL(string: target.hasPrefix("/") ? "https://example.com\(target)" : target)
        guard let url else { throw RequestError(.invalidURL, target) }
        self.init(method: method, url: url, headers: headers, body: body)
    }
}
