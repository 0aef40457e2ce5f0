import RequestQueue
import Synchronization

/// A transport whose requests run until the test answers them, or that answers each immediately.
///
/// Requests are identified by their path. Responses are delivered on the thread of the test.
final class HeldTransport: Transport {
    private struct State {
        var running: [String: [HeldTask]] = [:]
        var started: [String] = []
        var runningCount = 0
        var peak = 0
    }

    private let state = Mutex(State())
    private let answersAtOnce: Bool

    init(answersAtOnce: Bool = false) { self.answersAtOnce = answersAtOnce }

    /// Paths of all requests that were ever started, in their order.
    var started: [String] { state.withLock { $0.started } }
    /// The maximum number of concurrent requests.
    var peak: Int { state.withLock { $0.peak } }
    var runningCount: Int { state.withLock { $0.runningCount } }
    /// Paths of the requests that run.
    var running: [String] { state.withLock { $0.running.values.flatMap { $0.map(\.path) } } }

    func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
        let path = request.url.path(percentEncoded: true)
        let task = HeldTask(path, handler) { [weak self] task in self?.remove(task) }
        state.withLock { state in
            state.started.append(path)
            state.running[path, default: []].append(task)
            state.runningCount += 1
            state.peak = max(state.peak, state.runningCount)
        }
        if answersAtOnce { task.answer(200) }
        return task
    }

    /// Answers the running requests of a path, if any.
    func answer(_ path: String, _ status: Int = 200, body: String = "") {
        tasks(path).forEach { $0.answer(status, body) }
    }

    func fail(_ path: String, _ kind: RequestError.Kind = .connectionLost) { tasks(path).forEach { $0.fail(kind) } }

    /// Delivers a part of a response.
    func receive(_ path: String, _ text: String) { tasks(path).forEach { $0.receive(text) } }

    private func tasks(_ path: String) -> [HeldTask] { state.withLock { $0.running[path] ?? [] } }

    private func remove(_ task: HeldTask) {
        state.withLock { state in
            state.runningCount -= 1
            state.running[task.path]?.removeAll { $0 === task }
            if state.running[task.path]?.isEmpty == true { state.running[task.path] = nil }
        }
    }
}

/// A request that a ``HeldTransport`` carries.
///
/// The handler is told by one thread at a time: what another thread wants meanwhile does not happen, but for cancelling,
/// which follows.
final class HeldTask: TransportTask {
    private struct Course {
        var isTelling = false
        var isCancelled = false
        var hasHead = false
        var isOver = false
    }

    let path: String
    private let handler: any TransportHandler
    private let onEnd: @Sendable (HeldTask) -> Void
    private let course = Mutex(Course())

    init(_ path: String, _ handler: any TransportHandler, onEnd: @escaping @Sendable (HeldTask) -> Void) {
        self.path = path
        self.handler = handler
        self.onEnd = onEnd
    }

    func resume() {}

    func cancel() {
        course.withLock { $0.isCancelled = true }
        tell {}
    }

    func fail(_ kind: RequestError.Kind) { tell { finish(TransportFailure(kind, "told by the test")) } }

    func answer(_ status: Int, _ body: String = "") {
        tell {
            receive(status, body)
            finish(nil)
        }
    }

    func receive(_ text: String) { tell { receive(200, text) } }

    private func tell(_ body: () -> Void) {
        let isFree = course.withLock { course in
            guard !course.isTelling, !course.isOver else { return false }
            course.isTelling = true
            return true
        }
        guard isFree else { return }
        body()
        let isCancelled = course.withLock { course in
            course.isTelling = false
            return course.isCancelled && !course.isOver
        }
        if isCancelled { tell { finish(TransportFailure(.cancelled, "cancelled")) } }
    }

    private func receive(_ status: Int, _ text: String) {
        let isFirst = course.withLock { course in
            defer { course.hasHead = true }
            return !course.hasHead
        }
        if isFirst {
            handler.transportDidConnect()
            handler.transportDidReceive(ResponseHead(status: status))
        }
        if !text.isEmpty { _ = handler.transportDidReceive(Data(text.utf8).bytes) }
    }

    private func finish(_ failure: TransportFailure?) {
        course.withLock { $0.isOver = true }
        onEnd(self)
        handler.transportDidFinish(failure)
    }
}

extension RESTRequest {
    /// A request that a transport of the test carries.
    static func to(
        _ path: String, _ transport: some Transport, _ method: HTTPMethod = .get, tag: String? = nil,
        delegate: (any RequestDelegate)? = nil
    ) -> RESTRequest {
        var request = RESTRequest(method, url: URL(string: "http://stub" + path), transport: transport)
        request.tag = tag
        request.delegate = delegate
        return request
    }
}
