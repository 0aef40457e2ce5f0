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

/// A callback for the sender of a request: the start (once), progress (any number of times), or the outcome (once).
enum RequestCallback: Sendable {
    case willSend
    case event(ExchangeEvent)
    case outcome(Result<RESTResponse, RequestError>)

    /// Whether a later callback replaces this one.
    func isReplaced(by other: RequestCallback) -> Bool {
        if case .event(.progress) = self, case .event(.progress) = other { true } else { false }
    }

    /// Calls the delegate of the request and its progress handler.
    func deliver(_ request: RESTRequest) {
        switch self {
        case .willSend: request.delegate?.requestWillSend(request)
        case .event(.didSend): request.delegate?.requestDidSend(request)
        case .event(.progress(let now)):
            request.progressHandler?(now)
            request.delegate?.request(request, didProgress: now)
        case .event(.awaitsTurn): break
        case .event(.willRetry(let retry)): request.delegate?.request(request, willRetry: retry)
        case .outcome(let outcome): request.delegate?.receive(outcome, of: request)
        }
    }
}

extension RequestDelegate {
    /// Calls the delegate method for an outcome.
    package func receive(_ outcome: Result<RESTResponse, RequestError>, of request: RESTRequest) {
        switch outcome {
        case .success(let response): self.request(request, didLoad: response)
        case .failure(let error) where error.kind == .cancelled: requestDidCancel(request)
        case .failure(let error) where error.isTimeout: self.request(request, didTimeOut: error)
        case .failure(let error): self.request(request, didFail: error)
        }
    }
}

/// An event between the start of a request and its outcome.
///
/// Events are sent on the thread of the transport, so observers must not block.
package enum ExchangeEvent: Sendable {
    /// The request and its body were sent completely.
    ///
    /// Sent once, and always before a response of the server is the outcome. It is not sent for a response loaded from
    /// the cache.
    case didSend
    /// Bytes were sent or received.
    case progress(RequestProgress)
    /// The request will be sent again; earlier progress no longer applies.
    case willRetry(RequestRetry)
    /// The next attempt is due; it starts when the observer calls ``Exchange/sendAgain()``.
    case awaitsTurn
}
