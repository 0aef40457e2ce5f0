/// Who is told what happens to a request: the same, in the same order, as a queue's events tell.
///
/// After exactly one of the last four nothing more is told.
public protocol RequestDelegate: AnyObject, Sendable {
    /// It leaves its queue, or is sent at once.
    func requestWillSend(_ request: RESTRequest)
    /// The request and its body went wholly; not told if the cache answers without asking the server.
    func requestDidSend(_ request: RESTRequest)
    /// Bytes went or came.
    func request(_ request: RESTRequest, didProgress progress: RequestProgress)
    /// It will be sent again by its ``RESTRequest/retryPolicy``; progress begins anew.
    func request(_ request: RESTRequest, willRetry retry: RequestRetry)

    /// A response came, of whatever status.
    func request(_ request: RESTRequest, didLoad response: RESTResponse)
    /// There is no response.
    func request(_ request: RESTRequest, didFail error: RequestError)
    /// It was cancelled, while it waited or while it ran.
    func requestDidCancel(_ request: RESTRequest)
    /// A time-out ended it.
    func request(_ request: RESTRequest, didTimeOut error: RequestError)
}

extension RequestDelegate {
    /// Does nothing.
    public func requestWillSend(_ request: RESTRequest) {}
    /// Does nothing.
    public func requestDidSend(_ request: RESTRequest) {}
    /// Does nothing.
    public func request(_ request: RESTRequest, didProgress progress: RequestProgress) {}
    /// Does nothing.
    public func request(_ request: RESTRequest, willRetry retry: RequestRetry) {}
    /// Does nothing.
    public func request(_ request: RESTRequest, didLoad response: RESTResponse) {}
    /// Does nothing.
    public func request(_ request: RESTRequest, didFail error: RequestError) {}
    /// Does nothing.
    public func requestDidCancel(_ request: RESTRequest) {}
    /// Does nothing.
    public func request(_ request: RESTRequest, didTimeOut error: RequestError) {}
}
