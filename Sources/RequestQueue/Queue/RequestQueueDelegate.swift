/// Receives the events of a queue, in the order of ``RequestQueue/events``.
///
/// Calls are serial and on any thread; a slow call delays later calls, but not the queue.
public protocol RequestQueueDelegate: AnyObject, Sendable {
    /// The queue was suspended.
    func requestQueue(_ queue: RequestQueue, wasSuspendedFor reason: RequestQueue.SuspensionReason)
    /// The queue was resumed.
    func requestQueue(_ queue: RequestQueue, wasUnsuspendedFor reason: RequestQueue.SuspensionReason)
    /// The first request begins to load.
    func requestQueueDidBeginLoading(_ queue: RequestQueue)
    /// The last loading request ended.
    func requestQueueDidFinishLoading(_ queue: RequestQueue)

    /// The request is about to be sent; repeated after it was requeued.
    func requestQueue(_ queue: RequestQueue, willSend request: QueuedRequest)
    /// The request and its body were sent completely.
    func requestQueue(_ queue: RequestQueue, didSend request: QueuedRequest)
    /// Bytes were sent or received.
    func requestQueue(_ queue: RequestQueue, didProgress progress: RequestProgress, of request: QueuedRequest)
    /// The request will be retried by its ``RequestSettings/retryPolicy``; its progress restarts.
    func requestQueue(_ queue: RequestQueue, willRetry retry: RequestRetry, of request: QueuedRequest)

    /// A response of any status was received.
    func requestQueue(_ queue: RequestQueue, didLoad response: RESTResponse, of request: QueuedRequest)
    /// The request was cancelled while waiting or loading.
    func requestQueue(_ queue: RequestQueue, didCancel request: QueuedRequest)
    /// There is no response.
    func requestQueue(_ queue: RequestQueue, didFail error: RequestError, of request: QueuedRequest)
    /// The request exceeded a timeout.
    func requestQueue(_ queue: RequestQueue, didTimeOut error: RequestError, of request: QueuedRequest)
}

extension RequestQueueDelegate {
    /// The default implementation, which does nothing.
    public func requestQueue(_ queue: RequestQueue, wasSuspendedFor reason: RequestQueue.SuspensionReason) {}
    /// The default implementation, which does nothing.
    public func requestQueue(_ queue: RequestQueue, wasUnsuspendedFor reason: RequestQueue.SuspensionReason) {}
    /// The default implementation, which does nothing.
    public func requestQueueDidBeginLoading(_ queue: RequestQueue) {}
    /// The default implementation, which does nothing.
    public func requestQueueDidFinishLoading(_ queue: RequestQueue) {}
    /// The default implementation, which does nothing.
    public func requestQueue(_ queue: RequestQueue, willSend request: QueuedRequest) {}
    /// The default implementation, which does nothing.
    public func requestQueue(_ queue: RequestQueue, didSend request: QueuedRequest) {}
    /// The default implementation, which does nothing.
    public func requestQueue(_ queue: RequestQueue, didProgress progress: RequestProgress, of request: QueuedRequest) {}
    /// The default implementation, which does nothing.
    public func requestQueue(_ queue: RequestQueue, willRetry retry: RequestRetry, of request: QueuedRequest) {}
    /// The default implementation, which does nothing.
    public func requestQueue(_ queue: RequestQueue, didLoad response: RESTResponse, of request: QueuedRequest) {}
    /// The default implementation, which does nothing.
    public func requestQueue(_ queue: RequestQueue, didCancel request: QueuedRequest) {}
    /// The default implementation, which does nothing.
    public func requestQueue(_ queue: RequestQueue, didFail error: RequestError, of request: QueuedRequest) {}
    /// The default implementation, which does nothing.
    public func requestQueue(_ queue: RequestQueue, didTimeOut error: RequestError, of request: QueuedRequest) {}

    func receive(_ event: RequestQueue.Event, from queue: RequestQueue) {
        switch event {
        case .wasSuspended(let reason): requestQueue(queue, wasSuspendedFor: reason)
        case .wasUnsuspended(let reason): requestQueue(queue, wasUnsuspendedFor: reason)
        case .didBeginLoading: requestQueueDidBeginLoading(queue)
        case .didFinishLoading: requestQueueDidFinishLoading(queue)
        case .willSend(let request): requestQueue(queue, willSend: request)
        case .didSend(let request): requestQueue(queue, didSend: request)
        case .didProgress(let request, let progress): requestQueue(queue, didProgress: progress, of: request)
        case .willRetry(let request, let retry): requestQueue(queue, willRetry: retry, of: request)
        case .didLoad(let request, let response): requestQueue(queue, didLoad: response, of: request)
        case .didCancel(let request, _): requestQueue(queue, didCancel: request)
        case .didFail(let request, let error): requestQueue(queue, didFail: error, of: request)
        case .didTimeOut(let request, let error): requestQueue(queue, didTimeOut: error, of: request)
        }
    }
}
