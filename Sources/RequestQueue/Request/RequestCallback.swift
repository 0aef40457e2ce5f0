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
