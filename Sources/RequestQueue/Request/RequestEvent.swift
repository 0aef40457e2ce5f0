/// An event of a request, from its start to its outcome.
///
/// Exchanges, queues, delegates and completions use these events. They are sent on the thread of the transport, so
/// observers must not block.
package enum RequestEvent: Sendable {
    /// The request leaves its queue, or is sent without one.
    case willSend
    /// The request and its body were sent completely.
    ///
    /// Sent once, and always before a response of the server is the outcome. It is not sent for a response loaded from
    /// the cache.
    case didSend
    /// Bytes were sent or received.
    case progress(RequestProgress)
    /// The request will be sent again; earlier progress no longer applies.
    indirect case willRetry(RequestRetry)
    /// The outcome; the last event.
    indirect case didFinish(Result<RESTResponse, RequestError>)

    /// Whether a later event replaces this one if it was not delivered yet.
    func isReplaced(by other: RequestEvent) -> Bool {
        if case .progress = self, case .progress = other { true } else { false }
    }

    /// Calls the progress handler of a request and its delegate.
    func deliver(to request: RESTRequest) {
        if case .progress(let progress) = self { request.progressHandler?(progress) }
        request.delegate?.receive(self, of: request)
    }
}
