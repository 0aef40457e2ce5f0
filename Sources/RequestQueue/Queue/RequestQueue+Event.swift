extension RequestQueue {
    /// An event of a queue.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Event: Sendable {
        /// The queue was suspended, with the first reason; further reasons send no event.
        case wasSuspended(SuspensionReason)
        /// The queue was resumed, with the last reason that ended.
        case wasUnsuspended(SuspensionReason)
        /// The first request begins to load.
        case didBeginLoading
        /// The last loading request ended: the queue is empty or suspended.
        case didFinishLoading
        /// The request is about to be sent; repeated after it was requeued.
        case willSend(QueuedRequest)
        /// The request and its body were sent completely.
        case didSend(QueuedRequest)
        /// Bytes were sent or received; slow readers receive only the latest progress.
        case didProgress(QueuedRequest, RequestProgress)
        /// The request will be retried by its ``RequestSettings/retryPolicy``; its progress restarts.
        indirect case willRetry(QueuedRequest, RequestRetry)
        /// A response of any status was received.
        indirect case didLoad(QueuedRequest, RESTResponse)
        /// The request was cancelled while waiting or loading.
        indirect case didCancel(QueuedRequest, RequestError)
        /// There is no response.
        indirect case didFail(QueuedRequest, RequestError)
        /// The request exceeded a timeout.
        indirect case didTimeOut(QueuedRequest, RequestError)

        init(_ request: QueuedRequest, _ event: RequestEvent) {
            switch event {
            case .willSend: self = .willSend(request)
            case .didSend: self = .didSend(request)
            case .progress(let progress): self = .didProgress(request, progress)
            case .willRetry(let retry): self = .willRetry(request, retry)
            case .didFinish(.success(let response)): self = .didLoad(request, response)
            case .didFinish(.failure(let error)) where error.kind == .cancelled: self = .didCancel(request, error)
            case .didFinish(.failure(let error)) where error.isTimeout: self = .didTimeOut(request, error)
            case .didFinish(.failure(let error)): self = .didFail(request, error)
            }
        }

        /// The request of the event; `nil` for events of the queue.
        public var request: QueuedRequest? {
            switch self {
            case .wasSuspended, .wasUnsuspended, .didBeginLoading, .didFinishLoading: nil
            case .willSend(let request), .didSend(let request), .didProgress(let request, _),
                .willRetry(let request, _), .didLoad(let request, _), .didCancel(let request, _),
                .didFail(let request, _), .didTimeOut(let request, _):
                request
            }
        }

        /// The outcome of the request, its last event; `nil` for other events.
        public var outcome: Result<RESTResponse, RequestError>? {
            switch self {
            case .didLoad(_, let response): .success(response)
            case .didCancel(_, let error), .didFail(_, let error), .didTimeOut(_, let error): .failure(error)
            default: nil
            }
        }

        /// The event as one of the request; `nil` for events of the queue.
        var requestEvent: RequestEvent? {
            switch self {
            case .wasSuspended, .wasUnsuspended, .didBeginLoading, .didFinishLoading: nil
            case .willSend: .willSend
            case .didSend: .didSend
            case .didProgress(_, let progress): .progress(progress)
            case .willRetry(_, let retry): .willRetry(retry)
            case .didLoad, .didCancel, .didFail, .didTimeOut: outcome.map { .didFinish($0) }
            }
        }
    }
}

extension RequestQueue.Event: CustomStringConvertible {
    /// The case and its values, such as `didLoad GET http://127.0.0.1/a 200`.
    public var description: String {
        switch self {
        case .wasSuspended(let reason): "wasSuspended \(reason)"
        case .wasUnsuspended(let reason): "wasUnsuspended \(reason)"
        case .didBeginLoading: "didBeginLoading"
        case .didFinishLoading: "didFinishLoading"
        case .willSend(let request): "willSend \(request)"
        case .didSend(let request): "didSend \(request)"
        case .didProgress(let request, let progress): "didProgress \(request) \(Self.describe(progress))"
        case .willRetry(let request, let retry): "willRetry \(request) \(retry)"
        case .didLoad(let request, let response): "didLoad \(request) \(response.status)"
        case .didCancel(let request, _): "didCancel \(request)"
        case .didFail(_, let error): "didFail \(error)"
        case .didTimeOut(_, let error): "didTimeOut \(error)"
        }
    }

    private static func describe(_ progress: RequestProgress) -> String {
        func part(_ bytes: Int64, _ expected: Int64?) -> String { expected.map { "\(bytes)/\($0)" } ?? "\(bytes)" }
        return "sent \(part(progress.bytesSent, progress.bytesExpectedToSend)) "
            + "received \(part(progress.bytesReceived, progress.bytesExpectedToReceive))"
    }
}
