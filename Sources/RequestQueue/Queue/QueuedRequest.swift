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
        /// Waiting for the next attempt of its ``RequestSettings/retryPolicy``.
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
    private struct MutableState {
        weak var queue: RequestQueue?
        /// The exchange of the last attempt; `nil` while no attempt was started, or the request was requeued.
        var exchange: Exchange?
        var state = State.waiting
        /// The last attempt that posted an event.
        var attempt: Int?

        /// Whether it has no outcome.
        var isPending: Bool { state == .waiting || state == .loading || state == .backingOff }

        /// Whether an attempt is sent; one that waits for an identical request is not notified of the end of its backoff.
        func isLoading(_ attempt: Int?) -> Bool {
            (state == .loading || state == .backingOff) && self.attempt == attempt
        }
    }

    private static let lastID = Atomic(0)

    /// A number that is unique in the process and increases with each request.
    public let id: Int
    /// The request to send.
    public let request: RESTRequest
    let owner: RequestOwner?
    /// The calls of the task that added the request.
    let sender = UserCalls.current
    /// Whether the request needs a slot.
    ///
    /// A request that waits for its token or its adapters sends nothing, so the requests that these send use its slot.
    let needsSlot = UserCalls.current.isEmpty
    /// Receives the body while it arrives; nil unless the request is streamed.
    let sink: StreamSink?
    /// Calls the callbacks of the request; `nil` if it has neither handlers nor a delegate.
    let mailbox: Mailbox<RequestEvent>?
    private let outcome = OneTimeValue<Result<RESTResponse, RequestError>>()
    private let mutableState: Mutex<MutableState>

    init(
        _ request: RESTRequest, owner: RequestOwner?, queue: RequestQueue, sink: StreamSink? = nil,
        completion: (@Sendable (Result<RESTResponse, RequestError>) -> Void)? = nil
    ) {
        id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        self.request = request
        self.owner = owner
        self.sink = sink
        mutableState = Mutex(MutableState(queue: queue))
        mailbox = completion != nil || request.isObserved ? request.mailbox { completion?($0) } : nil
    }

    /// The current state.
    public var state: State { mutableState.withLock { $0.state } }

    /// The latest progress; after the outcome without the parts of a multipart body.
    public var progress: RequestProgress {
        mutableState.withLock { $0.state == .backingOff ? nil : $0.exchange }?.progress ?? RequestProgress()
    }

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
            mutableState.withLock { $0.state == .waiting ? $0.queue : nil }?.reportSuspension()
            return await outcome.value()
                ?? .failure(error(.cancelled, "the task that waited for the response was cancelled"))
        }
    }

    /// Resumes the tasks that wait for the outcome; the callbacks are already scheduled.
    func finish(_ outcome: Result<RESTResponse, RequestError>) {
        sink?.end(outcome)
        self.outcome.set(outcome)
    }

    /// Stores the exchange of an attempt, which has the progress, and receives a streamed body.
    ///
    /// - Returns: The exchange of an earlier attempt, to be released outside of all locks.
    func attach(_ exchange: Exchange) -> Exchange? {
        mutableState.withLock { mutableState in
            defer { mutableState.exchange = exchange }
            return mutableState.exchange
        }
    }

    /// The head of a streamed response, once it is received, with its body.
    ///
    /// Cancelling the task cancels the request.
    func stream(from sink: StreamSink) async throws(RequestError) -> RESTStream {
        mutableState.withLock { $0.state == .waiting ? $0.queue : nil }?.reportSuspension()
        let begun = await withTaskCancellationHandler {
            await sink.begun()
        } onCancel: {
            cancel()
        }
        let head = try begun.get()
        // Attached before the request started.
        guard let exchange = mutableState.withLock({ $0.exchange }) else {
            throw error(.cancelled, "the request was cancelled before its response was received")
        }
        return RESTStream(exchange, sink, head)
    }

    /// Cancels the request if it is waiting or loading.
    ///
    /// Can be called from any thread. When it returns, the request has its outcome.
    public func cancel() { mutableState.withLock { $0.queue }?.cancel(self) }

    /// Updates the state for an event that is about to be posted; returns `false` if the event must be dropped, because it
    /// follows the outcome or belongs to a requeued attempt.
    func record(_ event: RequestQueue.Event, attempt: Int?) -> Bool {
        mutableState.withLock { mutableState in
            guard mutableState.isPending else { return false }
            switch event {
            case .willSend:
                mutableState.state = .loading
                mutableState.attempt = attempt
            case .didSend, .didProgress:
                guard mutableState.isLoading(attempt) else { return false }
                mutableState.state = .loading
            case .willRetry:
                guard mutableState.isLoading(attempt) else { return false }
                mutableState.state = .backingOff
            case .didLoad: mutableState.state = .loaded
            case .didCancel: mutableState.state = .cancelled
            case .didFail: mutableState.state = .failed
            case .didTimeOut: mutableState.state = .timedOut
            case .wasSuspended, .wasUnsuspended, .didBeginLoading, .didFinishLoading: break
            }
            return true
        }
    }

    /// Returns to the state of a request that was not started.
    ///
    /// - Returns: The exchange of the attempt, to be released outside of all locks.
    func requeue() -> Exchange? {
        mutableState.withLock { mutableState in
            guard mutableState.state == .loading || mutableState.state == .backingOff else { return nil }
            mutableState.state = .waiting
            return mutableState.exchange.take()
        }
    }

    /// Returns to the loading state for the next attempt.
    func endBackoff() { mutableState.withLock { if $0.state == .backingOff { $0.state = .loading } } }

    /// Creates an error with the current phase and progress of the request.
    func error(_ kind: RequestError.Kind, _ cause: String) -> RequestError {
        mutableState.withLock { $0.exchange }?.error(TransportFailure(kind, cause))
            ?? RequestError(kind, cause, method: request.method, url: request.url)
    }
}

extension QueuedRequest: CustomStringConvertible {
    /// Method and URL, without user name, password and query.
    public var description: String { "\(request.method) \(request.url?.shown ?? "(no URL)")" }
}
