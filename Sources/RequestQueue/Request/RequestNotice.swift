/// What the sender of a request receives: that it is sent (once), progress (any number of times), the outcome (once).
enum RequestNotice: Sendable {
    case willSend
    case event(ExchangeEvent)
    case outcome(Result<RESTResponse, RequestError>)

    /// Whether a later notice replaces this one.
    func isReplaced(by other: RequestNotice) -> Bool {
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
        case .outcome(let outcome): request.delegate?.tell(outcome, of: request)
        }
    }
}

extension RequestDelegate {
    /// Calls the delegate method for an outcome.
    package func tell(_ outcome: Result<RESTResponse, RequestError>, of request: RESTRequest) {
        switch outcome {
        case .success(let response): self.request(request, didLoad: response)
        case .failure(let error) where error.kind == .cancelled: requestDidCancel(request)
        case .failure(let error) where error.isTimeout: self.request(request, didTimeOut: error)
        case .failure(let error): self.request(request, didFail: error)
        }
    }
}
