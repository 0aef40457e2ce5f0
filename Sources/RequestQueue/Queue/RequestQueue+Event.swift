extension RequestQueue {
    /// What happens in a queue.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Event: Sendable {
        /// The queue ran, and starts no request now: told with the first reason, not with further ones.
        case wasSuspended(SuspensionReason)
        /// The queue runs again: told with the reason that was the last to go.
        case wasUnsuspended(SuspensionReason)
        /// No request was loading, and one is about to.
        case didBeginLoading
        /// No request is loading any more: the queue is empty or suspended.
        case didFinishLoading
        /// The request left the line; told again when it was put back into it meanwhile.
        case willSend(QueuedRequest)
        /// The request and its body went wholly.
        case didSend(QueuedRequest)
        /// Bytes went or came. Who is slow to listen is told the newest only.
        case didProgress(QueuedRequest, RequestProgress)
        /// The request will be sent again by its ``RESTRequest/retryPolicy``; progress begins anew.
        case willRetry(QueuedRequest, RequestRetry)
        /// A response came, of whatever status.
        case didLoad(QueuedRequest, RESTResponse)
        /// The request was cancelled, while it waited or while it was loading.
        case didCancel(QueuedRequest, RequestError)
        /// There is no response.
        case didFail(QueuedRequest, RequestError)
        /// A time-out ended it.
        case didTimeOut(QueuedRequest, RequestError)

        init(_ request: QueuedRequest, _ outcome: Result<RESTResponse, RequestError>) {
            switch outcome {
            case .success(let response): self = .didLoad(request, response)
            case .failure(let error) where error.kind == .cancelled: self = .didCancel(request, error)
            case .failure(let error) where error.isTimeout: self = .didTimeOut(request, error)
            case .failure(let error): self = .didFail(request, error)
            }
        }

        /// Whether an earlier event of the same request is of no use beside this one.
        func replaces(_ earlier: Event) -> Bool {
            if case .didProgress = self, case .didProgress = earlier { true } else { false }
        }

        /// The request it is about; nil if it is about the queue.
        public var request: QueuedRequest? {
            switch self {
            case .wasSuspended, .wasUnsuspended, .didBeginLoading, .didFinishLoading: nil
            case .willSend(let request), .didSend(let request), .didProgress(let request, _),
                .willRetry(let request, _), .didLoad(let request, _), .didCancel(let request, _),
                .didFail(let request, _),
                .didTimeOut(let request, _):
                request
            }
        }

        /// What became of the request, after which nothing is told of it; nil if it is not over.
        public var outcome: Result<RESTResponse, RequestError>? {
            switch self {
            case .didLoad(_, let response): .success(response)
            case .didCancel(_, let error), .didFail(_, let error), .didTimeOut(_, let error): .failure(error)
            default: nil
            }
        }
    }
}

extension RequestQueue.Event: CustomStringConvertible {
    /// The case and what it is about, as `didLoad GET http://127.0.0.1/a 200`.
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
