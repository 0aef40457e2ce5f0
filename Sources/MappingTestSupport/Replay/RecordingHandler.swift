import RequestQueue
import Synchronization

/// Forwards the events of a transport and records them.
final class RecordingHandler: TransportHandler {
    private struct State {
        var head: ResponseHead?
        var body = Data()
    }

    private let handler: any TransportHandler
    private let completion: @Sendable (ResponseHead?, Data, TransportFailure?) -> Void
    private let state = Mutex(State())

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - handler: The handler that receives the events.
    ///   - completion: Called at the end of the request, before the handler is; not called for a cancelled request.
    init(
        _ handler: any TransportHandler,
        completion: @escaping @Sendable (ResponseHead?, Data, TransportFailure?) -> Void
    ) {
        self.handler = handler
        self.completion = completion
    }

    func transportIsWaiting(_ isWaiting: Bool) { handler.transportIsWaiting(isWaiting) }

    func transportDidConnect() { handler.transportDidConnect() }

    func transportDidSend(_ bytes: Int64) { handler.transportDidSend(bytes) }

    func transportDidReceiveHeadBytes() { handler.transportDidReceiveHeadBytes() }

    func transportDidReceive(_ head: ResponseHead) {
        state.withLock { $0.head = head }
        handler.transportDidReceive(head)
    }

    func transportDidReceive(_ bytes: RawSpan) -> Bool {
        state.withLock { $0.body.append(bytes) }
        return handler.transportDidReceive(bytes)
    }

    func transportDidFinish(_ failure: TransportFailure?) {
        var (head, body) = state.withLock { ($0.head, $0.body) }
        if failure?.kind != .cancelled {
            completion(head, body, failure)
        } else if let status = head?.status, (300..<400).contains(status) {
            // A client that follows a redirect can cancel its response before the body.
            head?.headers["Content-Length"] = nil
            body = Data()
            completion(head, body, nil)
        }
        handler.transportDidFinish(failure)
    }
}
