/// Receives the events of a request, in the same order as the events of a queue.
///
/// Exactly one of the last four methods is called, and no method is called after it.
public protocol RequestDelegate: AnyObject, Sendable {
    /// The request leaves its queue, or is sent without one.
    func requestWillSend(_ request: RESTRequest)
    /// The request and its body were sent completely; not called if the cache responds without a request to the server.
    func requestDidSend(_ request: RESTRequest)
    /// Bytes were sent or received.
    func request(_ request: RESTRequest, didProgress progress: RequestProgress)
    /// The request will be sent again because of its ``RequestSettings/retryPolicy``; its progress restarts at 0.
    func request(_ request: RESTRequest, willRetry retry: RequestRetry)

    /// A response was received, with any status.
    func request(_ request: RESTRequest, didLoad response: RESTResponse)
    /// The request failed without a response.
    func request(_ request: RESTRequest, didFail error: RequestError)
    /// The request was cancelled, before or after it was sent.
    func requestDidCancel(_ request: RESTRequest)
    /// A timeout ended the request.
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

extension RequestDelegate {
    /// Calls the delegate method for an event.
    package func receive(_ event: RequestEvent, of request: RESTRequest) {
        switch event {
        case .willSend: requestWillSend(request)
        case .didSend: requestDidSend(request)
        case .progress(let progress): self.request(request, didProgress: progress)
        case .willRetry(let retry): self.request(request, willRetry: retry)
        case .didFinish(.success(let response)): self.request(request, didLoad: response)
        case .didFinish(.failure(let error)) where error.kind == .cancelled: requestDidCancel(request)
        case .didFinish(.failure(let error)) where error.isTimeout: self.request(request, didTimeOut: error)
        case .didFinish(.failure(let error)): self.request(request, didFail: error)
        }
    }
}
