import Synchronization

/// A request in a queue, with its state and outcome.
public final class QueuedRequest: Sendable, Identifiable {
    /// The state of a request.
    ///
    /// The final states are `loaded`, `failed`, `cancelled` and `timedOut`.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// Waiting for a slot or for the end of a suspension, also after it was requeued.
        case waiting
        /// Being sent, or waiting for its response.
        case loading
        /// Waiting for the next attempt of its ``RESTRequest/retryPolicy``.
        case backingOff
        /// A response of any status was received.
        case loaded
        /// There is no response; the ``RequestError`` contains the reason.
        case failed
        /// Cancelled while waiting or loading.
        case cancelled
        /// One of its ``Timeouts`` was exceeded.
        case timedOut
    }

    /// The state according to the events posted so far.
    private struct Course {
        weak var queue: RequestQueue?
        /// The exchange from which a streamed body is read; `nil` for other requests.
        var exchange: Exchange?
        var state = State.waiting
        /// The last attempt that posted an event.
        var attempt: Int?
        var isSent = false
        var progress = RequestProgress()

        /// Whether it has no outcome.
        var isUnderWay: Bool { state == .waiting || state == .loading || state == .backingOff }

        func isLoading(_ attempt: Int?) -> Bool { state == .loading && self.attempt == attempt }

        var phase: RequestError.Phase {
            if state == .waiting { return .preparing }
            if progress.bytesReceived > 0 { return .receiving }
            if isSent { return .waiting }
            return progress.bytesSent > 0 ? .sending : .connecting
        }
    }

    private static let lastID = Atomic(0)

    /// A number that is unique in the process and increases with each request.
    public let id: Int
    /// The request to send.
    public let request: RESTRequest
    let owner: RequestOwner?
    let completion: (@Sendable (Result<RESTResponse, RequestError>) -> Void)?
    /// Receives the body while it arrives; nil unless the request is streamed.
    let sink: StreamSink?
    /// Calls the callbacks of the request; `nil` if it has neither handlers nor a delegate.
    let line: Mailbox<RequestQueue.Event>?
    private let outcome = OneTimeValue<Result<RESTResponse, RequestError>>()
    private let course: Mutex<Course>

    init(
        _ request: RESTRequest, owner: RequestOwner?, queue: RequestQueue, sink: StreamSink? = nil,
        completion: (@Sendable (Result<RESTResponse, RequestError>) -> Void)? = nil
    ) {
        id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        var request = request
        request.backgroundPolicy = request.backgroundPolicy(for: sink.map { .stream($0) })
        self.request = request
        self.owner = owner
        self.sink = sink
        course = Mutex(Course(queue: queue))
        self.completion = completion
        let isObserved = completion != nil || request.progressHandler != nil || request.delegate != nil
        line = isObserved ? Mailbox { $0.request?.receive($0) } : nil
    }

    /// The current state.
    public var state: State { course.withLock { $0.state } }

    /// The latest progress.
    public var progress: RequestProgress { course.withLock { $0.progress } }

    /// The response, once it is received.
    ///
    /// Any number of tasks may wait for it. If a waiting task is cancelled, this throws an error of kind `cancelled`, and
    /// the request continues. To cancel the request, call ``cancel()``, or use `RequestQueue.send`, which cancels it with
    /// its task.
    ///
    /// - Throws: The reason for which there is no response.
    public var response: RESTResponse {
        get async throws(RequestError) { try await result.get() }
    }

    /// The response, or the error, once the request has ended; waits as ``response`` does.
    public var result: Result<RESTResponse, RequestError> {
        get async {
            await outcome.value()
                ?? .failure(error(.cancelled, "the task that waited for the response was cancelled"))
        }
    }

    /// Resumes the tasks that wait for the outcome; the callbacks are already scheduled.
    func finish(_ outcome: Result<RESTResponse, RequestError>) {
        sink?.end(outcome)
        self.outcome.set(outcome)
    }

    /// Stores the exchange from which a streamed body is received.
    ///
    /// - Returns: The exchange of an earlier attempt, to be released outside of all locks.
    func carry(_ exchange: Exchange) -> Exchange? {
        guard sink != nil else { return nil }
        return course.withLock { course in
            defer { course.exchange = exchange }
            return course.exchange
        }
    }

    /// The head of a streamed response, once it is received, with its body.
    ///
    /// Cancelling the task cancels the request.
    func stream(from sink: StreamSink) async throws(RequestError) -> RESTStream {
        let begun = await withTaskCancellationHandler {
            await sink.begun()
        } onCancel: {
            cancel()
        }
        let head = try begun.get()
        // Attached before the request started.
        guard let exchange = course.withLock({ $0.exchange }) else {
            throw error(.cancelled, "the request was cancelled before its response was received")
        }
        return RESTStream(exchange, sink, head)
    }

    /// Cancels the request if it is waiting or loading.
    ///
    /// Can be called from any thread. When it returns, the request has its outcome.
    public func cancel() { course.withLock { $0.queue }?.cancelNow(self) }

    /// Updates the state for an event that is about to be posted; returns `false` if the event must be dropped, because it
    /// follows the outcome or belongs to a requeued attempt.
    func note(_ event: RequestQueue.Event, attempt: Int?) -> Bool {
        course.withLock { course in
            guard course.isUnderWay else { return false }
            switch event {
            case .willSend:
                course.state = .loading
                course.attempt = attempt
            case .didSend:
                guard course.isLoading(attempt) else { return false }
                course.isSent = true
            case .didProgress(_, let progress):
                guard course.isLoading(attempt) else { return false }
                course.progress = progress
            case .willRetry:
                guard course.isLoading(attempt) else { return false }
                course.state = .backingOff
                course.progress = RequestProgress()
            case .didLoad: course.state = .loaded
            case .didFail: course.state = .failed
            case .didCancel: course.state = .cancelled
            case .didTimeOut: course.state = .timedOut
            case .wasSuspended, .wasUnsuspended, .didBeginLoading, .didFinishLoading: break
            }
            return true
        }
    }

    /// Returns to the state of a request that was not started.
    func waitAgain() {
        course.withLock { course in
            guard course.state == .loading || course.state == .backingOff else { return }
            course.state = .waiting
            course.isSent = false
            course.progress = RequestProgress()
        }
    }

    /// Returns to the loading state for the next attempt.
    func endBackoff() { course.withLock { if $0.state == .backingOff { $0.state = .loading } } }

    /// Creates an error with the current phase and progress of the request.
    func error(_ kind: RequestError.Kind, _ cause: String) -> RequestError {
        let (phase, progress) = course.withLock { ($0.phase, $0.progress) }
        return RequestError(
            kind, cause, method: request.method, url: request.url, phase: phase, bytesSent: progress.bytesSent,
            bytesReceived: progress.bytesReceived)
    }
}

extension QueuedRequest: CustomStringConvertible {
    /// Method and URL, without user name, password and query.
    public var description: String { "\(request.method) \(request.url?.shown ?? "(no URL)")" }
}
