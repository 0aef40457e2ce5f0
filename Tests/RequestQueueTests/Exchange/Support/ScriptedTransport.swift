import RequestQueue
import Synchronization
import MappingSystemCalls

/// Plays one script a hop, on the thread that starts it; what a script leaves open a test goes on with by `calls`.
final class ScriptedTransport: Transport {
    typealias Script = @Sendable (ScriptedCall) -> Void

    private let scripts: [Script]
    private let started = Mutex<[ScriptedCall]>([])

    /// The last script is played for every further hop, too.
    init(_ scripts: Script...) { self.scripts = scripts }

    /// What was started so far.
    var calls: [ScriptedCall] { started.withLock { $0 } }
    var requests: [TransportRequest] { calls.map(\.request) }

    /// Releases all started requests.
    func forget() { started.withLock { $0 = [] } }

    func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
        let call = ScriptedCall(request, handler)
        let count = started.withLock { started in
            started.append(call)
            return started.count
        }
        scripts[min(count, scripts.count) - 1](call)
        return call
    }
}

/// One hop of a script, and its task.
final class ScriptedCall: TransportTask {
    let request: TransportRequest
    private struct State {
        /// Until the end, and as long as others keep it: the transport keeps what was started, and the handler the
        /// transport.
        var held: (any TransportHandler)?
        weak var handler: (any TransportHandler)?
        var isCancelled = false
        var resumes = 0
        var body: [UInt8] = []
    }
    private let state: Mutex<State>

    init(_ request: TransportRequest, _ handler: any TransportHandler) {
        self.request = request
        state = Mutex(State(held: handler, handler: handler))
    }

    private var handler: (any TransportHandler)? { state.withLock { $0.handler } }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    var resumes: Int { state.withLock { $0.resumes } }
    /// What was read of the request's body.
    var sentBody: String { String(decoding: state.withLock { $0.body }, as: UTF8.self) }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        finish(TransportFailure(.cancelled, "the transport received a cancellation"))
    }

    func resume() { state.withLock { $0.resumes += 1 } }

    func wait(_ isWaiting: Bool) { handler?.transportIsWaiting(isWaiting) }

    func connect() { handler?.transportDidConnect() }

    /// Reads the body, up to a number of bytes, and reports it as sent; stops if the body throws or waits.
    func sendBody(upTo limit: Int = .max, tells: Bool = true) {
        guard let body = request.body else { return }
        guard let stream = try? body.open() else { return finish(TransportFailure(.bodyUnreadable, "open")) }
        sendBody(of: stream, upTo: limit, tells: tells)
    }

    func sendBody(of stream: any BodyStream, upTo limit: Int = .max, tells: Bool = true) {
        var bytes: [UInt8] = []
        do {
            reading: while bytes.count < limit {
                var buffer = [UInt8](repeating: 0, count: min(16, limit - bytes.count))
                switch try buffer.withMutableRawSpan({ try stream.read(into: &$0) }) {
                case .bytes(let count): bytes += buffer[..<count]
                case .wait, .end: break reading
                }
            }
        } catch { return finish(TransportFailure(.bodyUnreadable, "the transport's words for it")) }
        let count = bytes.count
        state.withLock { $0.body = bytes }
        if tells, count > 0 { handler?.transportDidSend(Int64(count)) }
    }

    func receiveHeadBytes() { handler?.transportDidReceiveHeadBytes() }

    func receive(_ status: Int, _ headers: HTTPHeaders = [:], isDecoded: Bool = false) {
        handler?.transportDidReceive(ResponseHead(status: status, headers: headers, isDecoded: isDecoded))
    }

    @discardableResult
    func receive(_ bytes: some Sequence<UInt8>) -> Bool {
        Array(bytes).withRawSpan { handler?.transportDidReceive($0) ?? true }
    }

    /// The end, once.
    func finish(_ failure: TransportFailure? = nil) {
        let handler = state.withLock { $0.held.take() }
        handler?.transportDidFinish(failure)
    }

    /// All that a server does that answers as one expects.
    func answer(_ status: Int = 200, _ headers: HTTPHeaders = [:], _ body: some Sequence<UInt8> = [UInt8]()) {
        connect()
        sendBody()
        receive(status, headers)
        let body = Array(body)
        if !body.isEmpty { receive(body) }
        finish()
    }
}
