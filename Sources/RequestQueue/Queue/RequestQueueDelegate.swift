/// Who is told what happens in a queue: the same, in the same order, as ``RequestQueue/events`` tell.
///
/// The calls come one after the other, on no particular thread; a slow one holds up later calls, not the queue.
public protocol RequestQueueDelegate: AnyObject, Sendable {
    /// The queue ran, and starts no request now.
    func requestQueue(_ queue: RequestQueue, wasSuspendedFor reason: RequestQueue.SuspensionReason)
    /// The queue runs again.
    func requestQueue(_ queue: RequestQueue, wasUnsuspendedFor reason: RequestQueue.SuspensionReason)
    /// No request was loading, and one is about to.
    func requestQueueDidBeginLoading(_ queue: RequestQueue)
    /// No request is loading any more.
    func requestQueueDidFinishLoading(_ queue: RequestQueue)

    /// The request left the line; told again when it was put back into it meanwhile.
    func requestQueue(_ queue: RequestQueue, willSend request: QueuedRequest)
    /// The request and its body went wholly.
    func requestQueue(_ queue: RequestQueue, didSend request: QueuedRequest)
    /// Bytes went or came.
    func requestQueue(_ queue: RequestQueue, didProgress progress: RequestProgress, of request: QueuedRequest)
    /// The request will be sent again by its ``RESTRequest/retryPolicy``; progress begins anew.
    func requestQueue(_ queue: RequestQueue, willRetry retry: RequestRetry, of request: QueuedRequest)

    /// A response came, of whatever status.
    func requestQueue(_ queue: RequestQueue, didLoad response: RESTResponse, of request: QueuedRequest)
    /// The request was cancelled, while it waited or while it was loading.
    func requestQueue(_ queue: RequestQueue, didCancel request: QueuedRequest)
    /// There is no response.
    func requestQueue(_ queue: RequestQueue, didFail error: RequestError, of request: QueuedRequest)
    /// A time-out ended it.
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
}
